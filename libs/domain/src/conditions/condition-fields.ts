/** The fields of conditions: the type of each, its operators and the values that it is compared with. */
import { Temporal } from 'temporal-polyfill';
import { alertStatuses } from '../alerts/alert-status.js';
import { isDate, isTimeOfDay } from '../time/instant.js';
import { oneOf, textUpTo, wholeNumber, type Check } from '../validation/check.js';
import type { AlertFacts, ConditionFacts } from './condition-facts.js';
import { incidentStatuses } from '../incidents/incident-status.js';
import { severities } from '../alerts/severity.js';
import { parseTarget, type BagField } from '../mapping/target.js';

const equality = ['eq', 'neq', 'in', 'notIn', 'exists'] as const;
const search = ['contains', 'startsWith', 'endsWith', 'matches'] as const;
const order = ['gt', 'gte', 'lt', 'lte'] as const;

export const operators = [...equality, ...search, ...order] as const;

export type Operator = (typeof operators)[number];

/** The maximum length in characters of a text that a field is compared with. */
export const maxValueLength = 1_024;

export type FieldValue = string | number;

/** The type of a field: its operators, the allowed values, and how they are compared. */
export interface Kind {
  readonly ops: readonly Operator[];
  /** The allowed values. */
  readonly comparand: Check;
  /** The rank of a value; null when it has none. Both sides of a comparison are ranked by it. */
  readonly rank: (value: unknown) => FieldValue | null;
  /** Whether the case of its words is ignored. */
  readonly anyCase: boolean;
}

const numeral = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number, or a text that is only a decimal number; null for others. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && numeral.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** More severe is higher, as in `severity gte high`. */
function severityRank(value: unknown): number | null {
  const index = typeof value === 'string' ? severities.findIndex((severity) => severity === value.toLowerCase()) : -1;
  return index < 0 ? null : severities.length - index;
}

const textRank = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const noRank = () => null;

export const checkText = textUpTo(maxValueLength);

const checkNumber: Check = (value, path, report) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) report(path, 'type', 'must be a number');
};

const checkTextOrNumber: Check = (value, path, report) => {
  if (typeof value === 'string') checkText(value, path, report);
  else if (typeof value !== 'number' || !Number.isFinite(value)) report(path, 'type', 'must be text or a number');
};

/** A number, which may also be written as text because label values are texts. */
export const checkNumeric: Check = (value, path, report) => {
  if (numberOf(value) === null) report(path, 'type', 'must be a number');
  else checkTextOrNumber(value, path, report);
};

const wordInAnyCase = (words: readonly string[]): Check => {
  const check = oneOf(words);
  return (value, path, report) => check(typeof value === 'string' ? value.toLowerCase() : value, path, report);
};

const checkTime: Check = (value, path, report) => {
  if (!isTimeOfDay(value)) report(path, 'format', 'must be a time such as 08:30');
};

const checkDate: Check = (value, path, report) => {
  if (!isDate(value)) report(path, 'format', 'must be a date such as 2026-11-20');
};

const text: Kind = { ops: [...equality, ...search], comparand: checkText, rank: noRank, anyCase: false };
/** A label or an annotation: text, which may contain a number. */
export const tag: Kind = { ops: operators, comparand: checkTextOrNumber, rank: numberOf, anyCase: false };
const number: Kind = { ops: [...equality, ...order], comparand: checkNumber, rank: numberOf, anyCase: false };
const weekday: Kind = { ...number, comparand: wholeNumber(1, 7) };
const severity: Kind = {
  ops: [...equality, ...order],
  comparand: wordInAnyCase(severities),
  rank: severityRank,
  anyCase: true,
};
const status = (words: readonly string[]): Kind => ({
  ops: equality,
  comparand: wordInAnyCase(words),
  rank: noRank,
  anyCase: true,
});
const time: Kind = { ops: [...equality, ...order], comparand: checkTime, rank: textRank, anyCase: false };
const date: Kind = { ...time, comparand: checkDate };

/** Where the value of a field comes from. The events of workflows differ in the groups that they have. */
export const fieldGroups = [
  'alert',
  'client',
  'integration',
  'incident',
  'alerts.any',
  'schedule',
  'suppression',
  'now',
] as const;

export type FieldGroup = (typeof fieldGroups)[number];

type Value = FieldValue | null | undefined;

export interface Field {
  readonly group: FieldGroup;
  readonly kind: Kind;
  /** One value, or one for each alert with `alerts.any`, or each member with `schedule.from` and `schedule.to`. */
  readonly read: (facts: ConditionFacts, timezone: string) => readonly Value[];
}

/** The current time in a time zone. If this process does not know the zone, the time is unknown. */
function localNow({ now }: ConditionFacts, timezone: string): Temporal.ZonedDateTime | undefined {
  try {
    return Temporal.Instant.from(now).toZonedDateTimeISO(timezone);
  } catch {
    return undefined;
  }
}

interface AlertField {
  readonly kind: Kind;
  readonly read: (alert: AlertFacts) => Value;
}

const alertFields: ReadonlyMap<string, AlertField> = new Map<string, AlertField>([
  ['title', { kind: text, read: (alert) => alert.title }],
  ['description', { kind: text, read: (alert) => alert.description }],
  ['severity', { kind: severity, read: (alert) => alert.severity }],
  ['status', { kind: status(alertStatuses), read: (alert) => alert.status }],
  ['source', { kind: text, read: (alert) => alert.source }],
  ['fingerprint', { kind: text, read: (alert) => alert.fingerprint }],
  ['clientId', { kind: text, read: (alert) => alert.clientId }],
  ['integrationId', { kind: text, read: (alert) => alert.integrationId }],
  ['incidentId', { kind: text, read: (alert) => alert.incidentId }],
  ['assigneeId', { kind: text, read: (alert) => alert.assigneeId }],
  ['occurrenceCount', { kind: number, read: (alert) => alert.occurrenceCount }],
]);

const one = (group: FieldGroup, kind: Kind, read: (facts: ConditionFacts, timezone: string) => Value): Field => ({
  group,
  kind,
  read: (facts, timezone) => [read(facts, timezone)],
});

/** Nobody: the field is missing, as in a gap. */
const eachMember = (
  members: readonly { id: string; name: string; email: string }[] = [],
  name: 'id' | 'name' | 'email',
): Value[] => (members.length === 0 ? [null] : members.map((member) => member[name]));

const otherFields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['client.id', one('client', text, ({ client }) => client?.id)],
  ['client.name', one('client', text, ({ client }) => client?.name)],
  ['client.slug', one('client', text, ({ client }) => client?.slug)],
  ['client.externalId', one('client', text, ({ client }) => client?.externalId)],
  ['integration.id', one('integration', text, ({ integration }) => integration?.id)],
  ['integration.name', one('integration', text, ({ integration }) => integration?.name)],
  ['integration.type', one('integration', text, ({ integration }) => integration?.type)],
  ['incident.number', one('incident', number, ({ incident }) => incident?.number)],
  ['incident.title', one('incident', text, ({ incident }) => incident?.title)],
  ['incident.summary', one('incident', text, ({ incident }) => incident?.summary)],
  ['incident.severity', one('incident', severity, ({ incident }) => incident?.severity)],
  ['incident.status', one('incident', status(incidentStatuses), ({ incident }) => incident?.status)],
  ['incident.clientId', one('incident', text, ({ incident }) => incident?.clientId)],
  ['incident.alertCount', one('incident', number, ({ incident }) => incident?.alertCount)],
  ['incident.openAlertCount', one('incident', number, ({ incident }) => incident?.openAlertCount)],
  ['schedule.id', one('schedule', text, ({ schedule }) => schedule?.id)],
  ['schedule.name', one('schedule', text, ({ schedule }) => schedule?.name)],
  ['schedule.teamId', one('schedule', text, ({ schedule }) => schedule?.teamId)],
  ['schedule.timezone', one('schedule', text, ({ schedule }) => schedule?.timezone)],
  ['schedule.source', one('schedule', text, ({ schedule }) => schedule?.source)],
  ['schedule.layer', one('schedule', text, ({ schedule }) => schedule?.layer?.name)],
  ...(['from', 'to'] as const).flatMap((side) =>
    (['id', 'name', 'email'] as const).map((name): [string, Field] => [
      `schedule.${side}.${name}`,
      { group: 'schedule', kind: text, read: ({ schedule }) => eachMember(schedule?.[side], name) },
    ]),
  ),
  ['suppression.id', one('suppression', text, ({ suppression }) => suppression?.id)],
  ['suppression.name', one('suppression', text, ({ suppression }) => suppression?.name)],
  ['suppression.reason', one('suppression', text, ({ suppression }) => suppression?.reason)],
  ['suppression.teamId', one('suppression', text, ({ suppression }) => suppression?.teamId)],
  [
    'now.time',
    one('now', time, (facts, timezone) =>
      localNow(facts, timezone)?.toPlainTime().toString({ smallestUnit: 'minute' }),
    ),
  ],
  ['now.weekday', one('now', weekday, (facts, timezone) => localNow(facts, timezone)?.dayOfWeek)],
  ['now.date', one('now', date, (facts, timezone) => localNow(facts, timezone)?.toPlainDate().toString())],
]);

/** Own properties only: an inherited `constructor` is not a label. */
const readTag =
  (bag: BagField, key: string): AlertField['read'] =>
  (alert) =>
    Object.hasOwn(alert[bag], key) ? alert[bag][key] : null;

function alertFieldOf(name: string): AlertField | undefined {
  const field = alertFields.get(name);
  if (field !== undefined) return field;
  const target = parseTarget(name);
  return target.kind === 'entry' ? { kind: tag, read: readTag(target.field, target.key) } : undefined;
}

const anyAlert = 'alerts.any.';

/** The field with that name; undefined when it does not exist. */
export function fieldOf(name: string): Field | undefined {
  const other = otherFields.get(name);
  if (other !== undefined) return other;
  const ofAny = name.startsWith(anyAlert);
  const field = alertFieldOf(ofAny ? name.slice(anyAlert.length) : name);
  if (field === undefined) return undefined;
  const { kind, read } = field;
  return ofAny
    ? { group: 'alerts.any', kind, read: ({ alerts = [] }) => alerts.map(read) }
    : one('alert', kind, ({ alert }) => alert && read(alert));
}

/**
 * The values of a field: null for one that is not there. Exactly one, but with `alerts.any.<field>` one for each alert,
 * and with `schedule.from` and `schedule.to` one for each member.
 * An empty text is a value. `now.time` is HH:MM, `now.weekday` 1 (Monday) to 7, `now.date` YYYY-MM-DD, in `timezone`. A
 * field that does not exist has no value.
 */
export const valuesOf = (field: Field | undefined, facts: ConditionFacts, timezone = 'UTC'): (FieldValue | null)[] =>
  field === undefined ? [null] : field.read(facts, timezone).map((value) => value ?? null);

/** The value of a field that has one. */
export const fieldValue = (field: string, facts: ConditionFacts, timezone = 'UTC'): FieldValue | null =>
  valuesOf(fieldOf(field), facts, timezone)[0] ?? null;
