export { batchIdPattern, referencesIn, withReferences } from './batch/references.js';
export { alertStatuses, type AlertStatus } from './alerts/alert-status.js';
export { emptyChain, linksAfter, type ChainEnd, type ChainLink } from './audit/audit-chain.js';
export { signedCheckpoint, type Checkpoint, type CheckpointFacts } from './audit/audit-checkpoint.js';
export { isEd25519, isX25519, publicJwkOf, verificationKeys, type VerificationKeys } from './audit/ed25519-keys.js';
export {
  auditWriters,
  entrySignatureFault,
  entrySigner,
  writerKeys,
  writerOf,
  writesEntries,
  type AuditWriter,
  type EntrySignature,
  type WriterKeys,
} from './audit/entry-signature.js';
export { syslogFrame, type SyslogLine } from './audit/syslog-message.js';
export { ExportVerifier, readCheckpoints, type ExportedLink, type VerificationOutcome } from './audit/verify-export.js';
export { callOwners, ownerKeys, type CallOwner, type KeyPair, type OwnerKeys } from './calls/call-keys.js';
export { CallSession, type SessionOptions } from './calls/call-session.js';
export {
  callRefusals,
  CallVerifier,
  type CallRefusal,
  type ReceivedCall,
  type VerifierOptions,
} from './calls/call-verifier.js';
export type { AlertFacts, ConditionFacts } from './conditions/condition-facts.js';
export { explainCondition, type TraceNode } from './conditions/condition.js';
export { evaluationBudget, evaluationLimits, SharedBudgets } from './conditions/evaluation-budget.js';
export { allAtOnce, eachInParts, mapInParts, type RunInParts } from './fairness/in-parts.js';
export { conditionSchema, predicateSchema, type Condition, type Predicate } from './conditions/condition-schema.js';
export { AverageCosts } from './fairness/average-costs.js';
export { fewWeight, mostWeight, withinShares, type BatchWork } from './fairness/batch-share.js';
export { AnswerTimes } from './fairness/answer-times.js';
export { RecentWork } from './fairness/recent-work.js';
export { RecentActivity } from './fairness/recent-activity.js';
export { SpentTime } from './fairness/spent-time.js';
export { FairQueue, roomFor, type GivesWay, type Places, type Share } from './fairness/fair-queue.js';
export {
  defaultLimits,
  highestLimit,
  isLimit,
  isLimitKind,
  leftOf,
  limitKinds,
  limitOf,
  recordKinds,
  resetsAt,
  type LimitKind,
  type LimitOverrides,
  type MessageKind,
  type RecordKind,
} from './limits/organization-limits.js';
export { highestLevel, jobLevel, levelsOf, mostCounted, type WaitingJobs } from './fairness/job-level.js';
export { shareOf, shareOfRun } from './fairness/share-of.js';
export { whoYields, type Holding } from './fairness/who-yields.js';
export { missDistance } from './conditions/miss-distance.js';
export { whyNot } from './conditions/why-not.js';
export { maskedAddresses } from './text/masked-addresses.js';
export { parseJson } from './text/exact-json.js';
export { eventLimits } from './alerts/event-limits.js';
export { generatedFingerprint, heartbeatFingerprint, maxFingerprintLength, partitionOf } from './alerts/fingerprint.js';
export { originsOf, type FieldSources } from './mapping/field-sources.js';
export { incidentStatuses, type IncidentStatus } from './incidents/incident-status.js';
export { compileMapping, type Mapper } from './mapping/mapper.js';
export type { MappedEvent, MappingWarning, Provenance } from './mapping/mapped-event.js';
export { mapPayload, mapPayloadInParts, type ItemResult, type MapOptions, type Mapped } from './mapping/mapping.js';
export { differenceBetween, triedItems, type TriedItem } from './mapping/mapping-difference.js';
export {
  mappingFields,
  settingsLimits,
  validateMappingSettings,
  type FieldMapping,
  type IgnoreCondition,
  type MappingSettings,
} from './mapping/mapping-settings.js';
export {
  changedSettings,
  effectiveSettings,
  integrationTypes,
  isIntegrationType,
  presetSettings,
  settingsForNewIntegration,
  type IntegrationType,
} from './presets/integration-types.js';
export { changedPresets, settingsHash, upgradedSettings } from './presets/preset-history.js';
export { presetVersions } from './presets/preset-versions.js';
export {
  compileDropIn,
  dedupKeyOf,
  dropInBody,
  dropInPayload,
  fingerprintOfAlias,
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
export { isOpsgenieEdit, opsgenieEdits, type OpsgenieEdit } from './presets/drop-in-edits.js';
export { tagsOf, tagsLabel, type AlertEdit } from './alerts/alert-edit.js';
export { fitToLimits, type DropInType } from './presets/fit.js';
export { clientContacts, validateContacts, type ClientContact } from './clients/client-contact.js';
export {
  choiceOf,
  chosenOf,
  isChosen,
  parseChoice,
  type Choice,
  type ChoiceOptions,
  type Negatable,
} from './lists/choice.js';
export {
  labelFilterLimits,
  labelTermsOf,
  matchingValues,
  parseLabelTerm,
  type LabelTerm,
} from './lists/label-filter.js';
export { csvHeader, csvLines, exportFormats, ndjsonLine, type ExportFormat } from './lists/export-text.js';
export { severities, type Severity } from './alerts/severity.js';
export { rendered } from './mapping/template.js';
export {
  alertTransitions,
  decideCommand,
  decideUnacknowledge,
  unacknowledged,
  withoutEffect,
  decideEvent,
  decideWindows,
  isPublished,
  noted,
  withLabels,
  withSeverity,
  type ActorRef,
  type AlertChangeType,
  type AlertState,
  type Changed,
  type CommandDecision,
  type EventDecision,
  type FieldChange,
  type SuppressingWindow,
  type ResolveReason,
} from './alerts/alert-state.js';
export {
  feedLimits,
  feedRange,
  feedTimes,
  nearestTimes,
  type FeedRange,
  type FeedTime,
} from './schedule/calendar-feed.js';
export { decideHandOff, type HandOffDecision } from './schedule/hand-off.js';
export { onCallChanges, type OnCallChange } from './schedule/on-call-changes.js';
export { isPlannedGapAt, onCallAt, resolveShifts, type Gap, type OnCall, type Shift } from './schedule/resolve.js';
export { validatePredicate } from './conditions/condition-check.js';
export { validateSchedule } from './schedule/schedule-check.js';
export {
  layerModes,
  layerSchema,
  layerBasics,
  plannedGapSchema,
  scheduleLimits,
  sentLayerSchema,
  wholeLayer,
} from './schedule/schedule.js';
export {
  changedFrom,
  membersInTurn,
  onCallSchedule,
  sameSettings,
  versionAt,
  type Versions,
} from './schedule/versions.js';
export type {
  LayerMode,
  OnCallSchedule,
  PostScheduleLayer,
  Restriction,
  Rotation,
  ScheduleLayer,
  ScheduleOverride,
  ScheduleSettings,
  ScheduleVersion,
  StoredLayer,
} from './schedule/schedule.js';
export {
  changedOrganizationSettings,
  defaultOrganizationSettings,
  organizationSettingsSchema,
  urgencyOf,
  validateOrganizationSettings,
  type FlapSettings,
  type OrganizationSettings,
  type OrganizationSettingsChange,
  type Urgency,
} from './paging/organization-settings.js';
export {
  normalizedPolicy,
  policyReferencesOf,
  policySchema,
  validatePolicy,
  type PolicyLevel,
  type PolicyReference,
  type PolicySettings,
  type PolicyTarget,
  type PostPolicyLevel,
} from './paging/policy.js';
export {
  sentTeamMembers,
  teamMembers,
  teamRoles,
  validateTeamMembers,
  wholeTeamMembers,
  type PostTeamMember,
  type TeamMember,
  type TeamRole,
} from './paging/team-members.js';
export {
  catchAllOutcomes,
  choosePolicy,
  decideCatchAll,
  askingEvents,
  policyReasons,
  type CatchAllOutcome,
  type PolicyChoice,
  type PolicyFound,
  type PolicyReason,
  type PolicyRequest,
} from './paging/page-policy.js';
export { pageOutcomes, whyPage, type PageLine, type PageOutcome } from './paging/why-page.js';
export {
  changed as changedIncident,
  decideAlerts,
  decideIncident,
  incidentTransitions,
  type IncidentChanged,
  type IncidentChangeType,
  type IncidentContext,
  type IncidentDecision,
  type IncidentRequest,
  type IncidentState,
} from './incidents/incident-state.js';
export {
  decideDue,
  followAlerts,
  noticeOfRequest,
  type AlertsHappened,
  type AlertsOfIncident,
  type Due,
  type Followed,
  type Notice,
} from './incidents/incident-alerts.js';
export { decideEscalate, type EscalateDecision, type EscalateRefusal } from './incidents/incident-escalate.js';
export {
  decideMerge,
  policyAfterMerge,
  type MergeDecision,
  type MergedIncident,
  type MergeRefusal,
} from './incidents/incident-merge.js';
export {
  begun,
  catchAllBegun,
  escalationStates,
  exhausted,
  levelTold,
  newPaging,
  nextStep,
  presentLevelId,
  noEscalation,
  plusSeconds,
  toldAlso,
  type Escalation,
  type EscalationStage,
  type EscalationState,
  type NextStep,
  type Paging,
  type Told,
} from './paging/escalation.js';
export { mended } from './incidents/mended.js';
export { missingAmong, type Seen } from './paging/missing-pages.js';
export {
  stepSchema,
  unlessStates,
  workflowEvents,
  type EmailTarget,
  type NotifyTarget,
  type StepParams,
  type UnlessState,
  type WorkflowDefinition,
  type WorkflowEvent,
  type WorkflowStep,
} from './workflows/workflow-schema.js';
export { messageOutcome, type MessageEnd } from './workflows/message-outcome.js';
export { namesAlertsOfIncident } from './workflows/trigger-fields.js';
export { groupKeyOf, usualGroupBy } from './workflows/group-key.js';
export { defaultWorkflow, formerWorkflowName, isUnchangedFormerDefault } from './workflows/default-workflow.js';
export { normalizedWorkflow, validateWorkflow } from './workflows/workflow-check.js';
export { referencesOf, type WorkflowReference } from './workflows/workflow-references.js';
export {
  addressName,
  envelopeOf,
  isSealed,
  nameOfAddress,
  sealedAddress,
  sealedMark,
  sealedText,
} from './workflows/sealed-form.js';
export {
  replacedInDestination,
  replacedInLevel,
  replacedInStep,
  secretsFound,
  shownWebhookBase,
  type ReplaceSecret,
  type SecretPlace,
} from './workflows/secret-places.js';
export {
  activeUntil,
  compileWindow,
  considerWindows,
  suppressingAmong,
  suppressingWindow,
  nextBoundary,
  nextOccurrence,
  occurrencesAt,
  occurrencesBetween,
  windowMatches,
  windowStatus,
  windowStatuses,
  type ConsideredWindow,
  type SuppressionWindow,
  type WindowStatus,
  type WindowTimes,
} from './suppression/suppression.js';
export { decideExpiring, type ExpiringDecision } from './suppression/expiring.js';
export {
  validateWindow,
  validateWindowFields,
  windowEnds,
  windowFields,
  type WindowEnd,
} from './suppression/suppression-settings.js';
export {
  requiresPerson,
  considerWorkflow,
  decideStep,
  type StepDecision,
  maxCausedRuns,
  retryDelay,
  type RanBefore,
  type StepSituation,
  type WorkflowConsidered,
  type WorkflowState,
} from './workflows/workflow-run.js';
export { isEmailAddress, parseEmailAddress, parseMailDomain } from './text/email-address.js';
export {
  isProvedBy,
  isStopped,
  mailRecipientKey,
  mailRecipientKinds,
  mailRecipientStatuses,
  mailRefusal,
  verificationMethods,
  verificationNameOf,
  verificationTextOf,
  type MailFacts,
  type MailRecipientKind,
  type MailRecipientStatus,
  type VerificationMethod,
} from './members/mail-recipients.js';
export {
  cutSlug,
  isOrganizationSlug,
  maxOrganizationSlugLength,
  maxSlugLength,
  organizationSlugOf,
  slugOf,
  slugPattern,
} from './text/slug.js';
export { packText, unpackText } from './text/packed-text.js';
export { isStorable, storable, storableJson, storableValue, unstorableTexts } from './text/storable-text.js';
export { maxUrlLength, parseWebUrl } from './text/web-url.js';
export { isInstant, parseDateOrInstant } from './time/instant.js';
export { isTimeZone } from './time/time-zone.js';
export { componentsOf, fieldDocument } from './validation/open-api.js';
export { channels, type Channel, type ChatChannel } from './workflows/channels.js';
export {
  childKeyFaults,
  missingForChild,
  isNarrower,
  isWithin,
  type KeyFault,
  type KeyLimits,
  type KeyRestriction,
} from './keys/key-restriction.js';
export {
  contactMethodTypes,
  sentContactMethods,
  validateContactMethods,
  type ContactMethodType,
  type SentContactMethod,
} from './members/contact-method.js';
export {
  maxEndpointLength,
  pushEndpointFault,
  pushKeyPatterns,
  type PushSubscription,
} from './members/push-subscription.js';
export { membershipOf, readMapping, type ClaimMapping, type Membership } from './members/openid-claims.js';
export { decideOpenIdMember, type OpenIdDecision, type OpenIdRefusal } from './members/openid-member.js';
export { networkOf } from './accounts/network-address.js';
export { passwordFaults, passwordLimits } from './accounts/password.js';
export {
  alertFacetNames,
  facetGroups,
  facetLimits,
  facetText,
  incidentFacetNames,
  parseFacets,
  topValues,
  type CountedValue,
  type FacetField,
  type FacetGroup,
  type FacetName,
} from './facets/facets.js';
export {
  changeOfView,
  isViewVisible,
  mayChangeView,
  savedViewFaults,
  savedViewLimits,
  viewPageNames,
  viewPages,
  viewVisibilities,
  type SavedViewScope,
  type ViewCaller,
  type ViewPage,
  type ViewVisibility,
} from './views/saved-views.js';
export {
  agedBy,
  followStates,
  judgeParts,
  partStates,
  readingLimitSeconds,
  readingNames,
  readingRules,
  readingsOf,
  readingUnits,
  seenParts,
  serviceParts,
  worstOf,
  type JudgedPart,
  type JudgedReading,
  type PartState,
  type Reading,
  type ReadingName,
  type Readings,
  type ReadingSource,
  type ReadingUnit,
  type ReplicaReport,
  type ReportedName,
  type SeenPart,
  type ServicePart,
  type ServiceRead,
  type StatesSince,
} from './status/service-status.js';
