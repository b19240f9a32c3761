import type { ServiceDefinition } from '@ams/service';
import { Api } from './api.js';
import { NotificationSender } from './send-notification.js';
import { Notifications } from './notifications.js';
import { Explanations } from './explain.js';
import { JobRunner } from './jobs.js';
import { Maintenance } from './maintenance.js';
import { DatabasePart } from './parts.js';
import { Relay } from './relay.js';
import { Runs } from './runs.js';
import { WorkflowEngineSettings } from './settings.js';
import { Simulations } from './simulate.js';
import { Steps } from './steps.js';
import { Trigger } from './trigger.js';
import { WorkflowRuns } from './workflow-runs.js';
import { WorkflowTests } from './workflow-test.js';

export const workflowEngine: ServiceDefinition<WorkflowEngineSettings> = {
  name: 'workflow-engine',
  settings: WorkflowEngineSettings,
  // Runs and NotificationSender tell the runner of the jobs they do; all of these are made before any part starts.
  providers: [
    DatabasePart,
    JobRunner,
    Steps,
    Runs,
    NotificationSender,
    Trigger,
    Relay,
    WorkflowRuns,
    WorkflowTests,
    Notifications,
    Explanations,
    Simulations,
    Maintenance,
    Api,
  ],
  parts: [DatabasePart, JobRunner, Trigger, Relay, Maintenance, Api],
};
