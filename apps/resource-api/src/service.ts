import type { ServiceDefinition } from '@ams/service';
import { Alerts } from './alerts.js';
import { Api } from './api.js';
import { DatabasePart } from './database-part.js';
import { Deliveries } from './deliveries.js';
import { IntegrationProjection } from './integration-projection.js';
import { Integrations } from './integrations.js';
import { Maintenance } from './maintenance.js';
import { ResourceApiSettings } from './settings.js';

export const resourceApi: ServiceDefinition<ResourceApiSettings> = {
  name: 'resource-api',
  settings: ResourceApiSettings,
  providers: [DatabasePart, IntegrationProjection, Deliveries, Maintenance, Integrations, Alerts, Api],
  parts: [DatabasePart, IntegrationProjection, Deliveries, Maintenance, Api],
};
