/** The operations of this service, each with its handler. Started last: what is announced is answered. */
import {
  announcementOf, createIntegration, deleteIntegration, getAlert, getAlertTimeline, getIntegration, listAlerts, listIntegrationDeliveries, listIntegrations,
  operationsOf, previewIntegration, rotateIntegrationToken, updateIntegration,
} from '@ams/contracts';
import { keepAnnounced, Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { Alerts } from './alerts.js';
import { Deliveries } from './deliveries.js';
import { Integrations } from './integrations.js';
import type { ResourceApiSettings } from './settings.js';

@Injectable()
export class Api implements Part {
  private readonly subscriptions: Subscriptions;

  constructor(
    @Inject(Tokens.settings) private readonly settings: ResourceApiSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(Integrations) private readonly integrations: Integrations,
    @Inject(Deliveries) private readonly deliveries: Deliveries,
    @Inject(Alerts) private readonly alerts: Alerts,
  ) {
    this.subscriptions = new Subscriptions(broker, 'resource-api', log);
  }

  async start(): Promise<void> {
    const { subscriptions, integrations, deliveries, alerts } = this;
    subscriptions.handle(listIntegrations, (input) => integrations.list(input));
    subscriptions.handle(createIntegration, (input) => integrations.create(input));
    subscriptions.handle(getIntegration, (input) => integrations.get(input));
    subscriptions.handle(updateIntegration, (input) => integrations.update(input));
    subscriptions.handle(deleteIntegration, (input) => integrations.delete(input));
    subscriptions.handle(rotateIntegrationToken, (input) => integrations.rotateToken(input));
    subscriptions.handle(previewIntegration, (input) => integrations.preview(input));
    subscriptions.handle(listIntegrationDeliveries, (input) => deliveries.list(input));
    subscriptions.handle(listAlerts, (input) => alerts.list(input));
    subscriptions.handle(getAlert, (input) => alerts.get(input));
    subscriptions.handle(getAlertTimeline, (input) => alerts.timeline(input));
    await keepAnnounced(this.broker, { replicas: this.settings.natsReplicas }, announcementOf('resource-api', operationsOf('resource-api')), this.log);
  }

  async drain(): Promise<void> {
    await this.subscriptions.drain();
  }
}
