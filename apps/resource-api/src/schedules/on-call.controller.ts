import {
  currentOnCall,
  listShifts,
  type CurrentOnCall,
  type CurrentOnCallQuery,
  type Input,
  type Page,
  type Shifts,
  type ShiftsQuery,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { OnCallService } from './on-call.service.js';

@Controller()
export class OnCallController {
  constructor(private readonly service: OnCallService) {}

  @Handles(currentOnCall)
  current(input: Input<CurrentOnCallQuery, undefined>): Promise<Page<CurrentOnCall>> {
    return this.service.current(input);
  }

  @Handles(listShifts)
  shifts(input: Input<ShiftsQuery, undefined>): Promise<Shifts> {
    return this.service.shifts(input);
  }
}
