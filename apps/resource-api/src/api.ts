/** The operations of this service, each with its handler. Started last: what is announced is answered. */
import {
  announcementOf,
  createClient,
  createIntegration,
  createOverride,
  createSchedule,
  createSuppression,
  createWorkflow,
  currentOnCall,
  deleteClient,
  deleteIntegration,
  deleteOverride,
  deleteSchedule,
  deleteSuppression,
  deleteWorkflow,
  disableWorkflow,
  enableWorkflow,
  getAlert,
  getAlertTimeline,
  getClient,
  getIncident,
  getIncidentTimeline,
  getIntegration,
  getSchedule,
  getSuppression,
  getWorkflow,
  listAlerts,
  listClients,
  listIncidentAlerts,
  listIncidents,
  listIntegrationDeliveries,
  listIntegrationRequests,
  listIntegrations,
  listMembers,
  listSchedules,
  listShifts,
  listSuppression,
  listWorkflows,
  operationsOf,
  previewIntegration,
  previewSuppression,
  replayIntegration,
  rotateIntegrationToken,
  updateClient,
  updateIntegration,
  updateSchedule,
  updateSuppression,
  updateWorkflow,
} from '@ams/contracts';
import { keepAnnounced, Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { Alerts } from './alerts.js';
import { Clients } from './clients.js';
import { Requests } from './requests.js';
import { Incidents } from './incidents.js';
import { Integrations } from './integrations.js';
import { Members } from './members.js';
import { OnCall } from './on-call.js';
import { Replays } from './replay.js';
import { Schedules } from './schedules.js';
import type { ResourceApiSettings } from './settings.js';
import { Suppression } from './suppression.js';
import { Workflows } from './workflows.js';

@Injectable()
export class Api implements Part {
  private readonly subscriptions: Subscriptions;

  constructor(
    @Inject(Tokens.settings) private readonly settings: ResourceApiSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(Integrations) private readonly integrations: Integrations,
    @Inject(Clients) private readonly clients: Clients,
    @Inject(Schedules) private readonly schedules: Schedules,
    @Inject(OnCall) private readonly onCall: OnCall,
    @Inject(Members) private readonly members: Members,
    @Inject(Suppression) private readonly suppression: Suppression,
    @Inject(Requests) private readonly requests: Requests,
    @Inject(Alerts) private readonly alerts: Alerts,
    @Inject(Incidents) private readonly incidents: Incidents,
    @Inject(Workflows) private readonly workflows: Workflows,
    @Inject(Replays) private readonly replays: Replays,
  ) {
    this.subscriptions = new Subscriptions(broker, 'resource-api', log);
  }

  async start(): Promise<void> {
    const {
      subscriptions,
      integrations,
      clients,
      schedules,
      onCall,
      members,
      suppression,
      requests,
      alerts,
      incidents,
      workflows,
      replays,
    } = this;
    subscriptions.handle(listIntegrations, (input) => integrations.list(input));
    subscriptions.handle(createIntegration, (input) => integrations.create(input));
    subscriptions.handle(getIntegration, (input) => integrations.get(input));
    subscriptions.handle(updateIntegration, (input) => integrations.update(input));
    subscriptions.handle(deleteIntegration, (input) => integrations.delete(input));
    subscriptions.handle(rotateIntegrationToken, (input) => integrations.rotateToken(input));
    subscriptions.handle(previewIntegration, (input) => integrations.preview(input));
    subscriptions.handle(replayIntegration, (input) => replays.replay(input));
    subscriptions.handle(listIntegrationRequests, (input) => requests.list(input));
    subscriptions.handle(listIntegrationDeliveries, (input) => requests.list(input));
    subscriptions.handle(listClients, (input) => clients.list(input));
    subscriptions.handle(createClient, (input) => clients.create(input));
    subscriptions.handle(getClient, (input) => clients.get(input));
    subscriptions.handle(updateClient, (input) => clients.update(input));
    subscriptions.handle(deleteClient, (input) => clients.delete(input));
    subscriptions.handle(listSchedules, (input) => schedules.list(input));
    subscriptions.handle(createSchedule, (input) => schedules.create(input));
    subscriptions.handle(getSchedule, (input) => schedules.get(input));
    subscriptions.handle(updateSchedule, (input) => schedules.update(input));
    subscriptions.handle(deleteSchedule, (input) => schedules.delete(input));
    subscriptions.handle(createOverride, (input) => schedules.createOverride(input));
    subscriptions.handle(deleteOverride, (input) => schedules.deleteOverride(input));
    subscriptions.handle(currentOnCall, (input) => onCall.current(input));
    subscriptions.handle(listShifts, (input) => onCall.shifts(input));
    subscriptions.handle(listMembers, (input) => members.list(input));
    subscriptions.handle(listSuppression, (input) => suppression.list(input));
    subscriptions.handle(createSuppression, (input) => suppression.create(input));
    subscriptions.handle(previewSuppression, (input) => suppression.preview(input));
    subscriptions.handle(getSuppression, (input) => suppression.get(input));
    subscriptions.handle(updateSuppression, (input) => suppression.update(input));
    subscriptions.handle(deleteSuppression, (input) => suppression.delete(input));
    subscriptions.handle(listAlerts, (input) => alerts.list(input));
    subscriptions.handle(getAlert, (input) => alerts.get(input));
    subscriptions.handle(getAlertTimeline, (input) => alerts.timeline(input));
    subscriptions.handle(listIncidents, (input) => incidents.list(input));
    subscriptions.handle(getIncident, (input) => incidents.get(input));
    subscriptions.handle(listIncidentAlerts, (input) => incidents.alerts(input));
    subscriptions.handle(getIncidentTimeline, (input) => incidents.timeline(input));
    subscriptions.handle(listWorkflows, (input) => workflows.list(input));
    subscriptions.handle(createWorkflow, (input) => workflows.create(input));
    subscriptions.handle(getWorkflow, (input) => workflows.get(input));
    subscriptions.handle(updateWorkflow, (input) => workflows.update(input));
    subscriptions.handle(deleteWorkflow, (input) => workflows.delete(input));
    subscriptions.handle(enableWorkflow, (input) => workflows.enable(input));
    subscriptions.handle(disableWorkflow, (input) => workflows.disable(input));
    await keepAnnounced(
      this.broker,
      { replicas: this.settings.natsReplicas },
      announcementOf('resource-api', operationsOf('resource-api')),
      this.log,
    );
  }

  async drain(): Promise<void> {
    await this.subscriptions.drain();
  }
}
