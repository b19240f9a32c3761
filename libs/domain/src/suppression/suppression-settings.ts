/** Validates suppression windows before they are stored. `suppression.ts` requires valid windows. */
import { parseInstant } from '../time/instant.js';
import { isTimeZone } from '../time/time-zone.js';
import {
  checkBoolean,
  faultsOf,
  isAbsent,
  isObject,
  listOf,
  oneOf,
  optional,
  ownValue,
  required,
  textUpTo,
  wholeNumber,
  type Check,
  type Report,
  type SettingsFault,
} from '../validation/check.js';
import { validatePredicate } from '../conditions/condition-check.js';
import { recurringStarts } from '../time/occurrence-starts.js';
import { parseRecurrenceRule, ruleLimits } from '../time/recurrence-rule.js';
import { day } from '../time/wall-clock.js';
import { severities } from '../alerts/severity.js';
import { windowEnds, type SuppressionWindow } from './suppression.js';

export const windowLimits = {
  matchers: 20,
  /** The maximum number of clients, and of integrations. */
  ids: 100,
  /** Characters of an id. */
  idLength: 100,
  rruleLength: ruleLimits.length,
  /** Seconds. */
  shortest: 60,
  longest: 31 * 24 * 3_600,
} as const;

type Settings = Record<string, unknown>;

/** Matchers may use only fields of the alert itself; related records may change during the suppression. */
const fieldsOfAlerts = (field: string): boolean => !/^(?:client|integration|incident|now)\./.test(field);

const checkMatcher: Check = (value, path, report) => {
  for (const fault of validatePredicate(value, path, { fields: fieldsOfAlerts }))
    report(fault.path, fault.rule, fault.message);
};

const checkIds = listOf(textUpTo(windowLimits.idLength), windowLimits.ids);

const checkExceptSeverities: Check = (value, path, report) => {
  listOf(oneOf(severities), severities.length)(value, path, report);
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

const checkTimezone: Check = (value, path, report) => {
  if (!isTimeZone(value)) report(path, 'timezone', 'must be an IANA time zone such as Europe/Berlin');
};

const checkRule: Check = (value, path, report) => {
  if (typeof value !== 'string') return report(path, 'type', 'must be text');
  const rule = parseRecurrenceRule(value);
  if (rule.kind === 'fault') report(path, 'syntax', rule.message);
};

const fields: Record<keyof Omit<SuppressionWindow, 'id'>, Check> = {
  enabled: required(checkBoolean),
  matchers: required(listOf(checkMatcher, windowLimits.matchers)),
  clientIds: required(checkIds),
  integrationIds: required(checkIds),
  exceptSeverities: required(checkExceptSeverities),
  matchAll: required(checkBoolean),
  startsAt: required(checkInstant),
  endsAt: optional(checkInstant),
  timezone: required(checkTimezone),
  rrule: optional(checkRule),
  durationSeconds: optional(wholeNumber(windowLimits.shortest, windowLimits.longest)),
  onEnd: required(oneOf(windowEnds)),
};

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

function checkTimes({ startsAt, endsAt, rrule, durationSeconds }: Settings, report: Report): void {
  if (parseInstant(endsAt) <= parseInstant(startsAt)) report('endsAt', 'order', 'must be after startsAt');
  if (!isAbsent(rrule)) {
    if (isAbsent(durationSeconds))
      report('durationSeconds', 'required', 'is missing: it is the duration of each occurrence');
    return;
  }
  if (isAbsent(endsAt)) report('endsAt', 'required', 'is missing: a window without an rrule needs an end');
  if (!isAbsent(durationSeconds))
    report('durationSeconds', 'exclusive', 'is not allowed without an rrule: the window lasts until endsAt');
}

const patience = 5 * 366 * day;

/**
 * A rule such as FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 is readable but never occurs. Checked only when the times are
 * valid.
 */
function checkOccurrence({ startsAt, endsAt, timezone, rrule }: Settings, report: Report): void {
  const rule = typeof rrule === 'string' ? parseRecurrenceRule(rrule) : undefined;
  const start = parseInstant(startsAt);
  const end = isAbsent(endsAt) ? Infinity : parseInstant(endsAt);
  if (rule?.kind !== 'rule' || !(start >= earliest) || !(end > start) || !isTimeZone(timezone)) return;
  // Whether a first occurrence exists does not depend on COUNT, which would require counting all of them.
  const first = recurringStarts({
    rule: { ...rule, COUNT: undefined },
    startsAt: start,
    endsAt: Math.min(end, start + patience),
    timezone,
  }).next(start - 1);
  if (first === null) report('rrule', 'occurrence', 'must begin within five years of startsAt, and before endsAt');
}

const checkWindow: Check = (value, path, report) => {
  if (!isObject(value)) return report(path, 'type', 'must be an object');
  const settings = Object.fromEntries(Object.keys(fields).map((key) => [key, ownValue(value, key)]));
  for (const [key, check] of Object.entries(fields)) check(settings[key], key, report);
  checkScope(settings, report);
  checkTimes(settings, report);
  checkOccurrence(settings, report);
};

/**
 * Every error of a whole window; an empty list when it is valid. `endsAt`, `rrule` and `durationSeconds` may be null or
 * left out. Fields other than the times and the scope, such as the name, are not checked.
 */
export const validateWindow = (input: unknown): SettingsFault[] => faultsOf(checkWindow, input);
