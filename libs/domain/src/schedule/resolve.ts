/**
 * Computes who is on call from the layers and overrides of a schedule. Pure. The schedule must be valid
 * (`validateSchedule`). Instants are RFC 3339 texts; results are in UTC with milliseconds. An unreadable instant or
 * time zone throws a RangeError.
 */
import { restrictedTo } from './restrictions.js';
import { turnsWithin } from './rotation.js';
import type { OnCallSchedule, ScheduleLayer, ScheduleOverride } from './schedule.js';
import { filled, uncovered, joined, within, type Span } from './spans.js';
import { day, wallClock, type WallClock } from '../time/wall-clock.js';

export interface Shift {
  userId: string;
  startsAt: string;
  /** Null when it is at least 400 days in the future (`onCallAt` only). */
  endsAt: string | null;
  source: 'layer' | 'override';
  layerId: string | null;
  overrideId: string | null;
}

/** A time when nobody is on call. */
export interface Gap {
  /** Null when nobody was on call before (`onCallAt` only). */
  startsAt: string | null;
  /** Null when it is at least 400 days in the future (`onCallAt` only). */
  endsAt: string | null;
}

export interface OnCall {
  shift: Shift | null;
  gap: Gap | null;
  next: Shift | null;
}

/** A shift during computation, with its times in milliseconds. */
type ShiftSpan = Span & Omit<Shift, 'startsAt' | 'endsAt'>;

/**
 * The shifts and gaps from `since` to `until`, cut at both ends, in order; together they cover the range exactly.
 * Consecutive turns of one member in one layer are one shift.
 */
export function resolveShifts(
  schedule: OnCallSchedule,
  since: string,
  until: string,
): { shifts: Shift[]; gaps: Gap[] } {
  const range = { start: Date.parse(since), end: Date.parse(until) };
  const spans = spansWithin(range, schedule);
  return { shifts: spans.map(toShift), gaps: uncovered(spans, range).map(toGap) };
}

/**
 * The shift or gap at an instant (the other one is null) with its true start and end, and the next shift; null when
 * none begins within 400 days. An end at least 400 days in the future is null.
 */
export function onCallAt(schedule: OnCallSchedule, at: string): OnCall {
  const instant = Date.parse(at);
  const spans = spansFrom(instant, schedule);
  const present = spans[0]?.start === instant ? spans[0] : null;
  const start = beginning(instant, present, schedule);
  if (present === null) {
    const next = spans[0] ?? null;
    return { shift: null, gap: toGap({ start, end: next?.start ?? Infinity }), next: next && toShift(next) };
  }
  const next = spans[1] ?? null;
  return { shift: toShift({ ...present, start }), gap: null, next: next && toShift(next) };
}

/** In order of precedence; later sources fill the gaps of earlier ones. */
function spansWithin(range: Span, { timezone, layers, overrides }: OnCallSchedule): ShiftSpan[] {
  const clock = wallClock(timezone, range.start, range.end);
  const byPrecedence = [
    ...overrides.toSorted(newestFirst).map((override) => spansOfOverride(range, override)),
    ...layers.toReversed().map((layer) => spansOfLayer(range, layer, timezone, clock)),
  ];
  return joined(
    byPrecedence.reduce((over, under) => filled(over, under, range), []),
    sameShift,
  );
}

const newestFirst = (a: ScheduleOverride, b: ScheduleOverride): number =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? 1 : -1);

function spansOfOverride(range: Span, { id, userId, startsAt, endsAt }: ScheduleOverride): ShiftSpan[] {
  const span = {
    start: Date.parse(startsAt),
    end: Date.parse(endsAt),
    userId,
    source: 'override',
    layerId: null,
    overrideId: id,
  } as const;
  return within([span], [range]);
}

function spansOfLayer(range: Span, layer: ScheduleLayer, timezone: string, clock: WallClock): ShiftSpan[] {
  const turns = turnsWithin(range, layer, timezone, clock);
  const counted =
    turns.length === 0 || layer.restrictions.length === 0
      ? turns
      : within(turns, restrictedTo(layer.restrictions, range, clock));
  return counted.map(({ start, end, member }) => ({
    start,
    end,
    userId: member,
    source: 'layer',
    layerId: layer.id,
    overrideId: null,
  }));
}

const sameShift = (a: ShiftSpan, b: ShiftSpan): boolean =>
  a.userId === b.userId && a.layerId === b.layerId && a.overrideId === b.overrideId;

/** The first search range: most shifts are short. */
const shortReach = 2 * day;
const longestReach = 400 * day;
const further = (reach: number): number => Math.min(10 * reach, longestReach);

/**
 * The shifts that contain an instant or begin after it: at least two with their true ends, or all that begin within 400
 * days.
 */
function spansFrom(start: number, schedule: OnCallSchedule, reach = shortReach): ShiftSpan[] {
  const end = start + reach;
  const spans = spansWithin({ start, end }, schedule);
  const whole = spans.filter((span) => span.end < end);
  if (whole.length < 2 && reach < longestReach) return spansFrom(start, schedule, further(reach));
  return spans.map((span) => (span.end < end ? span : { ...span, end: Infinity }));
}

/** The start of the shift at an instant; in a gap, the end of the previous shift, or -Infinity if there was none. */
function beginning(instant: number, present: ShiftSpan | null, schedule: OnCallSchedule): number {
  const earliest = Math.min(...[...schedule.layers, ...schedule.overrides].map(({ startsAt }) => Date.parse(startsAt)));
  // In a gap, the search begins at the last end of a layer or override: after it nobody was on call.
  const latest =
    present === null
      ? Math.max(
          -Infinity,
          ...[...schedule.layers, ...schedule.overrides].map(({ endsAt }) =>
            endsAt === null ? Infinity : Date.parse(endsAt),
          ),
        )
      : Infinity;
  let end = Math.min(instant, Math.max(latest, earliest));
  for (let reach = shortReach; end > earliest; reach = further(reach)) {
    const start = end - reach;
    const last = spansWithin({ start, end }, schedule).at(-1);
    const began =
      present === null ? (last?.end ?? start) : last?.end === end && sameShift(last, present) ? last.start : end;
    if (began > start) return began;
    end = start;
  }
  return present === null ? -Infinity : end;
}

// Field by field: a year can have thousands of shifts, and a spread is several times slower.
const toShift = ({ userId, start, end, source, layerId, overrideId }: ShiftSpan): Shift => ({
  userId,
  startsAt: new Date(start).toISOString(),
  endsAt: textOf(end),
  source,
  layerId,
  overrideId,
});
const toGap = ({ start, end }: Span): Gap => ({ startsAt: textOf(start), endsAt: textOf(end) });
const textOf = (instant: number): string | null => (Number.isFinite(instant) ? new Date(instant).toISOString() : null);
