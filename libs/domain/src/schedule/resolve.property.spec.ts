/**
 * Properties of every result, for any schedule in any time zone. A simple implementation with Temporal that walks from
 * the start must give the same results.
 */
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  onCallAt,
  resolveShifts,
  validateSchedule,
  type Gap,
  type OnCallSchedule,
  type Restriction,
  type Rotation,
  type StoredLayer,
  type ScheduleOverride,
  type Shift,
} from '../index.js';

const minute = 60_000;
const day = 1440 * minute;
const text = (instant: number): string => new Date(instant).toISOString();

/** Time zones, each with an instant near a clock change (UTC has none). */
const places = fc.constantFrom(
  ['Europe/Berlin', '2025-03-30T01:00Z'],
  ['Europe/Berlin', '2025-10-26T01:00Z'],
  ['America/New_York', '2025-03-09T07:00Z'],
  ['America/New_York', '2025-11-02T06:00Z'],
  ['Australia/Lord_Howe', '2025-04-05T15:00Z'],
  ['Australia/Lord_Howe', '2025-10-04T15:30Z'],
  ['Africa/Casablanca', '2025-02-23T02:00Z'],
  ['Africa/Casablanca', '2025-04-06T02:00Z'],
  ['Antarctica/Troll', '2025-03-30T01:00Z'],
  ['Antarctica/Troll', '2025-10-26T01:00Z'],
  ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['UTC', '2025-01-31T00:00Z'],
);

const time = fc
  .tuple(fc.constantFrom(0, 1, 2, 3, 8, 12, 20, 23), fc.constantFrom(0, 15, 30, 45, 59))
  .map(([hours, minutes]) => `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`);
const user = fc.constantFrom('ann', 'bob', 'cleo');

const rotation: fc.Arbitrary<Rotation> = fc.oneof(
  fc.record({
    unit: fc.constant('hour' as const),
    interval: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(24, 36, 168)),
    handoffTime: time,
    handoffDay: fc.constant(null),
  }),
  fc.record({
    unit: fc.constant('day' as const),
    interval: fc.integer({ min: 1, max: 5 }),
    handoffTime: time,
    handoffDay: fc.constant(null),
  }),
  fc.record({
    unit: fc.constant('week' as const),
    interval: fc.integer({ min: 1, max: 3 }),
    handoffTime: time,
    handoffDay: fc.integer({ min: 1, max: 7 }),
  }),
  fc.record({
    unit: fc.constant('month' as const),
    interval: fc.integer({ min: 1, max: 2 }),
    handoffTime: time,
    handoffDay: fc.constantFrom(1, 6, 15, 28, 29, 30, 31),
  }),
);
const restriction: fc.Arbitrary<Restriction> = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  start: time,
  end: fc.oneof(time, fc.constant('24:00')),
});

/** An instant at most `days` from another, at a full minute or (`odd`) not. */
const near = (center: number, days: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: -days * 96, max: days * 96 }), fc.constantFrom(0, 0, 0, 1, 12_345))
    .map(([quarters, odd]) => center + quarters * 15 * minute + odd);

const layerNear = (center: number): fc.Arbitrary<Omit<StoredLayer, 'id'>> =>
  fc
    .record({
      members: fc.array(user, { maxLength: 4 }),
      rotation,
      start: fc.oneof(near(center - 15 * day, 20), near(center, 1)),
      length: fc.option(fc.integer({ min: 1, max: 40 * 1440 })),
      restrictions: fc.oneof(fc.constant<Restriction[]>([]), fc.array(restriction, { maxLength: 3 })),
    })
    .map(({ start, length, ...layer }) => ({
      ...layer,
      name: 'layer',
      startsAt: text(start),
      endsAt: length === null ? null : text(start + length * minute),
    }));

const overrideNear = (center: number): fc.Arbitrary<Omit<ScheduleOverride, 'id'>> =>
  fc
    .record({
      userId: user,
      start: near(center, 6),
      length: fc.integer({ min: 1, max: 4 * 1440 }),
      createdAt: fc.constantFrom('2024-01-01T00:00:00.000Z', '2024-01-01T01:00:00.5+01:00'),
    })
    .map(({ start, length, ...override }) => ({
      ...override,
      startsAt: text(start),
      endsAt: text(start + length * minute),
    }));

interface Case {
  schedule: OnCallSchedule;
  since: number;
  at: number;
  until: number;
}

/** A schedule and three instants around which it changes, in order. */
const cases: fc.Arbitrary<Case> = places.chain(([timezone, change]) => {
  const center = Date.parse(change!);
  return fc
    .record({
      layers: fc.array(layerNear(center), { maxLength: 3 }),
      overrides: fc.array(overrideNear(center), { maxLength: 4 }),
      instants: fc.tuple(near(center, 1), near(center, 5), near(center, 8)),
    })
    .map(({ layers, overrides, instants }) => {
      const [since, at, until] = instants.sort((a, b) => a - b);
      const schedule = {
        timezone: timezone!,
        layers: layers.map((layer, i) => ({ ...layer, id: `layer ${i}` })),
        overrides: overrides.map((override, i) => ({ ...override, id: `override ${i}` })),
      };
      return { schedule, since: since!, at: at!, until: until! + 1 };
    });
});

/** Shifts and gaps in one list. */
interface Piece {
  start: number;
  end: number;
  /** Empty for nobody. */
  who: string;
}

const nobody = '';
const whoOf = ({ userId, source, layerId, overrideId }: Shift): string =>
  `${userId} by ${source} ${layerId ?? overrideId}`;
const instantOf = (end: string | null): number => (end === null ? Infinity : Date.parse(end));
const shiftPiece = (shift: Shift): Piece => ({
  start: Date.parse(shift.startsAt),
  end: instantOf(shift.endsAt),
  who: whoOf(shift),
});
const gapPiece = ({ startsAt, endsAt }: Gap): Piece => ({
  start: startsAt === null ? -Infinity : Date.parse(startsAt),
  end: instantOf(endsAt),
  who: nobody,
});

function piecesOf(schedule: OnCallSchedule, since: number, until: number): Piece[] {
  const { shifts, gaps } = resolveShifts(schedule, text(since), text(until));
  return [...shifts.map(shiftPiece), ...gaps.map(gapPiece)].sort((a, b) => a.start - b.start);
}

function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last?.end === piece.start && last.who === piece.who) last.end = piece.end;
    else result.push({ ...piece });
  }
  return result;
}

/** Of a schedule in which one member at a time is on call. */
function singleAt(schedule: OnCallSchedule, at: number): { shift: Shift | null; gap: Gap | null; next: Shift | null } {
  const { shifts, gap, next } = onCallAt(schedule, text(at));
  expect(Math.max(shifts.length, next.length)).toBeLessThan(2);
  return { shift: shifts[0] ?? null, gap, next: next[0] ?? null };
}

/** The same result from the simple implementation. */
const reference = {
  toInstant: (wall: Temporal.PlainDateTime, zone: string): number =>
    wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds,

  /** Wall times of the hand-offs with an interval of one, from weeks before one instant until after another. */
  unitHandoffs(
    { unit, handoffTime, handoffDay }: Rotation,
    from: Temporal.PlainDate,
    to: Temporal.PlainDate,
  ): Temporal.PlainDateTime[] {
    const found: Temporal.PlainDateTime[] = [];
    for (let date = from; Temporal.PlainDate.compare(date, to) <= 0; date = date.add({ days: 1 })) {
      const wanted =
        unit === 'week'
          ? date.dayOfWeek === handoffDay
          : unit === 'month'
            ? date.day === Math.min(handoffDay!, date.daysInMonth)
            : true;
      if (wanted) found.push(date.toPlainDateTime(handoffTime));
    }
    return found;
  },

  /** Instants of the hand-offs of a layer; the first one starts the turn of the first member. */
  handoffs({ rotation, startsAt }: StoredLayer, zone: string, until: number): number[] {
    const start = Date.parse(startsAt);
    const date = (instant: number) =>
      Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate();
    const dates = reference.unitHandoffs(rotation, date(start - 40 * day), date(until + 70 * day));
    const instants = dates.map((wall) => reference.toInstant(wall, zone));
    const last = instants.findLastIndex((instant) => instant <= start);
    let walls = dates.filter((_, i) => i >= last && (i - last) % rotation.interval === 0);
    if (rotation.unit === 'hour') {
      const first = dates[instants[last] === start ? last : last + 1]!;
      walls = [];
      for (
        let hours = -Math.ceil(96 / rotation.interval) * rotation.interval;
        hours < (until - start + 10 * day) / 3_600_000;
        hours += rotation.interval
      )
        walls.push(first.add({ hours }));
    }
    const all = walls.map((wall) => reference.toInstant(wall, zone));
    return all.slice(all.findLastIndex((instant) => instant <= start));
  },

  windows({ restrictions }: StoredLayer, zone: string, since: number, until: number): { start: number; end: number }[] {
    const found: { start: number; end: number }[] = [];
    const last = Temporal.Instant.fromEpochMilliseconds(until + 3 * day)
      .toZonedDateTimeISO('UTC')
      .toPlainDate();
    let date = Temporal.Instant.fromEpochMilliseconds(since - 4 * day)
      .toZonedDateTimeISO('UTC')
      .toPlainDate();
    for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
      for (const { days, start, end } of restrictions) {
        if (!days.includes(date.dayOfWeek)) continue;
        const closes =
          end === '24:00'
            ? date.add({ days: 1 }).toPlainDateTime()
            : date.add({ days: end <= start ? 1 : 0 }).toPlainDateTime(end);
        found.push({
          start: reference.toInstant(date.toPlainDateTime(start), zone),
          end: reference.toInstant(closes, zone),
        });
      }
    }
    return found;
  },

  pieces({ timezone, layers, overrides }: OnCallSchedule, since: number, until: number): Piece[] {
    const known = layers.map((layer) => {
      const start = Date.parse(layer.startsAt);
      const end = instantOf(layer.endsAt);
      return {
        ...layer,
        start,
        end,
        handoffs: reference.handoffs(layer, timezone, Math.max(start, until)),
        windows: reference.windows(layer, timezone, since, until),
      };
    });
    const spans = overrides.map(({ id, userId, createdAt, ...span }) => ({
      id,
      userId,
      created: Date.parse(createdAt),
      start: Date.parse(span.startsAt),
      end: Date.parse(span.endsAt),
    }));
    const covers = (at: number) => (span: { start: number; end: number }) => span.start <= at && at < span.end;

    const whoAt = (at: number): string => {
      const [newest] = spans.filter(covers(at)).sort((a, b) => b.created - a.created || b.id.localeCompare(a.id));
      if (newest !== undefined) return `${newest.userId} by override ${newest.id}`;
      const layer = known.findLast(
        (candidate) =>
          candidate.members.length > 0 &&
          covers(at)(candidate) &&
          (candidate.restrictions.length === 0 || candidate.windows.some(covers(at))),
      );
      if (layer === undefined) return nobody;
      const turn = layer.handoffs.findLastIndex((instant) => instant <= at);
      return `${layer.members[turn % layer.members.length]} by layer ${layer.id}`;
    };

    const changes = [...known, ...spans, ...known.flatMap(({ windows }) => windows)].flatMap(({ start, end }) => [
      start,
      end,
    ]);
    const inside = [...changes, ...known.flatMap(({ handoffs }) => handoffs)].filter((at) => at > since && at < until);
    const bounds = [...new Set([since, ...inside, until])].sort((a, b) => a - b);
    return joined(bounds.slice(1).map((end, i) => ({ start: bounds[i]!, end, who: whoAt(bounds[i]!) })));
  },
};

const holds = (property: (value: Case) => void, numRuns: number): void =>
  fc.assert(fc.property(cases, property), { numRuns });

test('shifts and gaps are in order, do not overlap, and cover the range exactly', () => {
  holds(({ schedule, since, until }) => {
    expect(validateSchedule(schedule)).toEqual([]);
    const { shifts, gaps } = resolveShifts(schedule, text(since), text(until));
    for (const list of [shifts, gaps])
      expect(list).toEqual(list.toSorted((a, b) => (a.startsAt! < b.startsAt! ? -1 : 1)));
    const pieces = piecesOf(schedule, since, until);
    expect(pieces.map(({ start }) => start)).toEqual([since, ...pieces.slice(0, -1).map(({ end }) => end)]);
    expect(pieces.at(-1)!.end).toBe(until);
    for (const { start, end } of pieces) expect(start).toBeLessThan(end);
    expect(joined(pieces)).toEqual(pieces);
  }, 300);
});

test('a range in two parts gives the same result as the whole range', () => {
  holds(({ schedule, since, at, until }) => {
    expect(joined([...piecesOf(schedule, since, at), ...piecesOf(schedule, at, until)])).toEqual(
      piecesOf(schedule, since, until),
    );
  }, 300);
});

test('a query for an instant agrees with any range that contains it', () => {
  holds(({ schedule, since, at, until }) => {
    const { shift, gap, next } = singleAt(schedule, at);
    expect([shift, gap].filter((found) => found !== null)).toHaveLength(1);
    const present = shift === null ? gapPiece(gap!) : shiftPiece(shift);
    const pieces = piecesOf(schedule, since, until);
    const index = pieces.findIndex(({ start, end }) => start <= at && at < end);
    const cut = (piece: Piece): Piece => ({
      ...piece,
      start: Math.max(piece.start, since),
      end: Math.min(piece.end, until),
    });
    expect(cut(present)).toEqual(pieces[index]);
    const following = pieces.slice(index + 1).find(({ who }) => who !== nobody);
    expect(following).toEqual(next !== null && Date.parse(next.startsAt) < until ? cut(shiftPiece(next)) : undefined);
  }, 300);
});

test('start, end and next of an instant are correct within 400 days', () => {
  holds(({ schedule, at }) => {
    const horizon = at + 400 * day;
    const { shift, gap, next } = singleAt(schedule, at);
    const pieces = piecesOf(schedule, at - 400 * day, horizon);
    const index = pieces.findIndex(({ start, end }) => start <= at && at < end);
    const known = ({ start, end, who }: Piece): Piece => ({
      start: start === at - 400 * day ? -Infinity : start,
      end: end === horizon ? Infinity : end,
      who,
    });
    expect(shift === null ? gapPiece(gap!) : shiftPiece(shift)).toEqual(known(pieces[index]!));
    const following = pieces.slice(index + 1).find(({ who }) => who !== nobody);
    expect(next && shiftPiece(next)).toEqual(following === undefined ? null : known(following));
  }, 40);
});

test('an implementation that walks from the start with Temporal gives the same result', () => {
  holds(({ schedule, since, until }) => {
    expect(piecesOf(schedule, since, until)).toEqual(reference.pieces(schedule, since, until));
  }, 300);
});
