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

export const layerModes = ['last', 'all'] as const;
export type LayerMode = (typeof layerModes)[number];

export const scheduleLimits = {
  layers: 20,
  members: 100,
  restrictions: 20,
  plannedGaps: 20,
  /** Members of a layer who are on call together. */
  perTurn: 20,
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

const weeklyTimes = ($id: string) =>
  closedObject(
    {
      days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
        minItems: 1,
        uniqueItems: true,
        description: 'The weekdays on which it begins; 1 is Monday.',
      }),
      start: timeOfDay,
      end: { ...endOfDay, description: 'An end that is not after the start is on the next day.' },
    },
    { $id },
  );

const restriction = weeklyTimes('LayerRestriction');

/** From `start` to `end` on each of these days; `24:00` is the end of the day. */
export type Restriction = Static<typeof restriction>;

/** A time, in the zone of the schedule, when nobody needs to be on call. */
export const plannedGapSchema = weeklyTimes('PlannedGap');

const layerId = visibleText(scheduleLimits.layerId, {
  description: 'The service creates the id when it is left out. Send it to keep the layer.',
});
const endsAt = orNull(instant);
const restrictions = Type.Array(restriction, { maxItems: scheduleLimits.restrictions });

const timezone = checkedBy(Type.String(), checkTimeZone);
const members = Type.Array(id, { maxItems: scheduleLimits.members });
const perTurn = Type.Integer({ minimum: 1, maximum: scheduleLimits.perTurn });

/** Fields that earlier releases did not have. */
const addedFields = {
  timezone: orNull({ ...timezone, description: 'The time zone of this layer; null means that of the schedule.' }),
  perTurn: { ...perTurn, description: 'How many members are on call in each turn.' },
  everybody: Type.Boolean({
    description:
      'Whether the members are everybody who can respond: all members of the organization, in the order in which ' +
      `they were added, who are not disabled and no viewers; at most the first ${scheduleLimits.members}. The service ` +
      'keeps `members` up to date.',
  }),
};

const layerFields = {
  id: layerId,
  name,
  members: {
    ...members,
    description: 'The members in order. The first is on call from `startsAt` to the first hand-off.',
  },
  rotation,
  startsAt: instant,
  endsAt,
  restrictions: { ...restrictions, description: 'The times in which the layer applies; always when there are none.' },
};

/** The form of the API. */
export const layerSchema = closedObject({ ...layerFields, ...addedFields }, { $id: 'ScheduleLayer' });

const sentFields = {
  members: Type.Optional({
    ...members,
    description: 'The members in order. With `everybody` it may be left out, and what is sent has no effect.',
  }),
  endsAt: Type.Optional(endsAt),
  restrictions: Type.Optional(restrictions),
  timezone: Type.Optional(addedFields.timezone),
  perTurn: Type.Optional({ ...addedFields.perTurn, default: 1 }),
  everybody: Type.Optional({ ...addedFields.everybody, default: false }),
};

const defaultedFields = {
  name: Type.Optional(name),
  rotation: Type.Optional(rotation),
  startsAt: Type.Optional(instant),
};

/** The form in a request. */
export const sentLayerSchema = closedObject(
  { ...layerFields, ...sentFields, ...defaultedFields, id: Type.Optional(layerId) },
  {
    $id: 'PostScheduleLayer',
    description:
      '`name`, `rotation` and `startsAt` may be left out. Then they are those of the layer that has the `id` already; ' +
      'for a new layer, `Layer` and its number, a rotation by week on Monday at 09:00, and the time from which the ' +
      'layers count.',
  },
);

const needsMembers: Check = (value, path, report) => {
  if (!isObject(value) || value.everybody === true) return;
  if (isAbsent(value.members)) report(`${path}.members`, 'required', 'is missing');
};

/** The form for validation: the caller checks the form of the ids. */
const checkedLayer = withRule(
  closedObject({ ...layerFields, ...sentFields, id, restrictions }),
  (value, path, report) => {
    endAfterStart(value, path, report);
    needsMembers(value, path, report);
  },
);

export type PostScheduleLayer = Static<typeof sentLayerSchema>;

/**
 * A layer without members has nobody on call. With restrictions, it has somebody only while one of them holds; the
 * rotation continues.
 */
export type ScheduleLayer = Omit<Static<typeof layerSchema>, 'rotation'> & { rotation: Rotation };

type Added = keyof typeof addedFields;

/** The stored form: a layer that an earlier release stored lacks some fields. */
export type StoredLayer = Omit<ScheduleLayer, Added> & Partial<Pick<ScheduleLayer, Added>>;

/** Of a layer that is sent without a rotation. */
const weekly: Rotation = { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 };

/**
 * The name, the rotation and the start of a sent layer: when they are left out, those of `before`, the layer that has
 * its id already. `number` counts the layers from 1, and `from` is the time from which they count.
 */
export const layerBasics = (
  layer: PostScheduleLayer,
  { before, number, from }: { before?: StoredLayer; number: number; from: string },
): Pick<ScheduleLayer, 'name' | 'rotation' | 'startsAt'> => {
  const { unit, interval, handoffTime, handoffDay } = layer.rotation ?? before?.rotation ?? weekly;
  return {
    name: layer.name ?? before?.name ?? `Layer ${number}`,
    rotation: { unit, interval, handoffTime, handoffDay: handoffDay ?? null },
    startsAt: layer.startsAt ?? before?.startsAt ?? from,
  };
};

export const wholeLayer = (layer: StoredLayer): ScheduleLayer => ({
  ...layer,
  timezone: layer.timezone ?? null,
  perTurn: layer.perTurn ?? 1,
  everybody: layer.everybody ?? false,
});

// --- Schedules ------------------------------------------------------------------------------------------------------

const override = withRule(
  closedObject({
    id,
    userId: id,
    replacesUserId: Type.Optional(orNull(id)),
    startsAt: instant,
    endsAt: instant,
    createdAt: instant,
  }),
  endAfterStart,
);

/**
 * From `startsAt` to `endsAt` the member is on call instead of everybody else, or only instead of `replacesUserId`
 * while that member is on call.
 */
export type ScheduleOverride = Static<typeof override>;

export const scheduleSchema = closedObject({
  timezone,
  layerMode: Type.Optional(stringEnum(layerModes)),
  layers: withRule(
    Type.Array(checkedLayer, { maxItems: scheduleLimits.layers }),
    uniqueBy((layer) => (isObject(layer) ? layer.id : undefined), '.id'),
  ),
  plannedGaps: Type.Optional(Type.Array(plannedGapSchema, { maxItems: scheduleLimits.plannedGaps })),
  overrides: Type.Array(override),
});

/** What decides who is on call, without the overrides. */
export interface ScheduleSettings {
  /** A name of the IANA time zone database. */
  timezone: string;
  /** `last`: when several layers have a member on call, the last one counts. `all`: everybody of every layer is. */
  layerMode?: LayerMode;
  layers: StoredLayer[];
  plannedGaps?: Restriction[];
}

/** Settings that count from an instant until the next version; null: they count for all time before, too. */
export interface ScheduleVersion extends ScheduleSettings {
  effectiveFrom: string | null;
}

/** The settings are those of the first version, which counts for all time before the second. */
export interface OnCallSchedule extends ScheduleSettings {
  /** Overrides take precedence over layers, and newer ones (by `createdAt`, then by id) over older ones. */
  overrides: ScheduleOverride[];
  /** In the order of their times. */
  laterVersions?: readonly (ScheduleVersion & { effectiveFrom: string })[];
}
