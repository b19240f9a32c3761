export { Database, type DatabaseOptions, type Statement, type Tx } from './database.js';
export { clientWithDeadline, streamOf } from './deadline-client.js';
export { FairSlots } from './fair-slots.js';
export { sentTogether } from './sent-together.js';
export { isMessageFault, MalformedMessage, pauseAfter } from './message-fault.js';
export { migrate, migrations } from './migrate.js';
export { serviceRoles, type DatabaseService } from './roles.js';
export {
  boundBy,
  containing,
  fitting,
  page,
  PageRoom,
  pageSize,
  readCursor,
  Where,
  writeCursor,
  type Position,
  type Sort,
  type SortType,
} from './page.js';
export { selectOf } from './select-of.js';
export {
  addToOutbox,
  outboxQueues,
  OutboxRelay,
  setAsideRows,
  type OutboxMessage,
  type OutboxQueue,
  type OutboxRow,
  type PublishOutcome,
} from './outbox.js';
export { boundedJson } from './outbox-payload.js';
export { expiredIdempotencyKeys, inPartsWithIdempotency, withIdempotency, type PartOutcome } from './idempotency.js';
export { actorOf, auditMessage, auditRecord, changesBetween } from './audit.js';
export { Together } from './together.js';
export { postgresTls } from './tls.js';
export { requireVersion } from './version.js';
