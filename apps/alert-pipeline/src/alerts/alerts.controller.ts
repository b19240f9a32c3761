import {
  acknowledgeAlert,
  assignAlert,
  bulkAlerts,
  createAlertNote,
  getBulkJob,
  resolveAlert,
  unacknowledgeAlert,
  type Accepted,
  type Alert,
  type AlertNote,
  type AssignAlert,
  type BulkAlerts,
  type BulkJob,
  type BulkResult,
  type Input,
  type NoQuery,
  type PostAlertNote,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { addNote, assign, unacknowledge } from './alert-acts.js';
import { AlertsService } from './alerts.service.js';

@Controller()
export class AlertsController {
  constructor(private readonly service: AlertsService) {}

  @Handles(acknowledgeAlert)
  acknowledge(input: Input<NoQuery, AlertNote>): Promise<Alert> {
    return this.service.change('acknowledge', input);
  }

  @Handles(unacknowledgeAlert)
  unacknowledge(input: Input<NoQuery, AlertNote>): Promise<Alert> {
    return this.service.act('unacknowledge', input, unacknowledge);
  }

  @Handles(resolveAlert)
  resolve(input: Input<NoQuery, AlertNote>): Promise<Alert> {
    return this.service.change('resolve', input);
  }

  @Handles(assignAlert)
  assign(input: Input<NoQuery, AssignAlert>): Promise<Alert> {
    return this.service.act('assign', input, assign);
  }

  @Handles(createAlertNote)
  note(input: Input<NoQuery, PostAlertNote>): Promise<Alert> {
    return this.service.act('note', input, addNote);
  }

  @Handles(bulkAlerts)
  bulk(input: Input<NoQuery, BulkAlerts>): Promise<BulkResult | Accepted<BulkJob>> {
    return this.service.bulk(input);
  }

  @Handles(getBulkJob)
  bulkJob(input: Input<NoQuery, undefined>): Promise<BulkJob> {
    return this.service.job(input);
  }
}
