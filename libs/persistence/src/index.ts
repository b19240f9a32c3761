export { DatabaseModule } from './database.module.js';
export { HousekeepingModule } from './housekeeping.module.js';
export { Housekeeping, type HousekeepingTask } from './housekeeping.js';
export { Outbox, type PublishRows } from './outbox.js';
export { OutboxModule, type OutboxModuleOptions } from './outbox.module.js';
