export { entriesPerTurn, placeOf, storableRecord } from './audit-signing.js';
export { DatabaseModule, openDatabase } from './database.module.js';
export { HeartbeatDatabase, heartbeatDatabase } from './heartbeat-database.js';
export { HousekeepingModule } from './housekeeping.module.js';
export { Housekeeping } from './housekeeping.js';
export { Outbox } from './outbox.js';
export { OutboxModule } from './outbox.module.js';
export { ageOfFirst, deletedBy, Retention, rowsOfStep, type StepTaken } from './retention.js';
