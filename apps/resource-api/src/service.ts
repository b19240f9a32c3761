import type { ServiceDefinition } from '@ams/service';
import { Alerts } from './alerts.js';
import { Api } from './api.js';
import { Clients } from './clients.js';
import { DatabasePart } from './database-part.js';
import { Defaults } from './defaults.js';
import { Requests } from './requests.js';
import { Incidents } from './incidents.js';
import { IntegrationProjection } from './integration-projection.js';
import { Integrations } from './integrations.js';
import { Maintenance } from './maintenance.js';
import { Members } from './members.js';
import { OnCall } from './on-call.js';
import { Replays } from './replay.js';
import { Schedules } from './schedules.js';
import { ResourceApiSettings } from './settings.js';
import { Suppression } from './suppression.js';
import { Workflows } from './workflows.js';

export const resourceApi: ServiceDefinition<ResourceApiSettings> = {
  name: 'resource-api',
  settings: ResourceApiSettings,
  providers: [
    DatabasePart,
    IntegrationProjection,
    Requests,
    Maintenance,
    Integrations,
    Clients,
    Schedules,
    OnCall,
    Members,
    Suppression,
    Alerts,
    Incidents,
    Workflows,
    Replays,
    Defaults,
    Api,
  ],
  parts: [DatabasePart, IntegrationProjection, Requests, Maintenance, Defaults, Api],
};
