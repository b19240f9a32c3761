/** Properties of when windows are active, for any window in any time zone at any time. */
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  activeUntil,
  compileWindow,
  suppressingWindow,
  nextBoundary,
  nextOccurrence,
  occurrencesAt,
  severities,
  validateWindow,
  windowMatches,
  windowStatus,
  type ConditionFacts,
  type SuppressionWindow,
} from '../index.js';
import { parseRecurrenceRule } from '../time/recurrence-rule.js';
import { wallTimesOf } from '../time/recurrence.js';

const { constantFrom, integer } = fc;
const day = 86_400_000;
const instantOf = (time: number): string => new Date(time).toISOString();

// --- Windows --------------------------------------------------------------------------------------------------------

/** Their clock changes are one hour, half an hour, inverse to the seasons, once a whole day, and none. */
const timezone = constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Kolkata',
  'UTC',
);

const weekday = constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const some = <T>(values: fc.Arbitrary<T>, most = 3) =>
  fc.uniqueArray(values, { minLength: 1, maxLength: most }).map(String);
const signed = (most: number) => integer({ min: -most, max: most }).filter((number) => number !== 0);
const months = some(integer({ min: 1, max: 12 }));
const ordinalDays = fc.tuple(constantFrom('', '1', '2', '-1'), weekday).map((pieces) => pieces.join(''));
const daysOf: Record<string, Record<string, fc.Arbitrary<string>>> = {
  YEARLY: { BYMONTH: months, BYWEEKNO: some(signed(53)), BYYEARDAY: some(signed(366)), BYDAY: some(weekday) },
  MONTHLY: { BYMONTH: months, BYMONTHDAY: some(signed(31)), BYDAY: some(ordinalDays) },
  WEEKLY: { BYMONTH: months, BYDAY: some(weekday), WKST: weekday },
  DAILY: { BYMONTH: months, BYMONTHDAY: some(signed(31)), BYDAY: some(weekday) },
  HOURLY: { BYMONTH: months, BYYEARDAY: some(signed(366)), BYDAY: some(weekday) },
};
const daysAndFrequency = fc.oneof(
  ...Object.entries(daysOf).map(([FREQ, parts]) =>
    fc.record({ FREQ: fc.constant(FREQ), ...parts }, { requiredKeys: ['FREQ'] }),
  ),
);
/** Mostly at night, when clocks change. */
const hourOfDay = fc.oneof(integer({ min: 0, max: 3 }), integer({ min: 0, max: 23 }));
const times = fc.record(
  {
    INTERVAL: integer({ min: 1, max: 5 }).map(String),
    BYHOUR: some(hourOfDay),
    BYMINUTE: some(constantFrom(0, 15, 30, 45), 2),
    BYSETPOS: some(constantFrom(1, 2, -1)),
  },
  { requiredKeys: [] },
);
const end = fc.oneof(
  fc.constant({}),
  fc.record({ COUNT: integer({ min: 1, max: 50 }).map(String) }),
  fc.record({ UNTIL: constantFrom('20261025', '20261231T235959Z', '20270328T010000Z') }),
);
const rrule = fc.tuple(daysAndFrequency, times, end).map((parts) =>
  Object.entries(Object.assign({}, ...parts) as object)
    .map((part) => part.join('='))
    .join(';'),
);

/**
 * Quarters of hours, mostly near the clock changes in Berlin, New York and on Lord Howe Island, and the day that Apia
 * skipped.
 */
const changes = [
  '2026-03-29T01:00Z',
  '2026-10-25T01:00Z',
  '2026-03-08T07:00Z',
  '2026-11-01T06:00Z',
  '2026-10-03T15:30Z',
  '2011-12-30T10:00Z',
].map(Date.parse);
const instant = fc.oneof(
  fc
    .tuple(constantFrom(...changes), integer({ min: -300, max: 100 }))
    .map(([change, quarters]) => change + quarters * 900_000),
  integer({ min: Date.parse('2025-01-01') / 900_000, max: Date.parse('2028-01-01') / 900_000 }).map(
    (quarters) => quarters * 900_000,
  ),
);

const duration = fc.oneof(
  integer({ min: 1, max: 200 }).map((quarters) => quarters * 900),
  integer({ min: 60, max: 31 * 86_400 }),
);

const scope = {
  enabled: true,
  matchers: [],
  clientIds: [],
  integrationIds: [],
  exceptSeverities: [],
  matchAll: true,
  onEnd: 'resume',
} as const;
const recurring = fc
  .record({
    startsAt: instant,
    days: fc.option(integer({ min: 1, max: 600 })),
    timezone,
    rrule,
    durationSeconds: duration,
  })
  .map(({ startsAt, days, ...rest }) => ({
    ...rest,
    startsAt: instantOf(startsAt),
    endsAt: days === null ? null : instantOf(startsAt + days * day),
  }));
const notRecurring = { rrule: null, durationSeconds: null };
const once = fc
  .record({ startsAt: instant, timezone, minutes: integer({ min: 1, max: 100_000 }) })
  .map(({ startsAt, timezone, minutes }) => ({
    timezone,
    startsAt: instantOf(startsAt),
    endsAt: instantOf(startsAt + minutes * 60_000),
    ...notRecurring,
  }));
const anyWindow: fc.Arbitrary<SuppressionWindow> = fc
  .tuple(constantFrom('sup_1', 'sup_2'), fc.oneof({ weight: 5, arbitrary: recurring }, { weight: 1, arbitrary: once }))
  .map(([id, settings]) => ({
    id,
    ...scope,
    matchers: [],
    clientIds: [],
    integrationIds: [],
    exceptSeverities: [],
    ...settings,
  }));
const window = anyWindow.filter((made) => validateWindow(made).length === 0);

/** Interesting times: near the start, and at or next to a later boundary. */
const at = fc.record({
  from: instant,
  boundaries: integer({ min: 0, max: 5 }),
  offset: constantFrom(-1, 0, 1, 900_000),
});
type At = typeof at extends fc.Arbitrary<infer T> ? T : never;

function timeOf(window: SuppressionWindow, { from, boundaries, offset }: At): number {
  let time = from;
  for (let i = 0; i < boundaries; i++) time = Date.parse(nextBoundary(window, instantOf(time)) ?? instantOf(time));
  return time + offset;
}

// --- Times ----------------------------------------------------------------------------------------------------------

test('it is active during an occurrence, until the last one in progress ends', () => {
  fc.assert(
    fc.property(window, at, (made, when) => {
      const time = instantOf(timeOf(made, when));
      const present = occurrencesAt(made, time);
      expect(windowStatus(made, time) === 'active').toBe(present.length > 0);
      expect(activeUntil(made, time)).toBe(
        present
          .map(({ endsAt }) => endsAt)
          .sort()
          .at(-1) ?? null,
      );
      expect(windowStatus(made, time) === 'expired').toBe(present.length === 0 && nextOccurrence(made, time) === null);
    }),
  );
});

test('occurrences have the right start and duration, and no two begin at the same time', () => {
  fc.assert(
    fc.property(window, at, (made, when) => {
      const time = instantOf(timeOf(made, when));
      const next = nextOccurrence(made, time);
      const present = occurrencesAt(made, time);
      for (const { startsAt, endsAt } of present) expect(startsAt <= time && time < endsAt).toBe(true);
      expect(next === null || next.startsAt > time).toBe(true);

      const starts = [...present, ...(next ? [next] : [])].map(({ startsAt }) => startsAt);
      expect(starts).toEqual([...new Set(starts)].sort());
      for (const { startsAt, endsAt } of [...present, ...(next ? [next] : [])]) {
        expect(startsAt >= made.startsAt && (made.endsAt === null || startsAt < made.endsAt)).toBe(true);
        if (made.durationSeconds !== null)
          expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(made.durationSeconds * 1_000);
      }
    }),
  );
});

test('the next boundary is where the occurrences change next', () => {
  fc.assert(
    fc.property(
      window,
      at,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
      (made, when, fractions) => {
        const after = timeOf(made, when);
        const boundary = nextBoundary(made, instantOf(after));
        const present = occurrencesAt(made, instantOf(after));
        const last = boundary === null ? after + 1_000 * day : Date.parse(boundary) - 1;
        const between = fractions.map((fraction) => after + Math.floor(fraction * (last - after)));
        for (const time of [...between, last]) expect(occurrencesAt(made, instantOf(time))).toEqual(present);
        if (boundary !== null) expect(occurrencesAt(made, boundary)).not.toEqual(present);
      },
    ),
  );
});

test('cached results equal fresh ones, in any order of queries', () => {
  fc.assert(
    fc.property(
      window,
      fc.array(at, { minLength: 2, maxLength: 8 }),
      constantFrom('forwards', 'backwards', 'anyhow'),
      (made, whens, order) => {
        const instants = whens.map((when) => timeOf(made, when));
        if (order !== 'anyhow') instants.sort((a, b) => (order === 'forwards' ? a - b : b - a));
        const { activeUntil: remembered } = compileWindow(made);
        const anew = (time: number) => activeUntil({ ...made }, instantOf(time));
        expect(instants.map(remembered).map((until) => until && instantOf(until))).toEqual(instants.map(anew));
      },
    ),
  );
});

/** With Temporal, one wall time after another. */
function startsByTemporal({ startsAt, endsAt, timezone, rrule }: SuppressionWindow, count: number): string[] {
  const rule = parseRecurrenceRule(rrule!);
  if (rule.kind === 'fault') throw new Error(rule.message);
  const inZone = (wall: number) =>
    Temporal.PlainDateTime.from(instantOf(wall).slice(0, -1)).toZonedDateTime(timezone, {
      disambiguation: 'compatible',
    }).epochMilliseconds;
  const first = Date.parse(
    Temporal.Instant.from(startsAt).toZonedDateTimeISO(timezone).toPlainDateTime().toString() + 'Z',
  );
  const { UNTIL } = rule;
  const last = UNTIL === undefined ? Infinity : UNTIL.isUtc ? UNTIL.time : inZone(UNTIL.time);

  const starts = new Set<number>();
  for (const wall of wallTimesOf(rule, first)(-Infinity, Infinity)) {
    const start = inZone(wall);
    if (start >= Date.parse(startsAt) && start <= last && (endsAt === null || start < Date.parse(endsAt)))
      starts.add(start);
    // One day more than needed: when clocks skip a day, the order of starts can change.
    if (starts.size >= count && wall > [...starts][count - 1]! + 2 * day) break;
  }
  return [...starts]
    .sort((a, b) => a - b)
    .slice(0, count)
    .map(instantOf);
}

test('each start is the instant of its wall time in Temporal', () => {
  fc.assert(
    fc.property(
      window.filter(({ rrule }) => rrule !== null),
      (made) => {
        const starts: string[] = [];
        const first = instantOf(Date.parse(made.startsAt) - 1);
        let next = nextOccurrence(made, first);
        while (next !== null && starts.length < 8) {
          starts.push(next.startsAt);
          next = nextOccurrence(made, next.startsAt);
        }
        expect(starts).toEqual(startsByTemporal(made, 8));
      },
    ),
  );
});

// --- Settings -------------------------------------------------------------------------------------------------------

const odd = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  constantFrom(
    undefined,
    NaN,
    Infinity,
    'FREQ=DAILY',
    'FREQ=HOURLY;COUNT=10000',
    'UTC',
    '2026-01-01 00:00z',
    '9999-12-31T23:59:59.999Z',
    '1970-01-01t00:00:00-15:59',
  ),
);
const setting = constantFrom(
  'enabled',
  'matchers',
  'clientIds',
  'startsAt',
  'endsAt',
  'timezone',
  'rrule',
  'durationSeconds',
  'onEnd',
  'id',
  '__proto__',
);
const likeWindow = fc
  .tuple(anyWindow, fc.dictionary(setting, odd, { maxKeys: 3 }))
  .map(([made, changed]) => ({ ...made, ...changed }));
const matcher = fc.record({
  field: constantFrom('title', 'severity', 'labels.a', 'occurrenceCount', 'client.slug'),
  op: constantFrom('eq', 'in', 'matches', 'gt', 'exists'),
  value: fc.oneof(odd, constantFrom('high', 'x', 1, true)),
});
const withMatchers = fc
  .tuple(anyWindow, fc.array(matcher, { maxLength: 3 }))
  .map(([made, matchers]) => ({ ...made, matchers }));

const facts: fc.Arbitrary<ConditionFacts> = fc.record({
  alert: fc.option(
    fc.record({
      title: fc.string(),
      description: fc.constant(null),
      severity: constantFrom(...severities),
      status: constantFrom('firing', 'acknowledged'),
      source: fc.option(fc.string()),
      fingerprint: fc.string(),
      labels: fc.dictionary(constantFrom('a', '__proto__'), fc.string()),
      annotations: fc.constant({}),
      clientId: fc.option(fc.string()),
      integrationId: fc.string(),
      incidentId: fc.constant(null),
      assigneeId: fc.constant(null),
      occurrenceCount: fc.nat(),
    }),
  ),
  client: fc.constant(null),
  integration: fc.constant(null),
  incident: fc.constant(null),
  now: fc.constant('2026-01-01T00:00:00.000Z'),
});

test('validation never throws, and valid windows never throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), fc.anything(), likeWindow, withMatchers, window),
      facts,
      instant,
      (input, around, time) => {
        const faults = validateWindow(input);
        for (const fault of faults)
          expect(fault).toEqual({ path: expect.any(String), rule: expect.any(String), message: expect.any(String) });
        if (faults.length > 0) return;
        const made = input as SuppressionWindow;
        const text = instantOf(time);
        expect(windowStatus(made, text) === 'active').toBe(occurrencesAt(made, text).length > 0);
        expect(nextBoundary(made, text) === null).toBe(['expired', 'disabled'].includes(windowStatus(made, text)));
        expect(suppressingWindow([made], around, text) !== null).toBe(
          windowMatches(made, around) && activeUntil(made, text) !== null,
        );
      },
    ),
  );
});

test('the suppressing window is active and matches the alert, and no other such window ends later', () => {
  fc.assert(
    fc.property(fc.array(window, { maxLength: 5 }), facts, at, (windows, around, when) => {
      const time = instantOf(windows[0] === undefined ? when.from : timeOf(windows[0], when));
      const ends = windows
        .filter((made) => windowMatches(made, around))
        .map((made) => activeUntil(made, time))
        .filter((until) => until !== null);
      const suppressing = suppressingWindow(windows, around, time);
      expect(suppressing?.until).toBe(ends.sort().at(-1));
      if (suppressing) expect(activeUntil(suppressing.window, time)).toBe(suppressing.until);
    }),
  );
});
