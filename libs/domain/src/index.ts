export { alertStatuses, type AlertStatus } from './alerts/alert-status.js';
export { type SettingsFault } from './validation/check.js';
export type { AlertFacts, ConditionFacts, IncidentFacts } from './conditions/condition-facts.js';
export { fieldValue, operators, type FieldValue, type Operator } from './conditions/condition-fields.js';
export { conditionHolds, explainCondition, predicateHolds, type TraceNode } from './conditions/condition.js';
export {
  conditionLimits,
  conditionSchema,
  predicateSchema,
  type Condition,
  type Predicate,
} from './conditions/condition-schema.js';
export { validateCondition, validatePredicate } from './conditions/condition-check.js';
export { whyNot } from './conditions/why-not.js';
export { eventLimits } from './alerts/event-limits.js';
export { explicitFingerprint, generatedFingerprint, maxFingerprintLength, partitionOf } from './alerts/fingerprint.js';
export { originsOf, type FieldSources } from './mapping/field-sources.js';
export { incidentStatuses, type IncidentStatus } from './incidents/incident-status.js';
export { compileMapping, type Mapper } from './mapping/mapper.js';
export type { MappedEvent, MappingWarning, Origin, Provenance } from './mapping/mapped-event.js';
export { mapPayload, type ItemResult, type MapOptions, type Mapped } from './mapping/mapping.js';
export {
  differenceBetween,
  triedItems,
  type ItemChange,
  type MappingDifference,
  type TriedItem,
} from './mapping/mapping-difference.js';
export {
  settingsLimits,
  validateMappingSettings,
  type FieldMapping,
  type IgnoreCondition,
  type MappingFault,
  type MappingSettings,
  type Scalar,
} from './mapping/mapping-settings.js';
export {
  changedSettings,
  effectiveSettings,
  integrationTypes,
  isIntegrationType,
  presetSettings,
  settingsForNewIntegration,
  type IntegrationType,
  type IntegrationTypeInfo,
  type SentSettings,
} from './presets/integration-types.js';
export {
  compileDropIn,
  dedupKeyOf,
  dropInBody,
  dropInPayload,
  isDropIn,
  mapDropIn,
  mayBeEmpty,
  opsgenieOperations,
  receivingApis,
  wordIn,
  type DropInApi,
  type DropInBody,
  type DropInMapper,
  type DropInRequest,
  type OpsgenieOperation,
  type Received,
  type ReceivingApi,
} from './presets/drop-in.js';
export { fitToLimits, type DropInType } from './presets/fit.js';
export { severities, type Severity } from './alerts/severity.js';
export { rendered } from './mapping/template.js';
export {
  alertTransitions,
  decideCommand,
  decideEvent,
  decideWindows,
  isPublished,
  noted,
  withLabels,
  withSeverity,
  type ActorRef,
  type AlertChangeType,
  type AlertEventInput,
  type AlertState,
  type CommandDecision,
  type EventDecision,
  type FieldChange,
  type Hiding,
  type HidingOf,
  type ResolveReason,
  type SuppressionState,
} from './alerts/alert-state.js';
export { onCallAt, resolveShifts, type Gap, type OnCall, type Shift } from './schedule/resolve.js';
export { validateSchedule, type ScheduleFault } from './schedule/schedule-check.js';
export { layerSchema, scheduleLimits, sentLayerSchema } from './schedule/schedule.js';
export type {
  OnCallSchedule,
  PostScheduleLayer,
  Restriction,
  Rotation,
  ScheduleLayer,
  ScheduleOverride,
} from './schedule/schedule.js';
export {
  decideAlerts,
  decideIncident,
  incidentTransitions,
  type IncidentChangeType,
  type IncidentDecision,
  type IncidentRequest,
  type IncidentState,
} from './incidents/incident-state.js';
export {
  stepSchema,
  stepTypes,
  unlessStates,
  workflowEvents,
  workflowLimits,
  type NotifyTarget,
  type StepParams,
  type StepType,
  type UnlessState,
  type WorkflowDefinition,
  type WorkflowEvent,
  type WorkflowStep,
} from './workflows/workflow-schema.js';
export { groupKeyOf } from './workflows/group-key.js';
export { normalizedWorkflow, validateWorkflow } from './workflows/workflow-check.js';
export { referencesOf, type WorkflowReference } from './workflows/workflow-references.js';
export {
  activeUntil,
  compileWindow,
  considerWindows,
  hidingAmong,
  hidingWindow,
  nextBoundary,
  nextOccurrence,
  occurrencesAt,
  windowEnds,
  windowMatches,
  windowStatus,
  windowStatuses,
  type CompiledWindow,
  type ConsideredWindow,
  type Occurrence,
  type SuppressionWindow,
  type WindowEnd,
  type WindowStatus,
  type WindowTimes,
} from './suppression/suppression.js';
export { validateWindow, windowLimits } from './suppression/suppression-settings.js';
export {
  requiresPerson,
  considerWorkflow,
  decideStep,
  decideTrigger,
  notificationAttempts,
  maxWorkflowDepth,
  retryDelay,
  triggeredBy,
  type RanBefore,
  type StepDecision,
  type StepSituation,
  type TriggerDecision,
  type WorkflowConsidered,
} from './workflows/workflow-run.js';
export { emailLimits, isEmailAddress, parseEmailAddress, type EmailAddress } from './text/email-address.js';
export {
  cutSlug,
  isOrganizationSlug,
  isSlug,
  maxOrganizationSlugLength,
  maxSlugLength,
  organizationSlugOf,
  slugOf,
  slugPattern,
} from './text/slug.js';
export {
  isStorable,
  storable,
  storableJson,
  storableValue,
  unstorableTexts,
  type UnstorableText,
} from './text/storable-text.js';
export { maxUrlLength, parseWebUrl, type WebUrl } from './text/web-url.js';
export { isDate, isInstant, isTimeOfDay, parseDateOrInstant, parseInstant } from './time/instant.js';
export { isTimeZone } from './time/time-zone.js';
export { componentsOf } from './validation/open-api.js';
export {
  channels,
  chatChannels,
  personalChannels,
  urlChannels,
  type Channel,
  type ChatChannel,
  type PersonalChannel,
  type UrlChannel,
} from './workflows/channels.js';
