import { getStatus, type Input, type NoQuery, type ServiceStatus } from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { StatusService } from './status.service.js';

@Controller()
export class StatusController {
  constructor(private readonly service: StatusService) {}

  @Handles(getStatus)
  get(input: Input<NoQuery, undefined>): Promise<ServiceStatus> {
    return this.service.get(input);
  }
}
