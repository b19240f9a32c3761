export { Database, type DatabaseOptions, type Statement, type Tx } from './database.js';
export { entities, ApiKeyRow, IntegrationRow, MemberRow, OrganizationRow } from './entities/index.js';
export { migrate, migrations } from './migrate.js';
export { ensureRoles, serviceRoles, type DatabaseService } from './roles.js';
export {
  boundBy,
  containing,
  fitting,
  page,
  pageSize,
  readCursor,
  Where,
  writeCursor,
  type CursorType,
  type PageRequest,
  type Position,
  type Sort,
  type SortType,
} from './page.js';
export { addToOutbox, OutboxRelay, type OutboxMessage, type OutboxRow, type RelayOptions } from './outbox.js';
export { deleteExpiredIdempotencyKeys, withIdempotency } from './idempotency.js';
export { actorOf, auditMessage, auditRecord, changesBetween } from './audit.js';
export { alertColumns, alertFromRow, severityOfRank, severityRank, type AlertRow } from './alert-row.js';
export { requireVersion } from './version.js';
export { addAlertFilter, alertConditions, uuidsOf } from './alert-filter.js';
export { incidentColumns, incidentFromRow, type IncidentRow } from './incident-row.js';
export {
  incidentOfRecord,
  incidentRecordOf,
  incidentRowOf,
  storedIncidentColumns,
  storedIncidentTypes,
  type IncidentRecord,
  type StoredIncident,
} from './incident-record.js';
export {
  alertEventOf,
  decideResolved,
  incidentEventOf,
  resolvedMemberOf,
  type ResolvedMember,
  type WhyAlert,
  type WhyIncident,
} from './changes.js';
export {
  executeCommand,
  findIncidentOf,
  incidentOfGroup,
  type CommandRecords,
  type IncidentGroup,
} from './workflow-command.js';
export {
  overridesAround,
  overridesBySchedule,
  overridesDuring,
  resolvable,
  type OverrideRow,
  type StoredSchedule,
} from './schedule-rows.js';
export {
  alertFactsOf,
  alertOfRecord,
  alertRecordOf,
  alertRowOf,
  storedAlertColumns,
  storedAlertTypes,
  type AlertRecord,
  type StoredAlert,
} from './alert-record.js';
export {
  matterOf,
  readWindow,
  windowColumns,
  windowFromRow,
  Windows,
  type WindowRecord,
  type WindowRow,
} from './suppression-windows.js';
export {
  clientsOf,
  decideIncoming,
  dedupScopeOf,
  fingerprintKey,
  openAlerts,
  settle,
  type EventOutcome,
  type Incoming,
  type OpenAlerts,
  type Surroundings,
} from './incoming-events.js';
