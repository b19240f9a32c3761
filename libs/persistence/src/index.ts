export { DatabaseModule } from './database.module.js';
export { HousekeepingModule } from './housekeeping.module.js';
export { Housekeeping } from './housekeeping.js';
export { Outbox } from './outbox.js';
export { OutboxModule } from './outbox.module.js';
