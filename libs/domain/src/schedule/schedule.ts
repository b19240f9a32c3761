/**
 * An on-call schedule, as it is stored and resolved. Instants are RFC 3339 texts, times of day `HH:MM` in the time zone
 * of the schedule, weekdays as in ISO 8601 (1 is Monday, 7 Sunday). Member ids are opaque here.
 */
import { Type, type Static } from '@sinclair/typebox';
import { isInstant } from '../time/instant.js';
import { isAbsent, isObject, type Check } from '../validation/check.js';
import { checkInstant, checkTimeZone, endOfDay, timeOfDay } from '../validation/leaves.js';
import { uniqueBy } from '../validation/schema-check.js';
import { checkedBy, closedObject, stringEnum, orNull, visibleText, withRule } from '../validation/schema.js';

export const scheduleLimits = {
  layers: 20,
  members: 100,
  restrictions: 20,
  /** Characters of a name or an id. */
  text: 200,
  /** Characters. */
  layerId: 64,
  /** Units of a rotation's interval. */
  interval: { hour: 720, day: 365, week: 52, month: 12 },
} as const;

const id = visibleText(scheduleLimits.text);
const name = visibleText(scheduleLimits.text);

/** Limits the backward search of the resolver for the start of a shift. */
const isAllowedYear = (value: string): boolean => value >= '1970-01-02' && value < '2100';

const checkScheduleInstant: Check = (value, path, report) => {
  if (!isInstant(value)) checkInstant(value, path, report);
  else if (!isAllowedYear(value))
    report(path, 'format', 'must be a time from 1970 to 2099, such as 2026-11-20T14:00:00Z');
};

const instant = checkedBy(Type.String({ format: 'date-time' }), checkScheduleInstant);

const endAfterStart: Check = (value, path, report) => {
  if (!isObject(value)) return;
  const { startsAt, endsAt } = value;
  if (isInstant(startsAt) && isInstant(endsAt) && Date.parse(endsAt) <= Date.parse(startsAt))
    report(`${path}.endsAt`, 'order', 'must be after startsAt');
};

// --- Rotations ------------------------------------------------------------------------------------------------------

const rotationUnits = ['hour', 'day', 'week', 'month'] as const;

type RotationUnit = (typeof rotationUnits)[number];

/** The last possible hand-off day of the unit; null for units without one. */
const lastHandoffDay: Readonly<Record<RotationUnit, number | null>> = { hour: null, day: null, week: 7, month: 31 };

/** What the unit of a rotation requires of its other fields. */
const fitUnit: Check = (value, path, report) => {
  const { unit, interval, handoffDay } = value as Record<string, unknown>;
  const known = rotationUnits.find((one) => one === unit);
  if (known === undefined) return;
  const longest = scheduleLimits.interval[known];
  if (Number.isInteger(interval) && (interval as number) > longest && (interval as number) <= maxInterval)
    report(`${path}.interval`, 'range', `must be from 1 to ${longest} for the unit ${known}`);
  const lastDay = lastHandoffDay[known];
  if (lastDay === null) {
    if (!isAbsent(handoffDay)) report(`${path}.handoffDay`, 'exclusive', 'is not allowed when the unit is hour or day');
  } else if (isAbsent(handoffDay)) report(`${path}.handoffDay`, 'required', 'is missing');
  else if (Number.isInteger(handoffDay) && (handoffDay as number) > lastDay && (handoffDay as number) <= 31)
    report(`${path}.handoffDay`, 'range', `must be from 1 to ${lastDay} for the unit ${known}`);
};

const maxInterval = Math.max(...Object.values(scheduleLimits.interval));

const rotation = withRule(
  closedObject(
    {
      unit: stringEnum(rotationUnits),
      interval: Type.Integer({
        minimum: 1,
        maximum: maxInterval,
        description: 'The length of a turn in units: at most 720 hours, 365 days, 52 weeks or 12 months.',
      }),
      handoffTime: { ...timeOfDay, description: 'The local time of the hand-off.' },
      handoffDay: Type.Optional(
        orNull(
          Type.Integer({
            minimum: 1,
            maximum: 31,
            description:
              'By week: 1 (Monday) to 7. By month: 1 to 31; in a shorter month, the last day. Otherwise null.',
          }),
        ),
      ),
    },
    { $id: 'Rotation' },
  ),
  fitUnit,
);

/** The length of a turn and the time of its hand-off: by week on a weekday, by month on a day of the month. */
export type Rotation = Required<Static<typeof rotation>>;

// --- Layers ---------------------------------------------------------------------------------------------------------

const restriction = closedObject(
  {
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      uniqueItems: true,
      description: 'The weekdays on which it begins; 1 is Monday.',
    }),
    start: timeOfDay,
    end: { ...endOfDay, description: 'An end that is not after the start is on the next day.' },
  },
  { $id: 'LayerRestriction' },
);

/** From `start` to `end` on each of these days; `24:00` is the end of the day. */
export type Restriction = Static<typeof restriction>;

const layerId = visibleText(scheduleLimits.layerId, {
  description: 'The service creates the id when it is left out. Send it to keep the layer.',
});
const endsAt = orNull(instant);
const restrictions = Type.Array(restriction, { maxItems: scheduleLimits.restrictions });

const layerFields = {
  id: layerId,
  name,
  members: Type.Array(id, {
    maxItems: scheduleLimits.members,
    description: 'The members in order. The first is on call from `startsAt` to the first hand-off.',
  }),
  rotation,
  startsAt: instant,
  endsAt,
  restrictions: { ...restrictions, description: 'The times in which the layer applies; always when there are none.' },
};

/** The stored form. */
export const layerSchema = closedObject(layerFields, { $id: 'ScheduleLayer' });

/** The form in a request. */
export const sentLayerSchema = closedObject(
  {
    ...layerFields,
    id: Type.Optional(layerId),
    endsAt: Type.Optional(endsAt),
    restrictions: Type.Optional(restrictions),
  },
  { $id: 'PostScheduleLayer' },
);

/** The form for validation: the caller checks the form of the ids. */
const checkedLayer = withRule(closedObject({ ...layerFields, id, endsAt: Type.Optional(endsAt) }), endAfterStart);

export type PostScheduleLayer = Static<typeof sentLayerSchema>;

/**
 * A layer without members has nobody on call. With restrictions, it has somebody only while one of them holds; the
 * rotation continues.
 */
export type ScheduleLayer = Omit<Static<typeof layerSchema>, 'rotation'> & { rotation: Rotation };

// --- Schedules ------------------------------------------------------------------------------------------------------

const override = withRule(
  closedObject({ id, userId: id, startsAt: instant, endsAt: instant, createdAt: instant }),
  endAfterStart,
);

export type ScheduleOverride = Static<typeof override>;

export const scheduleSchema = closedObject({
  timezone: checkedBy(Type.String(), checkTimeZone),
  layers: withRule(
    Type.Array(checkedLayer, { maxItems: scheduleLimits.layers }),
    uniqueBy((layer) => (isObject(layer) ? layer.id : undefined), '.id'),
  ),
  overrides: Type.Array(override),
});

export interface OnCallSchedule {
  /** A name of the IANA time zone database. */
  timezone: string;
  /** When several layers have a member on call, the last one counts. */
  layers: ScheduleLayer[];
  /** Overrides take precedence over layers, and newer ones (by `createdAt`, then by id) over older ones. */
  overrides: ScheduleOverride[];
}
