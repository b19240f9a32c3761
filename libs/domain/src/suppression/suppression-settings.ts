/**
 * The settings of suppression windows: one schema gives the type, the check before they are stored, and the document.
 * `suppression.ts` requires valid windows.
 */
import { Type, type Static } from '@sinclair/typebox';
import { severities } from '../alerts/severity.js';
import { severitySchema } from '../alerts/severity-schema.js';
import { validatePredicate } from '../conditions/condition-check.js';
import { predicateSchema } from '../conditions/condition-schema.js';
import { isDate, parseInstant } from '../time/instant.js';
import { recurringStarts, startsExcept } from '../time/occurrence-starts.js';
import { parseRecurrenceRule, ruleLimits } from '../time/recurrence-rule.js';
import { isTimeZone } from '../time/time-zone.js';
import { day } from '../time/wall-clock.js';
import { faultsOf, isAbsent, textUpTo, type Check, type Report, type SettingsFault } from '../validation/check.js';
import { checkTimeZone, timeOfDay } from '../validation/leaves.js';
import { checkOf } from '../validation/schema-check.js';
import { checkedBy, stringEnum, orNull, withRule } from '../validation/schema.js';

export const windowEnds = ['resume', 'resolve'] as const;
export type WindowEnd = (typeof windowEnds)[number];

const windowLimits = {
  matchers: 20,
  /** The maximum number of clients, and of integrations. */
  ids: 100,
  /** Characters of an id. */
  idLength: 100,
  excludedDates: 366,
  /** Seconds. */
  shortest: 60,
  longest: 31 * 24 * 3_600,
} as const;

/** Matchers may use only fields of the alert itself; related records may change during the suppression. */
const fieldsOfAlerts = (field: string): boolean => !/^(?:client|integration|incident|alerts|now)\./.test(field);

const checkMatcher: Check = (value, path, report) => {
  for (const fault of validatePredicate(value, path, { fields: fieldsOfAlerts }))
    report(fault.path, fault.rule, fault.message);
};

const ids = Type.Array(checkedBy(Type.String(), textUpTo(windowLimits.idLength)), {
  maxItems: windowLimits.ids,
  uniqueItems: true,
});

const leavesOneSeverity: Check = (value, path, report) => {
  if (Array.isArray(value) && severities.every((severity) => value.includes(severity))) {
    report(
      path,
      'matchesNothing',
      'must leave out at least one severity: a window that excepts all of them matches nothing',
    );
  }
};

/** Clock changes of earlier years are not known for every time zone. */
const earliest = 0;

const checkInstant: Check = (value, path, report) => {
  const instant = parseInstant(value);
  if (Number.isNaN(instant)) report(path, 'format', 'must be a time such as 2026-11-20T14:00:00Z');
  else if (instant < earliest) report(path, 'range', 'must be 1970 or later');
};

const checkDate: Check = (value, path, report) => {
  if (!isDate(value)) report(path, 'format', 'must be a date such as 2026-12-24');
};

const instant = checkedBy(Type.String({ format: 'date-time' }), checkInstant);

const checkRule: Check = (value, path, report) => {
  if (typeof value !== 'string') return report(path, 'type', 'must be text');
  const rule = parseRecurrenceRule(value);
  if (rule.kind === 'fault') report(path, 'syntax', rule.message);
};

export const windowFields = {
  enabled: Type.Boolean(),
  /** All matchers must hold. */
  matchers: Type.Array(checkedBy(predicateSchema, checkMatcher), { maxItems: windowLimits.matchers }),
  /** Alerts about one of these clients; an empty list means all alerts, also those without a client. */
  clientIds: ids,
  /** Alerts from one of these integrations; an empty list means all integrations. */
  integrationIds: ids,
  exceptSeverities: withRule(Type.Array(severitySchema, { uniqueItems: true }), leavesOneSeverity),
  /** Confirms that a window without matchers, clients and integrations is intended. */
  matchAll: Type.Boolean(),
  /** The start of the window; for a recurring window the start of the rule, before which no occurrence begins. */
  startsAt: instant,
  /**
   * The end of the window. For a recurring window: no occurrence begins then or later, and one in progress continues;
   * null means no end.
   */
  endsAt: Type.Optional(orNull(instant)),
  timezone: checkedBy(Type.String(), checkTimeZone),
  /** An RRULE (RFC 5545); null for a window without recurrence. */
  rrule: Type.Optional(orNull(checkedBy(Type.String({ maxLength: ruleLimits.length }), checkRule))),
  /** The duration of each occurrence; null for a window without recurrence. */
  durationSeconds: Type.Optional(
    orNull(Type.Integer({ minimum: windowLimits.shortest, maximum: windowLimits.longest })),
  ),
  /** For a recurring window, in place of `durationSeconds`: each occurrence lasts until the clock shows this time. */
  untilTime: Type.Optional(
    orNull({
      ...timeOfDay,
      description: 'In place of `durationSeconds`: each occurrence ends when the clock next shows this time.',
    }),
  ),
  /** Local dates on which no occurrence of a recurring window begins. */
  excludedDates: Type.Optional(
    Type.Array(checkedBy(Type.String({ format: 'date' }), checkDate), {
      maxItems: windowLimits.excludedDates,
      uniqueItems: true,
      description: 'Dates, in the time zone of the window, on which no occurrence begins.',
    }),
  ),
  /** What happens to the suppressed alerts at the end. */
  onEnd: stringEnum(windowEnds),
};

const eachField = Type.Object(windowFields);

/** Fields that earlier releases did not have. */
type Added = 'untilTime' | 'excludedDates';

/** The stored form. */
export type WindowSettings = Required<Omit<Static<typeof eachField>, Added>> & Pick<Static<typeof eachField>, Added>;

// --- Rules across fields --------------------------------------------------------------------------------------------

type Settings = Record<string, unknown>;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function checkScope({ matchers, clientIds, integrationIds, matchAll }: Settings, report: Report): void {
  if ([matchers, clientIds, integrationIds].every(isEmptyList) && matchAll === false) {
    report(
      'matchAll',
      'matchAll',
      'must be true for a window without matchers, clients and integrations: it suppresses every alert',
    );
  }
}

function checkTimes(settings: Settings, report: Report): void {
  const { startsAt, endsAt, rrule, durationSeconds, untilTime, excludedDates } = settings;
  if (parseInstant(endsAt) <= parseInstant(startsAt)) report('endsAt', 'order', 'must be after startsAt');
  if (!isAbsent(rrule)) {
    if (isAbsent(durationSeconds) && isAbsent(untilTime))
      report('durationSeconds', 'required', 'is missing: it is the duration of each occurrence; or send untilTime');
    if (!isAbsent(durationSeconds) && !isAbsent(untilTime))
      report('untilTime', 'exclusive', 'is not allowed together with durationSeconds');
    return;
  }
  if (isAbsent(endsAt)) report('endsAt', 'required', 'is missing: a window without an rrule needs an end');
  const recurringOnly = {
    durationSeconds,
    untilTime,
    excludedDates: isEmptyList(excludedDates) ? null : excludedDates,
  };
  for (const [field, value] of Object.entries(recurringOnly))
    if (!isAbsent(value)) report(field, 'exclusive', 'is not allowed without an rrule: the window lasts until endsAt');
}

const patience = 5 * 366 * day;

/**
 * A rule such as FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 is readable but never occurs. Checked only when the times are
 * valid.
 */
function checkOccurrence({ startsAt, endsAt, timezone, rrule, excludedDates }: Settings, report: Report): void {
  const rule = typeof rrule === 'string' ? parseRecurrenceRule(rrule) : undefined;
  const start = parseInstant(startsAt);
  const end = isAbsent(endsAt) ? Infinity : parseInstant(endsAt);
  if (rule?.kind !== 'rule' || !(start >= earliest) || !(end > start) || !isTimeZone(timezone)) return;
  // Whether a first occurrence exists does not depend on COUNT, which would require counting all of them.
  const starts = recurringStarts({
    rule: { ...rule, COUNT: undefined },
    startsAt: start,
    endsAt: Math.min(end, start + patience),
    timezone,
  });
  const excluded = Array.isArray(excludedDates) ? excludedDates.map(String) : [];
  const first = startsExcept(starts, new Set(excluded), timezone).next(start - 1);
  if (first === null) report('rrule', 'occurrence', 'must begin within five years of startsAt, and before endsAt');
}

const checkFields = checkOf(eachField);

const checkWindow = checkOf(
  withRule(eachField, (value, _path, report) => {
    const settings = { ...(value as Settings) };
    checkScope(settings, report);
    checkTimes(settings, report);
    checkOccurrence(settings, report);
  }),
);

/**
 * Every error of a whole window; an empty list when it is valid. `endsAt`, `rrule` and `durationSeconds` may be null or
 * left out. Other fields, such as the name, are not checked.
 */
export const validateWindow = (input: unknown): SettingsFault[] => faultsOf(checkWindow, input);

/** The errors of each field by itself, without the rules across fields. */
export const validateWindowFields = (input: unknown): SettingsFault[] => faultsOf(checkFields, input);
