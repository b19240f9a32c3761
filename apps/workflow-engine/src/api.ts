/** The operations of this service, each with its handler. Started last: what is announced is answered. */
import {
  announcementOf,
  explainAlert,
  getDelivery,
  getNotification,
  listDeliveries,
  listNotifications,
  listWorkflowRuns,
  operationsOf,
  simulate,
  testDelivery,
  testNotification,
  testWorkflow,
} from '@ams/contracts';
import { keepAnnounced, Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { Notifications } from './notifications.js';
import { Explanations } from './explain.js';
import type { WorkflowEngineSettings } from './settings.js';
import { Simulations } from './simulate.js';
import { WorkflowRuns } from './workflow-runs.js';
import { WorkflowTests } from './workflow-test.js';

@Injectable()
export class Api implements Part {
  private readonly subscriptions: Subscriptions;

  constructor(
    @Inject(Tokens.settings) private readonly settings: WorkflowEngineSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(WorkflowRuns) private readonly workflowRuns: WorkflowRuns,
    @Inject(WorkflowTests) private readonly workflowTests: WorkflowTests,
    @Inject(Notifications) private readonly notifications: Notifications,
    @Inject(Explanations) private readonly explanations: Explanations,
    @Inject(Simulations) private readonly simulations: Simulations,
  ) {
    this.subscriptions = new Subscriptions(broker, 'workflow-engine', log);
  }

  async start(): Promise<void> {
    const { subscriptions, workflowRuns, workflowTests, notifications, explanations, simulations } = this;
    subscriptions.handle(listWorkflowRuns, (input) => workflowRuns.list(input));
    subscriptions.handle(testWorkflow, (input) => workflowTests.test(input));
    subscriptions.handle(listNotifications, (input) => notifications.list(input));
    subscriptions.handle(listDeliveries, (input) => notifications.list(input));
    subscriptions.handle(getNotification, (input) => notifications.get(input));
    subscriptions.handle(getDelivery, (input) => notifications.get(input));
    subscriptions.handle(testNotification, (input) => notifications.test(input));
    subscriptions.handle(testDelivery, (input) => notifications.test(input));
    subscriptions.handle(explainAlert, (input) => explanations.explain(input));
    subscriptions.handle(simulate, (input) => simulations.simulate(input));
    await keepAnnounced(
      this.broker,
      { replicas: this.settings.natsReplicas },
      announcementOf('workflow-engine', operationsOf('workflow-engine')),
      this.log,
    );
  }

  async drain(): Promise<void> {
    await this.subscriptions.drain();
  }
}
