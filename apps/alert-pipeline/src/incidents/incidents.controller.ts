import {
  createIncident,
  escalateIncident,
  mergeIncidents,
  updateIncident,
  type EscalateIncident,
  type Incident,
  type Input,
  type MergeIncidents,
  type NoQuery,
  type PostIncident,
  type PutIncident,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { IncidentsService } from './incidents.service.js';

@Controller()
export class IncidentsController {
  constructor(private readonly service: IncidentsService) {}

  @Handles(createIncident)
  create(input: Input<NoQuery, PostIncident>): Promise<Incident> {
    return this.service.create(input);
  }

  @Handles(updateIncident)
  update(input: Input<NoQuery, PutIncident>): Promise<Incident> {
    return this.service.update(input);
  }

  @Handles(mergeIncidents)
  merge(input: Input<NoQuery, MergeIncidents>): Promise<Incident> {
    return this.service.merge(input);
  }

  @Handles(escalateIncident)
  escalate(input: Input<NoQuery, EscalateIncident>): Promise<Incident> {
    return this.service.escalate(input);
  }
}
