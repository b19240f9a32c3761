/** The rules a schedule is checked by before it is stored. What passes is what the resolver relies on. */
import { isEndOfDay, isInstant, isTimeOfDay } from '../time/instant.js';
import { isTimeZone } from '../time/time-zone.js';
import {
  faultsOf,
  isAbsent,
  isObject,
  listOf as listOfEntries,
  optional,
  record as recordOf,
  required,
  wholeNumber as wholeNumberOf,
  type Check,
  type Report,
  type SettingsFault,
} from '../validation/check.js';
import { exceedsCharacters, isBlank } from '../text/text-limits.js';
import type { Rotation } from './schedule.js';

export type ScheduleFault = SettingsFault;

export const scheduleLimits = {
  layers: 20,
  members: 100,
  restrictions: 20,
  /** Characters of a name or an id. */
  text: 200,
  /** Units of a rotation's interval. */
  interval: { hour: 720, day: 365, week: 52, month: 12 },
} as const;

/** A text for which `valid` holds, of which `message` says how it must be. */
const text =
  (valid: (text: string) => boolean, message: string): Check =>
  (value, path, report) => {
    if (isAbsent(value)) report(path, 'required', message);
    else if (typeof value !== 'string') report(path, 'type', 'must be text');
    else if (!valid(value)) report(path, 'format', message);
  };

const label: Check = (value, path, report) => {
  if (isAbsent(value)) report(path, 'required', 'must be there');
  else if (typeof value !== 'string') report(path, 'type', 'must be text');
  else if (isBlank(value)) report(path, 'required', 'must not be empty');
  else if (exceedsCharacters(value, scheduleLimits.text))
    report(path, 'maxLength', `must have at most ${scheduleLimits.text} characters`);
};

/** Here nothing may be left out but what says so. */
const wholeNumber = (least: number, most: number): Check => required(wholeNumberOf(least, most));
const listOf = (check: Check, most = Infinity): Check => required(listOfEntries(check, most));
const record = (fields: Record<string, Check>): Check => required(recordOf(fields));

/** Every check, each on the whole value. */
const all =
  (...checks: Check[]): Check =>
  (value, path, report) =>
    checks.forEach((check) => check(value, path, report));

/** A check of an object that `record` checks too, so that what is no object is no concern of it. */
const across =
  (check: (value: Record<string, unknown>, path: string, report: Report) => void): Check =>
  (value, path, report) => {
    if (isObject(value)) check(value, path, report);
  };

/** Reports every value that came before in the list, at the path of its index. */
function unique(values: readonly unknown[], pathOf: (index: number) => string, report: Report): void {
  const seen = new Set<unknown>();
  values.forEach((value, index) => {
    if (!isAbsent(value) && seen.has(value)) report(pathOf(index), 'unique', 'is there already');
    seen.add(value);
  });
}

const timeOfDay = text(isTimeOfDay, 'must be a time of day such as 08:30');
const endOfDay = text(isEndOfDay, 'must be a time of day such as 17:30, at most 24:00');

/** Who asks how long a shift has lasted has it looked for from its end back: not further than computers have had clocks. */
const isOfOurTimes = (value: string): boolean => value >= '1970-01-02' && value < '2100';
const instant = text(
  (value) => isInstant(value) && isOfOurTimes(value),
  'must be a time from 1970 to 2099, such as 2026-11-20T14:00:00Z',
);

const zone = text(isTimeZone, 'must be an IANA time zone such as Europe/Berlin');

const endAfterStart = across(({ startsAt, endsAt }, path, report) => {
  if (isInstant(startsAt) && isInstant(endsAt) && Date.parse(endsAt) <= Date.parse(startsAt))
    report(`${path}.endsAt`, 'order', 'must be after startsAt');
});

const noHandoffDay: Check = (value, path, report) => {
  if (!isAbsent(value)) report(path, 'exclusive', 'has no use when the unit is hour or day');
};

/** What the unit of a rotation says of its other fields. */
const unitFields: Record<Rotation['unit'], { interval: Check; handoffDay: Check }> = {
  hour: { interval: wholeNumber(1, scheduleLimits.interval.hour), handoffDay: noHandoffDay },
  day: { interval: wholeNumber(1, scheduleLimits.interval.day), handoffDay: noHandoffDay },
  week: { interval: wholeNumber(1, scheduleLimits.interval.week), handoffDay: wholeNumber(1, 7) },
  month: { interval: wholeNumber(1, scheduleLimits.interval.month), handoffDay: wholeNumber(1, 31) },
};
/** What can be said of them without knowing the unit. */
const fieldsOfAnyUnit = {
  interval: wholeNumber(1, Math.max(...Object.values(scheduleLimits.interval))),
  handoffDay: optional(wholeNumber(1, 31)),
};

const units = Object.keys(unitFields);
const isUnit = (value: unknown): value is Rotation['unit'] => units.includes(value as string);

const checkUnit: Check = (value, path, report) => {
  if (!isUnit(value)) report(path, isAbsent(value) ? 'required' : 'enum', `must be one of ${units.join(', ')}`);
};

const checkRotation: Check = (value, path, report) => {
  const unit = isObject(value) ? value.unit : undefined;
  const { interval, handoffDay } = isUnit(unit) ? unitFields[unit] : fieldsOfAnyUnit;
  record({ unit: checkUnit, interval, handoffTime: timeOfDay, handoffDay })(value, path, report);
};

const weekdays: Check = (value, path, report) => {
  listOf(wholeNumber(1, 7))(value, path, report);
  if (!Array.isArray(value)) return;
  if (value.length === 0) report(path, 'required', 'must name a weekday');
  unique(value, (index) => `${path}[${index}]`, report);
};

const checkRestriction = record({ days: weekdays, start: timeOfDay, end: endOfDay });

const checkLayer = all(
  record({
    id: label,
    name: label,
    members: listOf(label, scheduleLimits.members),
    rotation: checkRotation,
    startsAt: instant,
    endsAt: optional(instant),
    restrictions: listOf(checkRestriction, scheduleLimits.restrictions),
  }),
  endAfterStart,
);

const checkOverride = all(
  record({ id: label, userId: label, startsAt: instant, endsAt: instant, createdAt: instant }),
  endAfterStart,
);

const layerIds = across(({ layers }, path, report) => {
  if (!Array.isArray(layers)) return;
  const ids = layers.map((layer: unknown) => (isObject(layer) ? layer.id : undefined));
  unique(ids, (index) => `layers[${index}].id`, report);
});

const checkSchedule = all(
  record({ timezone: zone, layers: listOf(checkLayer, scheduleLimits.layers), overrides: listOf(checkOverride) }),
  layerIds,
);

/**
 * Every fault of a schedule that a user sent, none when it is an `OnCallSchedule`. `endsAt` of a layer and `handoffDay`
 * may be left out where they may be null. Whether members exist is for whoever has them.
 */
export const validateSchedule = (input: unknown): ScheduleFault[] => faultsOf(checkSchedule, input);
