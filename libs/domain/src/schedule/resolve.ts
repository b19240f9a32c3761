/**
 * Computes who is on call from the versions and overrides of a schedule. Pure. The schedule must be valid
 * (`validateSchedule`). Instants are RFC 3339 texts; results are in UTC with milliseconds. An unreadable instant or
 * time zone throws a RangeError.
 */
import { restrictedTo } from './restrictions.js';
import { turnsWithin } from './rotation.js';
import type { OnCallSchedule, ScheduleOverride, ScheduleSettings, StoredLayer } from './schedule.js';
import { byStart, filled, joined, overlaid, uncovered, within, type Span } from './spans.js';
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
  /** Everybody who is on call. All have the same times: those in which exactly these members are on call. */
  shifts: Shift[];
  gap: Gap | null;
  /** Everybody who is on call next; empty when that is nobody within 400 days. */
  next: Shift[];
}

/** A member on call, and the reason. */
type Holder = Omit<Shift, 'startsAt' | 'endsAt'>;

/** A time in which the same members are on call, at least one, for the same reasons. */
interface Piece extends Span {
  holders: readonly Holder[];
}

/**
 * The shifts and gaps from `since` to `until`, cut at both ends, in order. Consecutive turns of one member in one layer
 * are one shift. Shifts overlap when several members are on call at the same time. Planned gaps are left out.
 */
export function resolveShifts(
  schedule: OnCallSchedule,
  since: string,
  until: string,
): { shifts: Shift[]; gaps: Gap[] } {
  const range = { start: Date.parse(since), end: Date.parse(until) };
  const pieces = piecesWithin(range, schedule);
  const gaps = within(uncovered(pieces, range), uncovered(plannedWithin(range, schedule), range));
  return { shifts: shiftsOf(pieces), gaps: gaps.map(toGap) };
}

/**
 * The members on call or the gap at an instant, with the true start and end, and who is next. An end at least 400 days
 * in the future is null.
 */
export function onCallAt(schedule: OnCallSchedule, at: string): OnCall {
  const instant = Date.parse(at);
  const pieces = piecesFrom(instant, schedule);
  const present = pieces[0]?.start === instant ? pieces[0] : null;
  const start = beginning(instant, present, schedule);
  const next = (present === null ? pieces[0] : pieces[1]) ?? null;
  if (present === null) {
    return { shifts: [], gap: toGap({ start, end: next?.start ?? Infinity }), next: eachOf(next) };
  }
  return { shifts: eachOf({ ...present, start }), gap: null, next: eachOf(next) };
}

/** Whether an instant is in a planned gap, where nobody needs to be on call. */
export function isPlannedGapAt(schedule: OnCallSchedule, at: string): boolean {
  const start = Date.parse(at);
  return plannedWithin({ start, end: start + 1 }, schedule).length > 0;
}

// --- Versions -------------------------------------------------------------------------------------------------------

interface VersionSpan extends Span {
  settings: ScheduleSettings;
}

/** The versions in the order of their times; the first has no start, and the last has no end. */
function versionSpans(schedule: OnCallSchedule): VersionSpan[] {
  const later = schedule.laterVersions ?? [];
  const starts = [-Infinity, ...later.map(({ effectiveFrom }) => Date.parse(effectiveFrom))];
  return [schedule, ...later].map((settings, i) => ({ start: starts[i]!, end: starts[i + 1] ?? Infinity, settings }));
}

const versionsWithin = (range: Span, schedule: OnCallSchedule): VersionSpan[] =>
  within(versionSpans(schedule), [range]).filter(({ start, end }) => start < end);

function piecesWithin(range: Span, schedule: OnCallSchedule): Piece[] {
  if (range.start >= range.end) return [];
  const clocks = clocksFor(range);
  const ofLayers = versionsWithin(range, schedule).flatMap((version) =>
    piecesOfLayers(version, version.settings, clocks),
  );
  const pieces = schedule.overrides
    .toSorted(oldestFirst)
    .reduce((under, override) => overridden(under, override, range), ofLayers);
  return joined(pieces, sameHolders);
}

function plannedWithin(range: Span, schedule: OnCallSchedule): Span[] {
  const clocks = clocksFor(range);
  return versionsWithin(range, schedule).flatMap(({ start, end, settings: { plannedGaps = [], timezone } }) =>
    plannedGaps.length === 0
      ? []
      : within(restrictedTo(plannedGaps, { start, end }, clocks(timezone)), [{ start, end }]),
  );
}

type Clocks = (timezone: string) => WallClock;

/** The clocks of a range, each made once. */
function clocksFor(range: Span): Clocks {
  const known = new Map<string, WallClock>();
  return (timezone) => {
    const clock = known.get(timezone) ?? wallClock(timezone, range.start, range.end);
    known.set(timezone, clock);
    return clock;
  };
}

// --- Layers and overrides -------------------------------------------------------------------------------------------

function piecesOfLayers(range: Span, { timezone, layerMode, layers }: ScheduleSettings, clocks: Clocks): Piece[] {
  const byLayer = layers.map((layer) => piecesOfLayer(range, layer, layer.timezone ?? timezone, clocks));
  return layerMode === 'all'
    ? byLayer.reduce((some, more) => overlaid(some, more, range, together), [])
    : byLayer.reduce((under, over) => filled(over, under, range), []);
}

const together = (a: Piece, b: Piece): Piece => ({ ...a, holders: [...a.holders, ...b.holders] });

function piecesOfLayer(range: Span, layer: StoredLayer, timezone: string, clocks: Clocks): Piece[] {
  const clock = clocks(timezone);
  const turns = turnsWithin(range, layer, timezone, clock);
  const counted =
    turns.length === 0 || layer.restrictions.length === 0
      ? turns
      : within(turns, restrictedTo(layer.restrictions, range, clock));
  return counted.map(({ start, end, members }) => ({
    start,
    end,
    holders: members.map((userId) => ({ userId, source: 'layer', layerId: layer.id, overrideId: null })),
  }));
}

const oldestFirst = (a: ScheduleOverride, b: ScheduleOverride): number =>
  Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.id < b.id ? -1 : 1);

function overridden(pieces: Piece[], override: ScheduleOverride, range: Span): Piece[] {
  const { id, userId, replacesUserId, startsAt, endsAt } = override;
  const holder: Holder = { userId, source: 'override', layerId: null, overrideId: id };
  const span = { start: Date.parse(startsAt), end: Date.parse(endsAt), holders: [holder] };
  const spans = within([span], [range]);
  if (spans.length === 0) return pieces;
  if (replacesUserId === undefined || replacesUserId === null) return filled(spans, pieces, range);
  const replaced = within(pieces, spans).map((piece) => ({
    ...piece,
    holders: distinct(piece.holders.map((one) => (one.userId === replacesUserId ? holder : one))),
  }));
  return [...within(pieces, uncovered(spans, range)), ...replaced].sort(byStart);
}

const distinct = (holders: Holder[]): Holder[] =>
  holders.filter((holder, i) => holders.findIndex((other) => sameHolder(other, holder)) === i);

const sameHolder = (a: Holder, b: Holder): boolean =>
  a.userId === b.userId && a.layerId === b.layerId && a.overrideId === b.overrideId;

const sameHolders = (a: Piece, b: Piece): boolean =>
  a.holders.length === b.holders.length && a.holders.every((holder, i) => sameHolder(holder, b.holders[i]!));

// --- The time around an instant -------------------------------------------------------------------------------------

/** The first search range: most shifts are short. */
const shortReach = 2 * day;
const longestReach = 400 * day;
const further = (reach: number): number => Math.min(10 * reach, longestReach);

/**
 * The pieces that contain an instant or begin after it: at least two with their true ends, or all that begin within 400
 * days.
 */
function piecesFrom(start: number, schedule: OnCallSchedule, reach = shortReach): Piece[] {
  const end = start + reach;
  const pieces = piecesWithin({ start, end }, schedule);
  const whole = pieces.filter((piece) => piece.end < end);
  if (whole.length < 2 && reach < longestReach) return piecesFrom(start, schedule, further(reach));
  return pieces.map((piece) => (piece.end < end ? piece : { ...piece, end: Infinity }));
}

/** The start of the piece at an instant; in a gap, the end of the previous piece, or -Infinity if there was none. */
function beginning(instant: number, present: Piece | null, schedule: OnCallSchedule): number {
  const known = timesWithSomebody(schedule);
  const earliest = Math.min(...known.map(({ start }) => start));
  // In a gap, the search begins at the last end of a layer or override: after it nobody was on call.
  const latest = present === null ? Math.max(-Infinity, ...known.map(({ end }) => end)) : Infinity;
  let end = Math.min(instant, Math.max(latest, earliest));
  for (let reach = shortReach; end > earliest; reach = further(reach)) {
    const start = end - reach;
    const last = piecesWithin({ start, end }, schedule).at(-1);
    const began =
      present === null ? (last?.end ?? start) : last?.end === end && sameHolders(last, present) ? last.start : end;
    if (began > start) return began;
    end = start;
  }
  return present === null ? -Infinity : end;
}

/** The times of layers, each while its version counts, and of overrides. */
const timesWithSomebody = (schedule: OnCallSchedule): Span[] => [
  ...versionSpans(schedule).flatMap(({ start, end, settings }) =>
    settings.layers
      .map((layer) => ({
        start: Math.max(start, Date.parse(layer.startsAt)),
        end: Math.min(end, layer.endsAt === null ? Infinity : Date.parse(layer.endsAt)),
      }))
      .filter((span) => span.start < span.end),
  ),
  ...schedule.overrides.map(({ startsAt, endsAt }) => ({ start: Date.parse(startsAt), end: Date.parse(endsAt) })),
];

// --- Results --------------------------------------------------------------------------------------------------------

/** Of each member the time in consecutive pieces, in the order of their starts. */
function shiftsOf(pieces: readonly Piece[]): Shift[] {
  const shifts: (Span & Holder)[] = [];
  let before: (Span & Holder)[] = [];
  for (const { start, end, holders } of pieces) {
    before = holders.map((holder) => {
      const going = before.find((shift) => shift.end === start && sameHolder(shift, holder));
      if (going !== undefined) {
        going.end = end;
        return going;
      }
      const shift = { ...holder, start, end };
      shifts.push(shift);
      return shift;
    });
  }
  return shifts.map(toShift);
}

const eachOf = (piece: Piece | null): Shift[] =>
  piece === null ? [] : piece.holders.map((holder) => toShift({ ...holder, start: piece.start, end: piece.end }));

// Field by field: a year can have thousands of shifts, and a spread is several times slower.
const toShift = ({ userId, start, end, source, layerId, overrideId }: Span & Holder): Shift => ({
  userId,
  startsAt: new Date(start).toISOString(),
  endsAt: textOf(end),
  source,
  layerId,
  overrideId,
});
const toGap = ({ start, end }: Span): Gap => ({ startsAt: textOf(start), endsAt: textOf(end) });
const textOf = (instant: number): string | null => (Number.isFinite(instant) ? new Date(instant).toISOString() : null);
