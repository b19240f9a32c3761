export { alertStatuses, type AlertStatus } from './alert-status.js';
export { eventLimits } from './event-limits.js';
export { explicitFingerprint, generatedFingerprint, maxFingerprintLength, partitionOf } from './fingerprint.js';
export { compileMapping, type Mapper } from './mapper.js';
export {
  mapPayload,
  type ItemResult,
  type MapOptions,
  type Mapped,
  type MappedEvent,
  type MappingWarning,
  type Origin,
  type Provenance,
} from './mapping.js';
export {
  settingsLimits,
  validateMappingSettings,
  type Condition,
  type FieldMapping,
  type MappingFault,
  type MappingSettings,
  type Scalar,
} from './mapping-settings.js';
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
} from './presets.js';
export { severities, type Severity } from './severity.js';
export {
  alertTransitions,
  decideCommand,
  decideEvent,
  type ActorRef,
  type AlertChangeType,
  type AlertEventInput,
  type AlertState,
  type CommandDecision,
  type EventDecision,
  type FieldChange,
  type ResolveReason,
  type SuppressionState,
} from './alert-state.js';
