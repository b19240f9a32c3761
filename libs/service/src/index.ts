export {
  DatabaseSettings,
  EdgeSettings,
  readSettings,
  ServiceSettings,
  Setting,
  settingsOf,
  SettingsError,
  type SettingFacts,
} from './settings.js';
export { createLogger, withoutCredentials } from './log.js';
export { Logger } from '@ams/messaging';
export { Metrics } from './metrics.js';
export { Readiness, type ReadinessCheck } from './health/readiness.js';
export { ServiceName } from './platform/service-name.js';
export { runService, startService, type RunningService, type Service } from './run-service.js';
