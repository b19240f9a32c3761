/**
 * Workflows: what happens, in order, when an alert or an incident changes (decisions §8). They also open incidents, notify
 * people and escalate: a page, then another with a delay and `unless`.
 *
 * A definition is checked whole before it is saved and stored with every field filled, so whoever runs one reads it without
 * a default or a doubt.
 */
import { createHash } from 'node:crypto';
import {
  checkBoolean,
  faultsOf,
  fieldPath,
  filledTextUpTo,
  isAbsent,
  isObject,
  listOf,
  oneOf,
  optional,
  ownValue,
  record,
  required,
  textUpTo,
  wholeNumber,
  type Check,
  type SettingsFault,
} from '../validation/check.js';
import { fieldValue } from '../conditions/condition-fields.js';
import type { AlertFacts } from '../conditions/condition-facts.js';
import { validateCondition, type Condition } from '../conditions/condition.js';
import { eventLimits } from '../alerts/event-limits.js';
import { severities, type Severity } from '../alerts/severity.js';
import { parseTarget } from '../mapping/target.js';
import { parseTemplate } from '../mapping/template.js';
import { emailLimits, isEmailAddress } from '../text/email-address.js';
import { maxUrlLength, parseWebUrl } from '../text/web-url.js';
import { exceedsBytes } from '../text/text-limits.js';

export const workflowEvents = [
  'alert.created',
  'alert.acknowledged',
  'alert.resolved',
  'alert.suppressed',
  'alert.resumed',
  'alert.severityChanged',
  'incident.created',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reopened',
] as const;

export type WorkflowEvent = (typeof workflowEvents)[number];

export const channelKinds = ['slack', 'teams', 'mattermost', 'discord', 'webhook'] as const;

export type ChannelKind = (typeof channelKinds)[number];

export type NotifyTarget =
  | { type: 'user'; id: string }
  /** Whoever is on call when the step runs, or who comes next. */
  | { type: 'schedule'; id: string; who?: 'current' | 'next' }
  | { type: 'email'; address: string }
  /** The secret signs what is sent; only webhooks have one. */
  | { type: 'channel'; kind: ChannelKind; url: string; secret: string | null };

/** What each type of step is told. */
export interface StepParams {
  notify: { targets: NotifyTarget[]; subject: string | null; message: string | null };
  webhook: { url: string; secret: string | null; headers: Record<string, string>; timeoutSeconds: number };
  openIncident: {
    /** The fields in which the alerts of one incident agree; none for one incident of everything. */
    groupBy: string[];
    /** How long after its last alert a resolved incident still takes an alert of its group, and opens again; 0 for only while it is open. */
    windowSeconds: number;
    autoResolve: boolean;
    /** A text with places (`{{labels.region}}: {{title}}`); null for the alert's own title. */
    title: string | null;
    /** Null for the alert's own. */
    severity: Severity | null;
  };
  setSeverity: { severity: Severity };
  addLabels: { labels: Record<string, string> };
  assign: { userId: string } | { scheduleId: string };
  acknowledge: Record<string, never>;
  resolve: Record<string, never>;
}

export type StepType = keyof StepParams;

export const unlessStates = ['acknowledged', 'resolved'] as const;

export type UnlessState = (typeof unlessStates)[number];

interface StepOf<Type extends StepType> {
  /** What the runs of a workflow know the step by. */
  id: string;
  type: Type;
  params: StepParams[Type];
  /** What it waits for before it runs, the step before it being done. */
  delaySeconds: number;
  /** The step is left out when the alert, or else the incident, is in one of these states by then. */
  unless: UnlessState[];
  /** Whether the steps after it run although it failed. */
  continueOnError: boolean;
}

export type WorkflowStep = { [Type in StepType]: StepOf<Type> }[StepType];

export interface WorkflowDefinition {
  trigger: { events: WorkflowEvent[] };
  /** Null for always. */
  conditions: Condition | null;
  steps: WorkflowStep[];
}

export const workflowLimits = {
  steps: 50,
  /** Characters of a step's id. */
  stepId: 64,
  /** Thirty days. */
  delaySeconds: 2_592_000,
  targets: 20,
  /** Characters of an id, of which only whoever has the records knows more. */
  id: 255,
  /** Characters. */
  secret: 500,
  /** Characters. */
  subject: 200,
  /** Characters. */
  message: 4_000,
  headers: 20,
  /** Characters of a header's name. */
  headerName: 128,
  /** Characters of a header's value. */
  headerValue: 1_024,
  timeoutSeconds: 30,
  groupBy: 10,
  /** Seven days. */
  windowSeconds: 604_800,
  /** Characters. */
  title: 1_024,
  labels: 64,
  /** Characters of a label's key. */
  labelKey: 255,
} as const;

// --- Validation -----------------------------------------------------------------------------------------------------

const checkId = required(filledTextUpTo(workflowLimits.id));

/** A list without doubles: of texts, or of what `identity` makes of its entries, found at `field` of them. */
const distinct =
  (check: Check, identity: (entry: unknown) => unknown = (entry) => entry, field = ''): Check =>
  (value, path, report) => {
    check(value, path, report);
    if (!Array.isArray(value)) return;
    const seen = new Set<unknown>();
    value.forEach((entry, index) => {
      const key = identity(entry);
      if (typeof key === 'string' && seen.has(key)) report(`${path}[${index}]${field}`, 'unique', 'is there already');
      seen.add(key);
    });
  };

const checkAddress: Check = (value, path, report) => {
  if (typeof value !== 'string') report(path, 'type', 'must be text');
  else if (isEmailAddress(value)) return;
  else if (exceedsBytes(value, emailLimits.address))
    report(path, 'maxLength', `must have at most ${emailLimits.address} bytes`);
  else report(path, 'format', 'must be an e-mail address');
};

const checkUrl: Check = (value, path, report) => {
  if (typeof value !== 'string') return report(path, 'type', 'must be text');
  if (value.length > maxUrlLength) return report(path, 'maxLength', `must have at most ${maxUrlLength} characters`);
  const parsed = parseWebUrl(value);
  if (parsed.kind === 'url') return;
  if (parsed.fault === 'credentials') report(path, 'format', 'must not hold credentials');
  else report(path, 'format', 'must be an address such as https://example.com/hook');
};

const checkSecret = optional(filledTextUpTo(workflowLimits.secret));

/** For a field that whoever chose the check has looked at. */
const isChecked: Check = () => undefined;

const channelFields = record({
  type: isChecked,
  kind: required(oneOf(channelKinds)),
  url: required(checkUrl),
  secret: checkSecret,
});

const checkChannel: Check = (value, path, report) => {
  channelFields(value, path, report);
  if (isObject(value) && value.kind !== 'webhook' && !isAbsent(ownValue(value, 'secret')))
    report(`${path}.secret`, 'exclusive', 'has a use for the kind webhook only');
};

const targetChecks: Readonly<Record<NotifyTarget['type'], Check>> = {
  user: record({ type: isChecked, id: checkId }),
  schedule: record({ type: isChecked, id: checkId, who: optional(oneOf(['current', 'next'])) }),
  email: record({ type: isChecked, address: required(checkAddress) }),
  channel: checkChannel,
};

/** An object whose field `type` says what else it has. */
const byType =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, path, report) => {
    if (!isObject(value)) return report(path, 'type', 'must be an object');
    const type = ownValue(value, 'type');
    required(oneOf(Object.keys(checks)))(type, fieldPath(path, 'type'), report);
    if (typeof type === 'string' && Object.hasOwn(checks, type)) checks[type]!(value, path, report);
  };

/** The name of a header as RFC 9110, 5.6.2 has it, and a value that cannot begin another. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e]*$/;

/** Headers that the request itself or its signature sets, and those that are for the connection (RFC 9110, 7.6.1). */
const reservedHeader =
  /^(?:host|content-length|webhook-.*|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$/;

const checkHeaders: Check = (value, path, report) => {
  if (!isObject(value)) return report(path, 'type', 'must be an object');
  const entries = Object.entries(value);
  if (entries.length > workflowLimits.headers)
    return report(path, 'maxItems', `must have at most ${workflowLimits.headers} entries`);
  const seen = new Set<string>();
  for (const [name, content] of entries) {
    const at = `${path}[${JSON.stringify(name)}]`;
    const folded = name.toLowerCase();
    if (!headerName.test(name)) report(at, 'format', 'is not the name of a header');
    if (name.length > workflowLimits.headerName)
      report(at, 'maxLength', `must have a name of at most ${workflowLimits.headerName} characters`);
    if (reservedHeader.test(folded)) report(at, 'reserved', 'is a header that the request sets itself');
    if (seen.has(folded))
      report(at, 'unique', 'is there already: the names of headers are compared without regard to case');
    seen.add(folded);
    checkHeaderValue(content, at, report);
  }
};

const headerText = textUpTo(workflowLimits.headerValue);

const checkHeaderValue: Check = (value, path, report) => {
  if (typeof value === 'string' && !headerValue.test(value))
    report(path, 'format', 'must be printable ASCII characters');
  else headerText(value, path, report);
};

const groupFields = ['fingerprint', 'severity', 'source', 'clientId', 'integrationId', 'title'];

const isLabel = (field: string): boolean => field.startsWith('labels.') && parseTarget(field).kind === 'entry';

const checkGroupField: Check = (value, path, report) => {
  if (typeof value !== 'string' || !(groupFields.includes(value) || isLabel(value)))
    report(path, 'enum', `must be one of ${groupFields.join(', ')}, labels.<key>`);
};

const titleText = filledTextUpTo(workflowLimits.title);

const checkTitle: Check = (value, path, report) => {
  titleText(value, path, report);
  const template = typeof value === 'string' && value.length <= workflowLimits.title ? parseTemplate(value) : null;
  if (template?.kind === 'fault') report(path, 'syntax', `${template.message} (at character ${template.position + 1})`);
};

const checkLabels: Check = (value, path, report) => {
  if (!isObject(value)) return report(path, 'type', 'must be an object');
  const entries = Object.entries(value);
  if (entries.length === 0) return report(path, 'required', 'must have at least one entry');
  if (entries.length > workflowLimits.labels)
    return report(path, 'maxItems', `must have at most ${workflowLimits.labels} entries`);
  for (const [key, label] of entries) {
    const at = `${path}[${JSON.stringify(key)}]`;
    if (key.length > workflowLimits.labelKey)
      report(at, 'maxLength', `must have a key of at most ${workflowLimits.labelKey} characters`);
    else if (!isLabel(`labels.${key}`)) report(at, 'format', 'cannot be the key of a label');
    if (typeof label !== 'string') report(at, 'type', 'must be text');
    else if (exceedsBytes(label, eventLimits.valueBytes))
      report(at, 'maxBytes', `must have at most ${eventLimits.valueBytes} bytes`);
  }
};

const assignFields = record({ userId: optional(checkId), scheduleId: optional(checkId) });

const checkAssign: Check = (value, path, report) => {
  assignFields(value, path, report);
  if (!isObject(value)) return;
  const named = ['userId', 'scheduleId'].filter((key) => !isAbsent(ownValue(value, key)));
  if (named.length === 0) report(path, 'required', 'must have userId or scheduleId');
  if (named.length === 2) report(path, 'exclusive', 'must have only one of userId and scheduleId');
};

const paramsChecks: Readonly<Record<StepType, Check>> = {
  notify: required(
    record({
      targets: required(listOf(byType(targetChecks), workflowLimits.targets, 1)),
      subject: optional(filledTextUpTo(workflowLimits.subject)),
      message: optional(filledTextUpTo(workflowLimits.message)),
    }),
  ),
  webhook: required(
    record({
      url: required(checkUrl),
      secret: checkSecret,
      headers: optional(checkHeaders),
      timeoutSeconds: optional(wholeNumber(1, workflowLimits.timeoutSeconds)),
    }),
  ),
  openIncident: optional(
    record({
      groupBy: optional(distinct(listOf(checkGroupField, workflowLimits.groupBy))),
      windowSeconds: optional(wholeNumber(0, workflowLimits.windowSeconds)),
      autoResolve: optional(checkBoolean),
      title: optional(checkTitle),
      severity: optional(oneOf(severities)),
    }),
  ),
  setSeverity: required(record({ severity: required(oneOf(severities)) })),
  addLabels: required(record({ labels: required(checkLabels) })),
  assign: required(checkAssign),
  acknowledge: optional(record({})),
  resolve: optional(record({})),
};

export const stepTypes = Object.keys(paramsChecks) as readonly StepType[];

const checkStepId: Check = (value, path, report) => {
  if (typeof value !== 'string') report(path, 'type', 'must be text');
  else if (value.length > workflowLimits.stepId)
    report(path, 'maxLength', `must have at most ${workflowLimits.stepId} characters`);
  else if (!/^[A-Za-z0-9_-]+$/.test(value)) report(path, 'format', 'must be made of letters, digits, - and _');
};

const stepOfType = (checkParams: Check): Check =>
  record({
    id: required(checkStepId),
    type: isChecked,
    params: checkParams,
    delaySeconds: optional(wholeNumber(0, workflowLimits.delaySeconds)),
    unless: optional(distinct(listOf(oneOf(unlessStates), unlessStates.length))),
    continueOnError: optional(checkBoolean),
  });

const checkStep = byType(
  Object.fromEntries(Object.entries(paramsChecks).map(([type, checkParams]) => [type, stepOfType(checkParams)])),
);

const idOf = (step: unknown): unknown => (isObject(step) ? ownValue(step, 'id') : undefined);

const definitionFields = record({
  trigger: required(record({ events: required(distinct(listOf(oneOf(workflowEvents), workflowEvents.length, 1))) })),
  conditions: (value, path, report) => {
    for (const fault of validateCondition(value ?? null, path)) report(fault.path, fault.rule, fault.message);
  },
  steps: required(distinct(listOf(checkStep, workflowLimits.steps, 1), idOf, '.id')),
});

/** An incident has many alerts or none, so these would not know which one is meant. */
const stepsOfAlerts: readonly unknown[] = ['setSeverity', 'addLabels', 'openIncident'] satisfies StepType[];

const isAboutIncidents = (event: unknown): boolean => typeof event === 'string' && event.startsWith('incident.');

const checkStepsFitTrigger: Check = (value, _path, report) => {
  if (!isObject(value) || !isObject(value.trigger)) return;
  const { events } = value.trigger;
  if (!Array.isArray(events) || events.length === 0 || !events.every(isAboutIncidents) || !Array.isArray(value.steps))
    return;
  value.steps.slice(0, workflowLimits.steps).forEach((step, index) => {
    if (isObject(step) && stepsOfAlerts.includes(step.type))
      report(`steps[${index}].type`, 'trigger', 'needs an alert, and only incidents trigger this workflow');
  });
};

/**
 * Every fault of a definition `{trigger, conditions, steps}` that a user sent, each with its path
 * (`steps[2].params.targets[0].address`); none when it can be stored. What may be left out may be null too. Whether the
 * users and schedules exist is for whoever has the records (`referencesOf`).
 */
export const validateWorkflow = (input: unknown): SettingsFault[] =>
  faultsOf((value, path, report) => {
    definitionFields(value, path, report);
    checkStepsFitTrigger(value, path, report);
  }, input);

// --- The stored form ------------------------------------------------------------------------------------------------

type Filled = Record<string, unknown>;

const paramsDefaults: Readonly<Record<StepType, Filled>> = {
  notify: { subject: null, message: null },
  webhook: { secret: null, headers: {}, timeoutSeconds: 10 },
  openIncident: { groupBy: [], windowSeconds: 0, autoResolve: false, title: null, severity: null },
  setSeverity: {},
  addLabels: {},
  assign: {},
  acknowledge: {},
  resolve: {},
};

const stepDefaults: Filled = { delaySeconds: 0, unless: [], continueOnError: false };

/** The fields that were sent, over the defaults of those that were not, or were null. */
const filled = (defaults: Filled, sent: object | null | undefined): Filled => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(sent ?? {}).filter(([, value]) => !isAbsent(value))),
});

const filledTarget = (target: NotifyTarget): Filled =>
  filled(target.type === 'channel' ? { secret: null } : {}, target);

function filledStep(sent: WorkflowStep): WorkflowStep {
  const params = filled(paramsDefaults[sent.type], sent.params);
  if (sent.type === 'notify') params.targets = sent.params.targets.map(filledTarget);
  // The check of what was sent, and the defaults of the same type, make it a step of that type.
  return { ...filled(stepDefaults, sent), params } as unknown as WorkflowStep;
}

/** The definition as it is stored: every field there. For input that `validateWorkflow` found no fault in; with other it may throw a TypeError. */
export function normalizedWorkflow(input: unknown): WorkflowDefinition {
  const { trigger, conditions, steps } = input as WorkflowDefinition;
  return { trigger: { events: [...trigger.events] }, conditions: conditions ?? null, steps: steps.map(filledStep) };
}

// --- What steps say -------------------------------------------------------------------------------------------------

export interface WorkflowReferences {
  userIds: string[];
  scheduleIds: string[];
}

/** The users and schedules that steps name, each once. */
export function referencesOf(steps: readonly WorkflowStep[]): WorkflowReferences {
  const userIds = new Set<string>();
  const scheduleIds = new Set<string>();
  for (const { type, params } of steps) {
    if (type === 'assign' && 'userId' in params) userIds.add(params.userId);
    if (type === 'assign' && 'scheduleId' in params) scheduleIds.add(params.scheduleId);
    if (type !== 'notify') continue;
    for (const target of params.targets) {
      if (target.type === 'user') userIds.add(target.id);
      if (target.type === 'schedule') scheduleIds.add(target.id);
    }
  }
  return { userIds: [...userIds], scheduleIds: [...scheduleIds] };
}

/** Characters of a group's key that is kept as it is: in UTF-8 three times as many bytes still fit an index of PostgreSQL. */
const maxGroupKeyLength = 512;

/**
 * The key of the group an alert belongs to: alerts with the same key are of one incident. For each field, in the order of
 * the names, `<length>:<name>=<length>:<value>`, or `<length>:<name>!` when the alert has no such value; joined by commas,
 * lengths in UTF-16 code units, so that different values never make the same text. '' when nothing is grouped by; over 512
 * characters `sha256:` and the SHA-256 of it in lower-case hex. Open incidents are found by it, so the format cannot change.
 */
export function groupKeyOf(groupBy: readonly string[], alert: AlertFacts): string {
  const facts = { alert, client: null, integration: null, incident: null, now: '' };
  const key = [...groupBy]
    .sort()
    .map((field) => `${field.length}:${field}${groupValue(fieldValue(field, facts))}`)
    .join(',');
  return key.length <= maxGroupKeyLength ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

const groupValue = (value: string | number | null): string =>
  value === null ? '!' : `=${String(value).length}:${value}`;
