export { DatabaseSettings, EdgeSettings, readSettings, ServiceSettings, Setting, settingsOf } from './settings.js';
export { createLogger, withoutCredentials } from './log.js';
export { Logger } from '@ams/messaging';
export { Metrics } from './metrics.js';
export { Liveness } from './health/liveness.js';
export { Readiness } from './health/readiness.js';
export { runService, startService, type RunningService, type Service } from './run-service.js';
