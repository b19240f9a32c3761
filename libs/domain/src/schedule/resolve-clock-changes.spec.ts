import { Temporal } from 'temporal-polyfill';
import { onCallAt, resolveShifts, type Rotation } from '../index.js';
import {
  hourly,
  daily,
  weekly,
  monthly,
  layer,
  override,
  schedule,
  roster,
  localTime,
} from '../../testing/schedules.js';

describe('a first turn that begins at a clock change', () => {
  // Both instants with the wall time 02:30 in that night: 00:30Z and 01:30Z.
  test.each<[string, Rotation, string, string]>([
    ['before the hand-off', daily(2, '02:30'), '2025-10-26T02:15+02:00', '2025-10-27T02:30+01:00'],
    ['at the clock change: complete', daily(2, '02:30'), '2025-10-26T02:30+02:00', '2025-10-28T02:30+01:00'],
    [
      'after it, though clocks show an earlier time',
      daily(2, '02:30'),
      '2025-10-26T02:15+01:00',
      '2025-10-28T02:30+01:00',
    ],
    [
      'after it, though clocks show its time again',
      daily(2, '02:30'),
      '2025-10-26T02:30+01:00',
      '2025-10-28T02:30+01:00',
    ],
    ['by hour, after the hand-off', hourly(12, '02:30'), '2025-10-26T02:15+01:00', '2025-10-26T14:30+01:00'],
    [
      'where its time does not exist, before the hand-off',
      daily(2, '02:30'),
      '2025-03-30T03:15+02:00',
      '2025-03-31T02:30+02:00',
    ],
    [
      'where its time does not exist, at the hand-off: whole',
      daily(2, '02:30'),
      '2025-03-30T03:30+02:00',
      '2025-04-01T02:30+02:00',
    ],
  ])('%s', (_name, rotation, start, first) => {
    const { shifts } = resolveShifts(
      schedule([layer({ rotation, startsAt: start })], { timezone: 'Europe/Berlin' }),
      start,
      '2025-10-30T00:00Z',
    );
    expect([shifts[0]!.userId, localTime(shifts[0]!.endsAt!, 'Europe/Berlin')]).toEqual(['ann', first]);
  });
});

describe('hand-offs at clock changes', () => {
  test.each<[string, string, Rotation, string, string, string[]]>([
    [
      'a day of 23 hours',
      'Europe/Berlin',
      daily(1, '08:00'),
      '2025-03-29T08:00+01:00',
      '2025-03-31T08:00+02:00',
      ['2025-03-29T08:00+01:00 ann', '2025-03-30T08:00+02:00 bob'],
    ],
    [
      'a day of 25 hours',
      'Europe/Berlin',
      daily(1, '08:00'),
      '2025-10-25T08:00+02:00',
      '2025-10-27T08:00+01:00',
      ['2025-10-25T08:00+02:00 ann', '2025-10-26T08:00+01:00 bob'],
    ],
    [
      'a time that does not exist moves forward, for that day',
      'Europe/Berlin',
      daily(1, '02:30'),
      '2025-03-29T02:30+01:00',
      '2025-04-01T00:00+02:00',
      ['2025-03-29T02:30+01:00 ann', '2025-03-30T03:30+02:00 bob', '2025-03-31T02:30+02:00 cleo'],
    ],
    [
      'a time that exists twice is its first',
      'Europe/Berlin',
      daily(1, '02:30'),
      '2025-10-25T02:30+02:00',
      '2025-10-28T00:00+01:00',
      ['2025-10-25T02:30+02:00 ann', '2025-10-26T02:30+02:00 bob', '2025-10-27T02:30+01:00 cleo'],
    ],
    [
      'hours: two hand-offs come at once, and whose turn was first is passed over',
      'Europe/Berlin',
      hourly(1, '00:00'),
      '2025-03-30T00:00+01:00',
      '2025-03-30T05:00+02:00',
      [
        '2025-03-30T00:00+01:00 ann',
        '2025-03-30T01:00+01:00 bob',
        '2025-03-30T03:00+02:00 ann',
        '2025-03-30T04:00+02:00 bob',
      ],
    ],
    [
      'hours: the one that comes twice is one turn',
      'Europe/Berlin',
      hourly(1, '00:00'),
      '2025-10-26T00:00+02:00',
      '2025-10-26T05:00+01:00',
      [
        '2025-10-26T00:00+02:00 ann',
        '2025-10-26T01:00+02:00 bob',
        '2025-10-26T02:00+02:00 cleo',
        '2025-10-26T03:00+01:00 ann',
        '2025-10-26T04:00+01:00 bob',
      ],
    ],
    [
      '12 hours stay at 08:00 and 20:00',
      'Europe/Berlin',
      hourly(12, '08:00'),
      '2025-03-29T20:00+01:00',
      '2025-03-31T08:00+02:00',
      ['2025-03-29T20:00+01:00 ann', '2025-03-30T08:00+02:00 bob', '2025-03-30T20:00+02:00 cleo'],
    ],
    [
      'a week with a change',
      'America/New_York',
      weekly(1, 5, '17:00'),
      '2025-03-07T17:00-05:00',
      '2025-03-21T17:00-04:00',
      ['2025-03-07T17:00-05:00 ann', '2025-03-14T17:00-04:00 bob'],
    ],
    [
      'a week that is handed over in a time that does not exist',
      'America/New_York',
      weekly(1, 7, '02:15'),
      '2025-03-02T02:15-05:00',
      '2025-03-17T00:00-04:00',
      ['2025-03-02T02:15-05:00 ann', '2025-03-09T03:15-04:00 bob', '2025-03-16T02:15-04:00 cleo'],
    ],
    [
      'a week that is handed over in a time that exists twice',
      'America/New_York',
      weekly(1, 7, '01:15'),
      '2025-10-26T01:15-04:00',
      '2025-11-10T00:00-05:00',
      ['2025-10-26T01:15-04:00 ann', '2025-11-02T01:15-04:00 bob', '2025-11-09T01:15-05:00 cleo'],
    ],
    [
      '3 hours, of which one is skipped',
      'America/New_York',
      hourly(3, '00:00'),
      '2025-03-09T00:00-05:00',
      '2025-03-09T09:00-04:00',
      ['2025-03-09T00:00-05:00 ann', '2025-03-09T03:00-04:00 bob', '2025-03-09T06:00-04:00 cleo'],
    ],
    [
      '3 hours, of which one comes twice',
      'America/New_York',
      hourly(3, '00:00'),
      '2025-11-02T00:00-04:00',
      '2025-11-02T09:00-05:00',
      ['2025-11-02T00:00-04:00 ann', '2025-11-02T03:00-05:00 bob', '2025-11-02T06:00-05:00 cleo'],
    ],
    [
      'half an hour is skipped',
      'Australia/Lord_Howe',
      hourly(1, '00:15'),
      '2025-10-05T00:15+10:30',
      '2025-10-05T05:00+11:00',
      [
        '2025-10-05T00:15+10:30 ann',
        '2025-10-05T01:15+10:30 bob',
        '2025-10-05T02:45+11:00 cleo',
        '2025-10-05T03:15+11:00 ann',
        '2025-10-05T04:15+11:00 bob',
      ],
    ],
    [
      'half an hour comes twice',
      'Australia/Lord_Howe',
      hourly(1, '00:45'),
      '2025-04-06T00:45+11:00',
      '2025-04-06T04:00+10:30',
      [
        '2025-04-06T00:45+11:00 ann',
        '2025-04-06T01:45+11:00 bob',
        '2025-04-06T02:45+10:30 cleo',
        '2025-04-06T03:45+10:30 ann',
      ],
    ],
    [
      'Ramadan: clocks go back',
      'Africa/Casablanca',
      daily(1, '02:30'),
      '2025-02-22T02:30+01:00',
      '2025-02-25T00:00+00:00',
      ['2025-02-22T02:30+01:00 ann', '2025-02-23T02:30+01:00 bob', '2025-02-24T02:30+00:00 cleo'],
    ],
    [
      'after Ramadan: clocks go forward',
      'Africa/Casablanca',
      daily(1, '02:30'),
      '2025-04-05T02:30+00:00',
      '2025-04-08T00:00+01:00',
      ['2025-04-05T02:30+00:00 ann', '2025-04-06T03:30+01:00 bob', '2025-04-07T02:30+01:00 cleo'],
    ],
    [
      'two hours, and with them two turns, are skipped: the next one is again of ann',
      'Antarctica/Troll',
      hourly(1, '00:00'),
      '2025-03-30T00:00+00:00',
      '2025-03-30T06:00+02:00',
      ['2025-03-30T00:00+00:00 ann', '2025-03-30T04:00+02:00 bob', '2025-03-30T05:00+02:00 cleo'],
    ],
    [
      'a whole day is skipped',
      'Pacific/Apia',
      daily(1, '08:00'),
      '2011-12-28T08:00-10:00',
      '2012-01-02T00:00+14:00',
      [
        '2011-12-28T08:00-10:00 ann',
        '2011-12-29T08:00-10:00 bob',
        '2011-12-31T08:00+14:00 ann',
        '2012-01-01T08:00+14:00 bob',
      ],
    ],
  ])('%s (%s)', (_name, timezone, rotation, start, until, expected) => {
    expect(roster(schedule([layer({ rotation, startsAt: start })], { timezone }), start, until)).toEqual(expected);
  });
});

test.each([
  ['day', daily(1, '09:00')],
  ['week', weekly(1, 1, '09:00')],
  ['month', monthly(1, 31, '09:00')],
] as const)('turns by %s are correct after centuries', (unit, rotation) => {
  const timezone = 'Europe/Berlin';
  const start = Temporal.PlainDateTime.from('2024-01-01T09:00');
  const first = unit === 'month' ? Temporal.PlainDateTime.from('2023-12-31T09:00') : start;
  const resolved = schedule([layer({ rotation, startsAt: '2024-01-01T08:00Z' })], { timezone });
  for (const turns of [1, 100, 4_567, 7_000]) {
    const handoff = first
      .add(unit === 'day' ? { days: turns } : unit === 'week' ? { weeks: turns } : { months: turns })
      .toZonedDateTime(timezone)
      .toInstant();
    const [before, after] = [handoff.subtract({ minutes: 1 }), handoff].map(
      (at) => onCallAt(resolved, at.toString()).shifts[0]!.userId,
    );
    expect([before, after]).toEqual([turns - 1, turns].map((turn) => ['ann', 'bob', 'cleo'][turn % 3]));
  }
});

/**
 * Every 30 seconds from three hours before a clock change to three hours after it; the result must equal that of the
 * range.
 */
test.each([
  ['Europe/Berlin', '2025-03-30T01:00Z'],
  ['Europe/Berlin', '2025-10-26T01:00Z'],
  ['America/New_York', '2025-03-09T07:00Z'],
  ['America/New_York', '2025-11-02T06:00Z'],
  ['Australia/Lord_Howe', '2025-04-05T15:00Z'],
  ['Australia/Lord_Howe', '2025-10-04T15:30Z'],
  ['Africa/Casablanca', '2025-02-23T02:00Z'],
  ['Africa/Casablanca', '2025-04-06T02:00Z'],
])('instants every 30 seconds over a clock change (%s, %s)', (timezone, instant) => {
  const change = Date.parse(instant);
  const text = (seconds: number): string => new Date(change + seconds * 1000).toISOString();
  const [since, until] = [-3 * 3600, 3 * 3600];
  const hours = layer({
    id: 'hours',
    rotation: hourly(1, '00:30'),
    restrictions: [
      { days: [6, 7], start: '23:15', end: '02:20' },
      { days: [7], start: '02:40', end: '03:10' },
    ],
  });
  const overrides = [override({ startsAt: text(-600), endsAt: text(600) })];
  const resolved = schedule([layer({ rotation: daily(1, '02:30'), endsAt: text(2 * 3600 + 15) }), hours], {
    timezone,
    overrides,
  });
  const { shifts, gaps } = resolveShifts(resolved, text(since), text(until));

  for (let seconds = since; seconds < until; seconds += 30) {
    const at = text(seconds);
    const holds = (span: { startsAt: string | null; endsAt: string | null }) =>
      span.startsAt! <= at && at < span.endsAt!;
    const found = onCallAt(resolved, at);
    const cut = <Span extends { startsAt: string | null; endsAt: string | null }>(span: Span | null): Span[] =>
      span === null
        ? []
        : [
            {
              ...span,
              startsAt: span.startsAt! < text(since) ? text(since) : span.startsAt,
              endsAt: span.endsAt === null || span.endsAt > text(until) ? text(until) : span.endsAt,
            },
          ];
    expect({ shifts: cut(found.shifts[0] ?? null), gaps: cut(found.gap) }).toEqual({
      shifts: shifts.filter(holds),
      gaps: gaps.filter(holds),
    });
  }
  expect(shifts.length).toBeGreaterThan(5);
  expect(gaps).toHaveLength(1);
});
