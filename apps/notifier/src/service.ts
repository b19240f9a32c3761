import type { Service } from '@ams/service';
import { NotifierModule } from './notifier.module.js';
import { NotifierSettings, serviceName } from './settings.js';

export const notifier: Service<NotifierSettings> = {
  name: serviceName,
  settings: NotifierSettings,
  module: NotifierModule,
};
