export { alertColumns, alertFromRow, severityOfRank, severityRank, type AlertRow } from './alert-row.js';
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
