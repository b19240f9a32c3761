/** The fields of conditions: what each is, which comparisons it has, and which events have it. */
import type { components } from '@ams/client';
import type { NamedNoun } from '../ui/record-names.js';

export type Predicate = components['schemas']['Predicate'];
export type Condition = components['schemas']['Condition'];
export type Operator = Predicate['op'];
export type WorkflowEvent = components['schemas']['WorkflowEvent'];

export type Kind =
  'text' | 'tag' | 'number' | 'severity' | 'alertStatus' | 'incidentStatus' | 'time' | 'date' | 'weekday';

export type FieldGroup =
  'alert' | 'client' | 'integration' | 'incident' | 'alerts.any' | 'schedule' | 'suppression' | 'now';

export interface Field {
  group: FieldGroup;
  kind: Kind;
  /** The record that it names by its id. */
  noun?: NamedNoun;
}

const equality = ['eq', 'neq', 'in', 'notIn', 'exists'] as const;
const search = ['contains', 'startsWith', 'endsWith', 'matches'] as const;
const order = ['gte', 'gt', 'lte', 'lt'] as const;

export const operatorsOf: Readonly<Record<Kind, readonly Operator[]>> = {
  text: [...equality, ...search],
  tag: [...equality, ...search, ...order],
  number: [...equality, ...order],
  severity: [...order, ...equality],
  alertStatus: equality,
  incidentStatus: equality,
  time: [...order, ...equality],
  date: [...order, ...equality],
  weekday: [...equality, ...order],
};

/** From the highest to the lowest. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const alertStatuses = ['firing', 'acknowledged', 'suppressed', 'resolved'] as const;
export const incidentStatuses = ['triggered', 'acknowledged', 'resolved'] as const;

const ofAlert: Record<string, Omit<Field, 'group'>> = {
  severity: { kind: 'severity' },
  title: { kind: 'text' },
  description: { kind: 'text' },
  status: { kind: 'alertStatus' },
  source: { kind: 'text' },
  fingerprint: { kind: 'text' },
  clientId: { kind: 'text', noun: 'client' },
  integrationId: { kind: 'text', noun: 'integration' },
  incidentId: { kind: 'text' },
  assigneeId: { kind: 'text', noun: 'member' },
  occurrenceCount: { kind: 'number' },
};

const ofOthers: Record<string, Field> = {
  'client.id': { group: 'client', kind: 'text', noun: 'client' },
  'client.name': { group: 'client', kind: 'text' },
  'client.slug': { group: 'client', kind: 'text' },
  'client.externalId': { group: 'client', kind: 'text' },
  'integration.id': { group: 'integration', kind: 'text', noun: 'integration' },
  'integration.name': { group: 'integration', kind: 'text' },
  'integration.type': { group: 'integration', kind: 'text' },
  'incident.severity': { group: 'incident', kind: 'severity' },
  'incident.title': { group: 'incident', kind: 'text' },
  'incident.summary': { group: 'incident', kind: 'text' },
  'incident.status': { group: 'incident', kind: 'incidentStatus' },
  'incident.number': { group: 'incident', kind: 'number' },
  'incident.clientId': { group: 'incident', kind: 'text', noun: 'client' },
  'incident.alertCount': { group: 'incident', kind: 'number' },
  'incident.openAlertCount': { group: 'incident', kind: 'number' },
  'schedule.id': { group: 'schedule', kind: 'text', noun: 'schedule' },
  'schedule.name': { group: 'schedule', kind: 'text' },
  'schedule.teamId': { group: 'schedule', kind: 'text', noun: 'team' },
  'schedule.timezone': { group: 'schedule', kind: 'text' },
  'schedule.source': { group: 'schedule', kind: 'text' },
  'schedule.layer': { group: 'schedule', kind: 'text' },
  'schedule.from.id': { group: 'schedule', kind: 'text', noun: 'member' },
  'schedule.from.name': { group: 'schedule', kind: 'text' },
  'schedule.from.email': { group: 'schedule', kind: 'text' },
  'schedule.to.id': { group: 'schedule', kind: 'text', noun: 'member' },
  'schedule.to.name': { group: 'schedule', kind: 'text' },
  'schedule.to.email': { group: 'schedule', kind: 'text' },
  'suppression.id': { group: 'suppression', kind: 'text' },
  'suppression.name': { group: 'suppression', kind: 'text' },
  'suppression.reason': { group: 'suppression', kind: 'text' },
  'suppression.teamId': { group: 'suppression', kind: 'text', noun: 'team' },
  'now.time': { group: 'now', kind: 'time' },
  'now.weekday': { group: 'now', kind: 'weekday' },
  'now.date': { group: 'now', kind: 'date' },
};

const anyAlert = 'alerts.any.';
const tag = /^(?:labels|annotations)\../;

const alertFieldOf = (name: string): Omit<Field, 'group'> | undefined =>
  Object.hasOwn(ofAlert, name) ? ofAlert[name] : tag.test(name) ? { kind: 'tag' } : undefined;

/** Undefined for a name that is not (or not yet) that of a field. */
export function fieldOf(name: string): Field | undefined {
  if (Object.hasOwn(ofOthers, name)) return ofOthers[name];
  const ofAny = name.startsWith(anyAlert);
  const field = alertFieldOf(ofAny ? name.slice(anyAlert.length) : name);
  return field && { group: ofAny ? 'alerts.any' : 'alert', ...field };
}

export const kindOf = (name: string): Kind => fieldOf(name)?.kind ?? 'text';

type EventNoun = WorkflowEvent extends `${infer Noun}.${string}` ? Noun : never;

const groupsOf: Readonly<Record<EventNoun, readonly FieldGroup[]>> = {
  alert: ['alert', 'client', 'integration', 'incident', 'now'],
  incident: ['incident', 'client', 'alerts.any', 'now'],
  schedule: ['schedule', 'now'],
  suppression: ['suppression', 'now'],
};

export const eventNoun = (event: WorkflowEvent): EventNoun => event.slice(0, event.indexOf('.')) as EventNoun;

/** The groups of fields that all of the events have. */
export const groupsOfEvents = (events: readonly WorkflowEvent[]): FieldGroup[] => {
  const nouns = [...new Set(events.map(eventNoun))];
  const [first = 'alert', ...others] = nouns;
  return groupsOf[first].filter((group) => others.every((noun) => groupsOf[noun].includes(group)));
};

/** Matchers of suppression windows compare the alert only. */
export const matcherGroups: readonly FieldGroup[] = ['alert'];

/** The fields of the groups, in their order; `labels.` stands for a label that is still to be named. */
export function fieldsOf(groups: readonly FieldGroup[]): { group: FieldGroup; fields: string[] }[] {
  const alert = Object.keys(ofAlert);
  return groups.map((group) => {
    if (group === 'alert') return { group, fields: alert };
    if (group === 'alerts.any') return { group, fields: alert.map((name) => anyAlert + name) };
    return { group, fields: Object.keys(ofOthers).filter((name) => ofOthers[name]?.group === group) };
  });
}

/** A value of the same field that fits another comparison, as far as there is one. */
export function valueFor(op: Operator, kind: Kind, before: Predicate['value']): Predicate['value'] {
  if (op === 'exists') return typeof before === 'boolean' ? before : true;
  const single = Array.isArray(before) ? before[0] : before;
  const kept = typeof single === 'boolean' || single === undefined ? firstValue(kind) : single;
  if (op === 'in' || op === 'notIn') return Array.isArray(before) ? before : kept === '' ? [] : [kept];
  return kept;
}

export function firstValue(kind: Kind): string | number {
  switch (kind) {
    case 'severity':
      return 'high';
    case 'alertStatus':
      return 'firing';
    case 'incidentStatus':
      return 'triggered';
    case 'number':
    case 'weekday':
      return 1;
    case 'time':
      return '08:00';
    default:
      return '';
  }
}

/** A predicate on another field: the comparison stays when the new field has it. */
export function withField({ op, value, timezone }: Predicate, field: string): Predicate {
  const kind = kindOf(field);
  const next = operatorsOf[kind].includes(op) ? op : (operatorsOf[kind][0] as Operator);
  const isAlike = fits(kind, value);
  return {
    field,
    op: next,
    value: valueFor(next, kind, isAlike ? value : firstValue(kind)),
    ...(field.startsWith('now.') && timezone !== undefined && { timezone }),
  };
}

const wordsOf: Partial<Record<Kind, readonly string[]>> = {
  severity: severities,
  alertStatus: alertStatuses,
  incidentStatus: incidentStatuses,
};

function fits(kind: Kind, value: Predicate['value']): boolean {
  const values = Array.isArray(value) ? value : [value];
  const words = wordsOf[kind];
  if (words) return values.every((each) => words.includes(String(each)));
  if (kind === 'number' || kind === 'weekday') return values.every((each) => typeof each === 'number');
  if (kind === 'time' || kind === 'date') return false;
  return values.every((each) => typeof each === 'string');
}
