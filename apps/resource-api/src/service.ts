import type { Service } from '@ams/service';
import { ResourceApiModule } from './app.module.js';
import { ResourceApiSettings } from './settings.js';

export const resourceApi: Service<ResourceApiSettings> = {
  name: 'resource-api',
  settings: ResourceApiSettings,
  module: ResourceApiModule,
};
