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
export { createLog, withoutCredentials, type Logger } from './log.js';
export { Metrics } from './metrics.js';
export {
  runService,
  startService,
  Tokens,
  type Context,
  type Part,
  type RunningService,
  type ServiceDefinition,
} from './run.js';
