import {
  senderAlertRequest,
  senderAlertsRequest,
  senderEventRequest,
  type Alert,
  type SenderAlertKey,
  type SenderAlertsQuery,
  type SenderEventResult,
  type SenderRequest,
} from '@ams/contracts';
import { HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { SenderAlertsService } from './sender-alerts.service.js';

@Controller()
export class SendersController {
  constructor(private readonly alerts: SenderAlertsService) {}

  @HandlesRequest(senderAlertRequest)
  alert(request: SenderRequest & { key: SenderAlertKey }): Promise<{ alert: Alert | null }> {
    return this.alerts.find(request);
  }

  @HandlesRequest(senderAlertsRequest)
  list(request: SenderRequest & { query: SenderAlertsQuery }): Promise<{ alerts: Alert[]; count: number }> {
    return this.alerts.list(request);
  }

  @HandlesRequest(senderEventRequest)
  event(request: SenderRequest & { eventId: string }): Promise<{ result: SenderEventResult | null }> {
    return this.alerts.event(request);
  }
}
