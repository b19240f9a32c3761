import {
  acknowledgeAlert,
  bulkAlerts,
  resolveAlert,
  type Alert,
  type AlertNote,
  type BulkAlerts,
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
  bulk(input: Input<NoQuery, BulkAlerts>): Promise<BulkResult> {
    return this.service.bulk(input);
  }
}
