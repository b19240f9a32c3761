import {
  acknowledgeAlert,
  bulkAlerts,
  getBulkJob,
  resolveAlert,
  type Accepted,
  type Alert,
  type AlertNote,
  type BulkAlerts,
  type BulkJob,
  type BulkResult,
  type Input,
  type NoQuery,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { AlertsService } from './alerts.service.js';

@Controller()
export class AlertsController {
  constructor(private readonly service: AlertsService) {}

  @Handles(acknowledgeAlert)
  acknowledge(input: Input<NoQuery, AlertNote>): Promise<Alert> {
    return this.service.change('acknowledge', input);
  }

  @Handles(resolveAlert)
  resolve(input: Input<NoQuery, AlertNote>): Promise<Alert> {
    return this.service.change('resolve', input);
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
