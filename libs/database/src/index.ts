export { Database, type DatabaseOptions, type Tx } from './database.js';
export { entities, ApiKeyRow, IntegrationRow, MemberRow, OrganizationRow } from './entities/index.js';
export { migrate, migrations } from './migrate.js';
export { ensureRoles, serviceRoles, type DatabaseService } from './roles.js';
export { containing, page, Where, type PageRequest, type Sort } from './page.js';
export { addToOutbox, OutboxRelay, type OutboxMessage, type OutboxRow, type RelayOptions } from './outbox.js';
export { forgetOldAnswers, once } from './idempotency.js';
export { actorOf, auditMessage, changesBetween } from './audit.js';
