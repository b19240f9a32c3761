/**
 * An on-call schedule, as it is stored and resolved. Instants are RFC 3339 texts, times of day `HH:MM` in the time zone of
 * the schedule, weekdays those of ISO 8601 (1 is Monday, 7 Sunday), and members ids that mean nothing here.
 */
import { Type, type Static } from '@sinclair/typebox';
import { isInstant } from '../time/instant.js';
import { isAbsent, isObject, type Check } from '../validation/check.js';
import { checkInstant, checkTimeZone, endOfDay, timeOfDay } from '../validation/leaves.js';
import { uniqueBy } from '../validation/schema-check.js';
import { checkedBy, closedObject, oneOfWords, orNull, visibleText, withRule } from '../validation/schema.js';

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

/** Whoever asks how long a shift has lasted makes the resolver search backwards from its end: this bounds the search. */
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

/** The last day on which a turn of the unit may be handed over; null for units without one. */
const lastHandoffDay: Readonly<Record<RotationUnit, number | null>> = { hour: null, day: null, week: 7, month: 31 };

/** What the unit of a rotation says of its other fields. */
const fitUnit: Check = (value, path, report) => {
  const { unit, interval, handoffDay } = value as Record<string, unknown>;
  const known = rotationUnits.find((one) => one === unit);
  if (known === undefined) return;
  const longest = scheduleLimits.interval[known];
  if (Number.isInteger(interval) && (interval as number) > longest && (interval as number) <= maxInterval)
    report(`${path}.interval`, 'range', `must be from 1 to ${longest} for the unit ${known}`);
  const lastDay = lastHandoffDay[known];
  if (lastDay === null) {
    if (!isAbsent(handoffDay)) report(`${path}.handoffDay`, 'exclusive', 'has no use when the unit is hour or day');
  } else if (isAbsent(handoffDay)) report(`${path}.handoffDay`, 'required', 'is missing');
  else if (Number.isInteger(handoffDay) && (handoffDay as number) > lastDay && (handoffDay as number) <= 31)
    report(`${path}.handoffDay`, 'range', `must be from 1 to ${lastDay} for the unit ${known}`);
};

const maxInterval = Math.max(...Object.values(scheduleLimits.interval));

const rotation = withRule(
  closedObject(
    {
      unit: oneOfWords(rotationUnits),
      interval: Type.Integer({
        minimum: 1,
        maximum: maxInterval,
        description: 'A turn is this many units long: at most 720 hours, 365 days, 52 weeks or 12 months.',
      }),
      handoffTime: { ...timeOfDay, description: 'Local time of the hand-off.' },
      handoffDay: Type.Optional(
        orNull(
          Type.Integer({
            minimum: 1,
            maximum: 31,
            description: 'By week: 1 (Monday) to 7. By month: 1 to 31, and the last day of a shorter month. Else null.',
          }),
        ),
      ),
    },
    { $id: 'Rotation' },
  ),
  fitUnit,
);

/** How long a turn is and when it is handed over: by week on a weekday, by month on a day of the month. */
export type Rotation = Required<Static<typeof rotation>>;

// --- Layers ---------------------------------------------------------------------------------------------------------

const restriction = closedObject(
  {
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      uniqueItems: true,
      description: 'Weekdays on which it begins, 1 is Monday.',
    }),
    start: timeOfDay,
    end: { ...endOfDay, description: 'An end that is not after the start is on the next day.' },
  },
  { $id: 'LayerRestriction' },
);

/** From `start` up to `end`, on each of these days; `24:00` is the end of the day. */
export type Restriction = Static<typeof restriction>;

const layerId = visibleText(scheduleLimits.layerId, {
  description: 'Made by the service when it is left out; send it to keep the layer.',
});
const endsAt = orNull(instant);
const restrictions = Type.Array(restriction, { maxItems: scheduleLimits.restrictions });

const layerFields = {
  id: layerId,
  name,
  members: Type.Array(id, {
    maxItems: scheduleLimits.members,
    description: 'Members, in turn. The first is on call from `startsAt` to the first hand-off.',
  }),
  rotation,
  startsAt: instant,
  endsAt,
  restrictions: { ...restrictions, description: 'When it counts; always when there are none.' },
};

/** As it is stored. */
export const layerSchema = closedObject(layerFields, { $id: 'ScheduleLayer' });

/** As it may be sent. */
export const sentLayerSchema = closedObject(
  {
    ...layerFields,
    id: Type.Optional(layerId),
    endsAt: Type.Optional(endsAt),
    restrictions: Type.Optional(restrictions),
  },
  { $id: 'PostScheduleLayer' },
);

/** As it is checked: whoever has the records looks at the form of the ids. */
const checkedLayer = withRule(closedObject({ ...layerFields, id, endsAt: Type.Optional(endsAt) }), endAfterStart);

export type PostScheduleLayer = Static<typeof sentLayerSchema>;

/** A layer without members has nobody. One with restrictions has somebody while one of them holds; the rotation goes on. */
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
  /** Of those that have somebody, the last one counts. */
  layers: ScheduleLayer[];
  /** They count before the layers, and the newest (by `createdAt`, then by id) counts before the others. */
  overrides: ScheduleOverride[];
}
