export type { AlertingRecords, AlertRecords } from './alerting-records.js';
export { alertEventOf, type AlertChange } from './alerts/alert-change.js';
export {
  addAlertFilter,
  alertConditions,
  filterOf,
  isSearched,
  ofReader,
  uuidsOf,
  type AlertConditions,
  type AlertReader,
} from './alerts/alert-filter.js';
export { withMatchedLabels } from './alerts/label-patterns.js';
export {
  alertColumns,
  alertFromRow,
  alertOfRecord,
  alertRecordOf,
  alertTable,
  type AlertRecord,
  type AlertRow,
  shownAlertColumns,
  type ShownAlertRow,
} from './alerts/alert-record.js';
export { expiringSubject, handOffSubject, type RecordSubject } from './steps/record-subject.js';
export { severityOfRank, severityRank } from './severity-rank.js';
export { applyEvents, type AppliedEvent, type EventEffect } from './alerts/apply-events.js';
export {
  dedupScopeOf,
  findOpenAlerts,
  previousAlertKey,
  updateOpenAlerts,
  type OpenAlerts,
  type PreviousAlerts,
} from './alerts/alerts-by-fingerprint.js';
export { changeWithIncident, type IncidentAlertAction } from './incidents/change-with-incident.js';
export { incidentEventOf, type IncidentChange } from './incidents/incident-change.js';
export { escalationActor, isLevelDue, tellDue, tellNotice, type EscalationEffects } from './incidents/escalate.js';
export {
  alertsOfIncident,
  followIncident,
  IncidentTouches,
  type FollowEffects,
  type IncidentTouch,
} from './incidents/follow-alerts.js';
export { canBeTold, type IncidentPage, type PageKind, type PageRecipient } from './incidents/incident-page.js';
export {
  chosenPolicy,
  incidentContext,
  pagingReads,
  settingsOfTenants,
  type PagingPolicy,
  type PagingReads,
} from './incidents/paging-reads.js';
export { findIncidentsOfGroups, incidentOfGroup, type IncidentGroup } from './incidents/incident-group.js';
export {
  incidentColumns,
  incidentFromRow,
  incidentOfRecord,
  incidentRecordOf,
  incidentTable,
  type IncidentRecord,
  type IncidentRow,
  shownIncidentColumns,
  type ShownIncidentRow,
} from './incidents/incident-record.js';
export { newIncident } from './incidents/new-incident.js';
export {
  overridesAround,
  overridesDuring,
  resolvables,
  versionOf,
  versionsAround,
  versionsDuring,
  type StoredSchedule,
  type StoredSettings,
  type VersionRow,
} from './schedules/schedule-rows.js';
export { actingFor } from './members/acting-for.js';
export {
  alertIsResolved,
  executeCommand,
  batchOfCommand,
  executeTogether,
  shareOfCommand,
} from './steps/execute-command.js';
export {
  readWindow,
  windowColumns,
  windowFactsOf,
  Windows,
  type WindowRecord,
  type WindowRow,
} from './suppression/suppression-windows.js';
export { mailFactsOf } from './members/mail-facts.js';
export { onCallOf, shownOnCall, type Queries, type Shift, type ShownOnCall } from './schedules/on-call.js';
export { levelRecipients, policyReads, type PolicyReads } from './paging/level-recipients.js';
export {
  deviceRecipient,
  recipientReads,
  recipientsOf,
  withoutDevices,
  type Recipient,
  type RecipientReads,
} from './steps/recipients.js';
export { prepareStep, type PreparedMessage, type PreparedStep, type SubjectReads } from './steps/prepare-step.js';
export { stepResult, type Run, type StepResult } from './steps/run.js';
export {
  finishedStep,
  isLastStep,
  runStep,
  type FinishedStep,
  type RunEffects,
  type RunProgress,
  type StepEffects,
  type StepReads,
  type StepState,
} from './steps/run-step.js';
export { readOnce } from './read-once.js';
