import { Temporal } from 'temporal-polyfill';
import {
  onCallAt,
  resolveShifts,
  type OnCallSchedule,
  type Rotation,
  type ScheduleLayer,
  type ScheduleOverride,
} from '../index.js';

const hourly = (interval: number, handoffTime: string): Rotation => ({
  unit: 'hour',
  interval,
  handoffTime,
  handoffDay: null,
});
const daily = (interval: number, handoffTime: string): Rotation => ({
  unit: 'day',
  interval,
  handoffTime,
  handoffDay: null,
});
const weekly = (interval: number, handoffDay: number, handoffTime: string): Rotation => ({
  unit: 'week',
  interval,
  handoffTime,
  handoffDay,
});
const monthly = (interval: number, handoffDay: number, handoffTime: string): Rotation => ({
  unit: 'month',
  interval,
  handoffTime,
  handoffDay,
});

const layer = (values: Partial<ScheduleLayer> = {}): ScheduleLayer => ({
  id: 'layer',
  name: 'Layer',
  members: ['ann', 'bob', 'cleo'],
  rotation: daily(1, '08:00'),
  startsAt: '2025-01-01T00:00Z',
  endsAt: null,
  restrictions: [],
  ...values,
});
const override = (values: Partial<ScheduleOverride>): ScheduleOverride => ({
  id: 'override',
  userId: 'zoe',
  startsAt: '2025-06-02T10:00Z',
  endsAt: '2025-06-02T12:00Z',
  createdAt: '2025-06-01T00:00Z',
  ...values,
});
const schedule = (
  layers: ScheduleLayer[],
  { timezone = 'UTC', overrides = [] }: Partial<OnCallSchedule> = {},
): OnCallSchedule => ({ timezone, layers, overrides });

/** The shifts and gaps in a range, each at its start in the schedule's time zone. */
function roster(resolved: OnCallSchedule, since: string, until: string): string[] {
  const { shifts, gaps } = resolveShifts(resolved, since, until);
  return [
    ...shifts.map(({ startsAt, userId }) => ({ startsAt, userId })),
    ...gaps.map(({ startsAt }) => ({ startsAt: startsAt!, userId: 'nobody' })),
  ]
    .sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1))
    .map(({ startsAt, userId }) => `${localTime(startsAt, resolved.timezone)} ${userId}`);
}

const localTime = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toString({ smallestUnit: 'minute', timeZoneName: 'never' });

describe('the first turn', () => {
  // 2025-06-02 is a Monday.
  test.each<[string, Rotation, string, string, string]>([
    [
      '12 hours, from a hand-off: whole',
      hourly(12, '08:00'),
      '2025-06-02T08:00',
      '2025-06-02T20:00',
      '2025-06-03T08:00',
    ],
    [
      '12 hours, from the other hand-off: whole',
      hourly(12, '08:00'),
      '2025-06-02T20:00',
      '2025-06-03T08:00',
      '2025-06-03T20:00',
    ],
    ['12 hours, after a hand-off', hourly(12, '08:00'), '2025-06-02T09:00', '2025-06-02T20:00', '2025-06-03T08:00'],
    ['12 hours, before a hand-off', hourly(12, '08:00'), '2025-06-02T07:59', '2025-06-02T08:00', '2025-06-02T20:00'],
    [
      '10 hours are counted from the next hand-off time',
      hourly(10, '08:00'),
      '2025-06-02T06:00',
      '2025-06-02T08:00',
      '2025-06-02T18:00',
    ],
    [
      '10 hours, and backwards from there',
      hourly(10, '08:00'),
      '2025-06-02T09:00',
      '2025-06-02T12:00',
      '2025-06-02T22:00',
    ],
    [
      '36 hours, from a hand-off: whole',
      hourly(36, '08:00'),
      '2025-06-02T08:00',
      '2025-06-03T20:00',
      '2025-06-05T08:00',
    ],
    ['36 hours, after a hand-off', hourly(36, '08:00'), '2025-06-02T09:00', '2025-06-03T08:00', '2025-06-04T20:00'],
    ['a day, from a hand-off: complete', daily(1, '08:00'), '2025-06-02T08:00', '2025-06-03T08:00', '2025-06-04T08:00'],
    ['a day, after a hand-off', daily(1, '08:00'), '2025-06-02T08:01', '2025-06-03T08:00', '2025-06-04T08:00'],
    ['a day, before a hand-off', daily(1, '08:00'), '2025-06-02T07:59', '2025-06-02T08:00', '2025-06-03T08:00'],
    [
      '3 days, from a hand-off: complete',
      daily(3, '08:00'),
      '2025-06-02T08:00',
      '2025-06-05T08:00',
      '2025-06-08T08:00',
    ],
    ['3 days, after a hand-off', daily(3, '08:00'), '2025-06-02T09:00', '2025-06-05T08:00', '2025-06-08T08:00'],
    ['3 days, before a hand-off', daily(3, '08:00'), '2025-06-02T07:00', '2025-06-04T08:00', '2025-06-07T08:00'],
    [
      'a week, from a hand-off: whole',
      weekly(1, 1, '09:00'),
      '2025-06-02T09:00',
      '2025-06-09T09:00',
      '2025-06-16T09:00',
    ],
    ['a week, on another day', weekly(1, 1, '09:00'), '2025-06-04T12:00', '2025-06-09T09:00', '2025-06-16T09:00'],
    [
      'a week, handed over on Sunday',
      weekly(1, 7, '00:00'),
      '2025-06-02T09:00',
      '2025-06-08T00:00',
      '2025-06-15T00:00',
    ],
    [
      '2 weeks, from a hand-off: whole',
      weekly(2, 1, '09:00'),
      '2025-06-02T09:00',
      '2025-06-16T09:00',
      '2025-06-30T09:00',
    ],
    ['2 weeks, on another day', weekly(2, 1, '09:00'), '2025-06-04T12:00', '2025-06-16T09:00', '2025-06-30T09:00'],
    [
      'a month, from a hand-off: whole',
      monthly(1, 15, '09:00'),
      '2025-06-15T09:00',
      '2025-07-15T09:00',
      '2025-08-15T09:00',
    ],
    ['3 months, on another day', monthly(3, 1, '09:00'), '2025-01-15T12:00', '2025-04-01T09:00', '2025-07-01T09:00'],
    [
      'a month to its 31st, or its last',
      monthly(1, 31, '09:00'),
      '2025-01-31T09:00',
      '2025-02-28T09:00',
      '2025-03-31T09:00',
    ],
    [
      'a month to its 31st, in a leap year',
      monthly(1, 31, '09:00'),
      '2024-02-01T00:00',
      '2024-02-29T09:00',
      '2024-03-31T09:00',
    ],
    [
      'a month to its 30th: February does not change it',
      monthly(1, 30, '09:00'),
      '2025-02-10T00:00',
      '2025-02-28T09:00',
      '2025-03-30T09:00',
    ],
    [
      'a month to its 31st, over the turn of a year',
      monthly(2, 31, '23:59'),
      '2025-10-31T23:59',
      '2025-12-31T23:59',
      '2026-02-28T23:59',
    ],
  ])('%s', (_name, rotation, start, first, second) => {
    const resolved = schedule([layer({ rotation, startsAt: `${start}Z` })]);
    expect(roster(resolved, `${start}Z`, `${second}:30Z`)).toEqual([
      `${start}+00:00 ann`,
      `${first}+00:00 bob`,
      `${second}+00:00 cleo`,
    ]);
  });
});

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
      (at) => onCallAt(resolved, at.toString()).shift!.userId,
    );
    expect([before, after]).toEqual([turns - 1, turns].map((turn) => ['ann', 'bob', 'cleo'][turn % 3]));
  }
});

describe('layers', () => {
  test('nobody is on call before a layer starts and after it ends, for any rotation', () => {
    const resolved = schedule([layer({ startsAt: '2025-06-02T12:00:00.001Z', endsAt: '2025-06-03T12:00Z' })]);
    expect(resolveShifts(resolved, '2025-06-02T00:00Z', '2025-06-04T00:00Z')).toEqual({
      shifts: [
        {
          userId: 'ann',
          startsAt: '2025-06-02T12:00:00.001Z',
          endsAt: '2025-06-03T08:00:00.000Z',
          source: 'layer',
          layerId: 'layer',
          overrideId: null,
        },
        {
          userId: 'bob',
          startsAt: '2025-06-03T08:00:00.000Z',
          endsAt: '2025-06-03T12:00:00.000Z',
          source: 'layer',
          layerId: 'layer',
          overrideId: null,
        },
      ],
      gaps: [
        { startsAt: '2025-06-02T00:00:00.000Z', endsAt: '2025-06-02T12:00:00.001Z' },
        { startsAt: '2025-06-03T12:00:00.000Z', endsAt: '2025-06-04T00:00:00.000Z' },
      ],
    });
  });

  test('a layer without members has nobody, and a schedule without layers has nobody', () => {
    const gaps = [{ startsAt: '2025-06-02T00:00:00.000Z', endsAt: '2025-06-03T00:00:00.000Z' }];
    for (const layers of [[], [layer({ members: [] })]])
      expect(resolveShifts(schedule(layers), '2025-06-02T00:00Z', '2025-06-03T00:00Z')).toEqual({ shifts: [], gaps });
  });

  test('consecutive turns of one member are one shift', () => {
    const members = ['ann', 'ann', 'bob'];
    expect(
      roster(schedule([layer({ members, startsAt: '2025-06-02T08:00Z' })]), '2025-06-02T08:00Z', '2025-06-08T08:00Z'),
    ).toEqual([
      '2025-06-02T08:00+00:00 ann',
      '2025-06-04T08:00+00:00 bob',
      '2025-06-05T08:00+00:00 ann',
      '2025-06-07T08:00+00:00 bob',
    ]);
  });

  test('the last layer with a member on call counts', () => {
    const first = layer({ id: 'first', members: ['ann'] });
    const second = layer({
      id: 'second',
      members: ['bob'],
      restrictions: [{ days: [1], start: '09:00', end: '17:00' }],
    });
    const third = layer({ id: 'third', members: ['cleo'], startsAt: '2025-06-02T12:00Z', endsAt: '2025-06-02T13:00Z' });
    const empty = layer({ id: 'empty', members: [] });
    expect(roster(schedule([first, second, third, empty]), '2025-06-02T00:00Z', '2025-06-03T00:00Z')).toEqual([
      '2025-06-02T00:00+00:00 ann',
      '2025-06-02T09:00+00:00 bob',
      '2025-06-02T12:00+00:00 cleo',
      '2025-06-02T13:00+00:00 bob',
      '2025-06-02T17:00+00:00 ann',
    ]);
    expect(roster(schedule([third, second, first]), '2025-06-02T00:00Z', '2025-06-03T00:00Z')).toEqual([
      '2025-06-02T00:00+00:00 ann',
    ]);
  });

  test('the same member in another layer has another shift', () => {
    const night = layer({ id: 'night', members: ['ann'], restrictions: [{ days: [1], start: '20:00', end: '24:00' }] });
    const { shifts } = resolveShifts(
      schedule([layer({ members: ['ann'] }), night]),
      '2025-06-02T00:00Z',
      '2025-06-03T12:00Z',
    );
    expect(shifts.map(({ userId, layerId }) => `${userId} ${layerId}`)).toEqual([
      'ann layer',
      'ann night',
      'ann layer',
    ]);
  });

  test('an empty range has neither shifts nor gaps', () => {
    const resolved = schedule([layer()], { overrides: [override({})] });
    for (const until of ['2025-06-02T11:00Z', '2025-06-02T10:30Z', '2025-01-01T00:00Z'])
      expect(resolveShifts(resolved, '2025-06-02T11:00Z', until)).toEqual({ shifts: [], gaps: [] });
  });
});

describe('restrictions', () => {
  const allDays = [1, 2, 3, 4, 5, 6, 7];

  test.each<[string, string, ScheduleLayer['restrictions'], string, string, string[]]>([
    [
      'one day of the week',
      'UTC',
      [{ days: [3], start: '09:00', end: '17:00' }],
      '2025-06-02T00:00Z',
      '2025-06-09T00:00Z',
      ['2025-06-02T00:00+00:00 nobody', '2025-06-04T09:00+00:00 ann', '2025-06-04T17:00+00:00 nobody'],
    ],
    [
      'across midnight, from Friday to Saturday',
      'UTC',
      [{ days: [5], start: '22:00', end: '06:00' }],
      '2025-06-05T00:00Z',
      '2025-06-08T00:00Z',
      ['2025-06-05T00:00+00:00 nobody', '2025-06-06T22:00+00:00 ann', '2025-06-07T06:00+00:00 nobody'],
    ],
    [
      'a range that begins in one that began the day before',
      'UTC',
      [{ days: [5], start: '22:00', end: '06:00' }],
      '2025-06-07T03:00Z',
      '2025-06-08T00:00Z',
      ['2025-06-07T03:00+00:00 ann', '2025-06-07T06:00+00:00 nobody'],
    ],
    [
      'an end that is the start is a day later',
      'UTC',
      [{ days: [7], start: '12:00', end: '12:00' }],
      '2025-06-08T00:00Z',
      '2025-06-10T00:00Z',
      ['2025-06-08T00:00+00:00 nobody', '2025-06-08T12:00+00:00 ann', '2025-06-09T12:00+00:00 nobody'],
    ],
    [
      '24:00 is the end of the day',
      'UTC',
      [{ days: [1], start: '00:00', end: '24:00' }],
      '2025-06-01T12:00Z',
      '2025-06-03T12:00Z',
      ['2025-06-01T12:00+00:00 nobody', '2025-06-02T00:00+00:00 ann', '2025-06-03T00:00+00:00 nobody'],
    ],
    [
      'all days are always',
      'UTC',
      [{ days: allDays, start: '00:00', end: '24:00' }],
      '2025-06-02T00:00Z',
      '2025-06-09T00:00Z',
      ['2025-06-02T00:00+00:00 ann'],
    ],
    [
      'several that overlap',
      'UTC',
      [
        { days: [1], start: '10:00', end: '14:00' },
        { days: [1], start: '08:00', end: '12:00' },
        { days: [1], start: '14:00', end: '15:00' },
      ],
      '2025-06-02T00:00Z',
      '2025-06-03T00:00Z',
      ['2025-06-02T00:00+00:00 nobody', '2025-06-02T08:00+00:00 ann', '2025-06-02T15:00+00:00 nobody'],
    ],
    [
      'a night of 7 hours',
      'Europe/Berlin',
      [{ days: [6], start: '22:00', end: '06:00' }],
      '2025-03-29T12:00+01:00',
      '2025-03-30T12:00+02:00',
      ['2025-03-29T12:00+01:00 nobody', '2025-03-29T22:00+01:00 ann', '2025-03-30T06:00+02:00 nobody'],
    ],
    [
      'an end that does not exist moves forward',
      'Europe/Berlin',
      [{ days: [7], start: '01:00', end: '02:30' }],
      '2025-03-30T00:00+01:00',
      '2025-03-30T12:00+02:00',
      ['2025-03-30T00:00+01:00 nobody', '2025-03-30T01:00+01:00 ann', '2025-03-30T03:30+02:00 nobody'],
    ],
    [
      'all of it does not exist, and moves forward',
      'Europe/Berlin',
      [{ days: [7], start: '02:00', end: '02:45' }],
      '2025-03-30T00:00+01:00',
      '2025-03-30T12:00+02:00',
      ['2025-03-30T00:00+01:00 nobody', '2025-03-30T03:00+02:00 ann', '2025-03-30T03:45+02:00 nobody'],
    ],
    [
      'only its end exists: clocks skip all of it',
      'Europe/Berlin',
      [{ days: [7], start: '02:30', end: '03:00' }],
      '2025-03-30T00:00+01:00',
      '2025-03-30T12:00+02:00',
      ['2025-03-30T00:00+01:00 nobody'],
    ],
    [
      'ends that exist twice are their first',
      'Europe/Berlin',
      [{ days: [7], start: '02:15', end: '02:45' }],
      '2025-10-26T00:00+02:00',
      '2025-10-26T12:00+01:00',
      ['2025-10-26T00:00+02:00 nobody', '2025-10-26T02:15+02:00 ann', '2025-10-26T02:45+02:00 nobody'],
    ],
    [
      'an hour that comes twice counts twice',
      'America/New_York',
      [{ days: [7], start: '00:30', end: '02:00' }],
      '2025-11-02T00:00-04:00',
      '2025-11-02T12:00-05:00',
      ['2025-11-02T00:00-04:00 nobody', '2025-11-02T00:30-04:00 ann', '2025-11-02T02:00-05:00 nobody'],
    ],
    [
      'half an hour is skipped',
      'Australia/Lord_Howe',
      [{ days: [7], start: '02:15', end: '04:00' }],
      '2025-10-05T00:00+10:30',
      '2025-10-05T12:00+11:00',
      ['2025-10-05T00:00+10:30 nobody', '2025-10-05T02:45+11:00 ann', '2025-10-05T04:00+11:00 nobody'],
    ],
    [
      'clocks go back for Ramadan',
      'Africa/Casablanca',
      [{ days: [6], start: '20:00', end: '02:30' }],
      '2025-02-22T12:00+01:00',
      '2025-02-23T12:00+00:00',
      ['2025-02-22T12:00+01:00 nobody', '2025-02-22T20:00+01:00 ann', '2025-02-23T02:30+01:00 nobody'],
    ],
  ])('%s (%s)', (_name, timezone, restrictions, since, until, expected) => {
    expect(roster(schedule([layer({ members: ['ann'], restrictions })], { timezone }), since, until)).toEqual(expected);
  });

  test.each([
    ['Europe/Berlin', '2025-03-29T00:00+01:00', '2025-04-01T00:00+02:00'],
    ['Europe/Berlin', '2025-10-25T00:00+02:00', '2025-10-28T00:00+01:00'],
    ['Antarctica/Troll', '2025-03-29T00:00+00:00', '2025-04-01T00:00+02:00'],
  ])(
    'where one layer ends and another begins there is neither a gap nor an overlap (%s, %s)',
    (timezone, since, until) => {
      const night = layer({
        id: 'night',
        members: ['ann'],
        restrictions: [{ days: allDays, start: '14:30', end: '02:30' }],
      });
      const morning = layer({
        id: 'morning',
        members: ['bob'],
        restrictions: [{ days: allDays, start: '02:30', end: '14:30' }],
      });
      const resolved = roster(schedule([night, morning], { timezone }), since, until);
      expect(roster(schedule([morning, night], { timezone }), since, until)).toEqual(resolved);
      expect(resolved).toHaveLength(7);
      expect(resolved.join()).not.toContain('nobody');
    },
  );

  test('the rotation continues outside the restrictions', () => {
    const resolved = schedule([
      layer({ startsAt: '2025-06-02T08:00Z', restrictions: [{ days: [1, 4, 5], start: '09:00', end: '10:00' }] }),
    ]);
    expect(
      roster(resolved, '2025-06-02T08:00Z', '2025-06-07T00:00Z').filter((line) => !line.endsWith('nobody')),
    ).toEqual(['2025-06-02T09:00+00:00 ann', '2025-06-05T09:00+00:00 ann', '2025-06-06T09:00+00:00 bob']);
  });
});

describe('overrides', () => {
  const base = layer({ members: ['ann'] });
  const range = ['2025-06-02T08:00Z', '2025-06-02T20:00Z'] as const;

  test('an override takes precedence over all layers and fills gaps', () => {
    for (const layers of [[base], [base, base], []]) {
      const [before, during] = roster(schedule(layers, { overrides: [override({})] }), ...range);
      expect(before).toBe(`2025-06-02T08:00+00:00 ${layers.length === 0 ? 'nobody' : 'ann'}`);
      expect(during).toBe('2025-06-02T10:00+00:00 zoe');
    }
  });

  test('has its cause: an override or a layer', () => {
    expect(
      resolveShifts(schedule([base], { overrides: [override({})] }), '2025-06-02T11:00Z', '2025-06-02T20:00Z').shifts,
    ).toEqual([
      {
        userId: 'zoe',
        startsAt: '2025-06-02T11:00:00.000Z',
        endsAt: '2025-06-02T12:00:00.000Z',
        source: 'override',
        layerId: null,
        overrideId: 'override',
      },
      {
        userId: 'ann',
        startsAt: '2025-06-02T12:00:00.000Z',
        endsAt: '2025-06-02T20:00:00.000Z',
        source: 'layer',
        layerId: 'layer',
        overrideId: null,
      },
    ]);
  });

  const wide = override({ id: 'a', userId: 'wide', startsAt: '2025-06-02T09:00Z', endsAt: '2025-06-02T15:00Z' });
  const narrow = override({ id: 'b', userId: 'narrow', startsAt: '2025-06-02T10:00Z', endsAt: '2025-06-02T11:00Z' });
  const late = override({ id: 'c', userId: 'late', startsAt: '2025-06-02T14:00Z', endsAt: '2025-06-02T16:00Z' });

  test.each<[string, ScheduleOverride[], string[]]>([
    [
      'the newest wins',
      [
        { ...wide, createdAt: '2025-06-01T03:00Z' },
        { ...narrow, createdAt: '2025-06-01T02:00Z' },
        { ...late, createdAt: '2025-06-01T01:00Z' },
      ],
      ['08 ann', '09 wide', '15 late', '16 ann'],
    ],
    [
      'an older one goes on around a newer one',
      [
        { ...wide, createdAt: '2025-06-01T01:00Z' },
        { ...narrow, createdAt: '2025-06-01T02:00Z' },
        { ...late, createdAt: '2025-06-01T03:00Z' },
      ],
      ['08 ann', '09 wide', '10 narrow', '11 wide', '14 late', '16 ann'],
    ],
    [
      'of the same age, the one with the greater id',
      [late, narrow, wide],
      ['08 ann', '09 wide', '10 narrow', '11 wide', '14 late', '16 ann'],
    ],
    [
      'age is an instant, not a text',
      [
        { ...wide, createdAt: '2025-06-01T10:00+10:00' },
        { ...narrow, createdAt: '2025-06-01T09:00Z' },
      ],
      ['08 ann', '09 wide', '10 narrow', '11 wide', '15 ann'],
    ],
  ])('%s', (_name, overrides, expected) => {
    const short = (line: string): string => `${line.slice(11, 13)} ${line.slice(23)}`;
    expect(roster(schedule([base], { overrides }), ...range).map(short)).toEqual(expected);
    expect(roster(schedule([base], { overrides: overrides.toReversed() }), ...range).map(short)).toEqual(expected);
  });
});

describe('at an instant', () => {
  const week = layer({ rotation: weekly(1, 1, '09:00'), startsAt: '2025-06-02T09:00Z', endsAt: '2025-06-16T12:00Z' });
  const shift = (userId: string, startsAt: string, endsAt: string | null) => ({
    userId,
    startsAt: `${startsAt}:00.000Z`,
    endsAt: endsAt && `${endsAt}:00.000Z`,
    source: 'layer',
    layerId: 'layer',
    overrideId: null,
  });
  const ann = shift('ann', '2025-06-02T09:00', '2025-06-09T09:00');
  const bob = shift('bob', '2025-06-09T09:00', '2025-06-16T09:00');
  const cleo = shift('cleo', '2025-06-16T09:00', '2025-06-16T12:00');

  test.each([
    [
      'before anything, far away',
      '2020-01-01T00:00Z',
      { shift: null, gap: { startsAt: null, endsAt: null }, next: null },
    ],
    [
      'before anything',
      '2025-06-02T08:59:59.999Z',
      { shift: null, gap: { startsAt: null, endsAt: '2025-06-02T09:00:00.000Z' }, next: ann },
    ],
    ['as it begins', '2025-06-02T09:00Z', { shift: ann, gap: null, next: bob }],
    ['in the middle', '2025-06-05T01:23:45.678Z', { shift: ann, gap: null, next: bob }],
    ['just before a hand-off', '2025-06-09T08:59:59.999Z', { shift: ann, gap: null, next: bob }],
    ['at a hand-off', '2025-06-09T09:00Z', { shift: bob, gap: null, next: cleo }],
    ['in the last shift', '2025-06-16T10:00Z', { shift: cleo, gap: null, next: null }],
    [
      'as it ends',
      '2025-06-16T12:00Z',
      { shift: null, gap: { startsAt: '2025-06-16T12:00:00.000Z', endsAt: null }, next: null },
    ],
    [
      'long after',
      '2035-01-01T00:00Z',
      { shift: null, gap: { startsAt: '2025-06-16T12:00:00.000Z', endsAt: null }, next: null },
    ],
  ])('%s', (_name, at, expected) => expect(onCallAt(schedule([week]), at)).toEqual(expected));

  test('a shift longer than 400 days has its true start and no end', () => {
    const alone = schedule([layer({ members: ['ann', 'ann'], startsAt: '2015-01-01T00:00Z' })]);
    expect(onCallAt(alone, '2025-06-02T00:00Z')).toEqual({
      shift: shift('ann', '2015-01-01T00:00', null),
      gap: null,
      next: null,
    });
  });

  test.each([
    [399, '2026-07-06T00:00:00.000Z'],
    [400, null],
    [500, null],
  ])('an end that is %d days away is %p', (days, endsAt) => {
    const ending = Temporal.Instant.from('2025-06-02T00:00Z')
      .add({ hours: 24 * days })
      .toString();
    const resolved = schedule([
      layer({ members: ['ann'], endsAt: ending }),
      layer({ members: ['bob'], startsAt: ending }),
    ]);
    const found = onCallAt(resolved, '2025-06-02T00:00Z');
    expect(found.shift!.endsAt).toBe(endsAt);
    expect(found.next?.userId).toBe(endsAt === null ? undefined : 'bob');
  });

  test.each(['2025-06-03T09:00Z', '2025-06-03T16:59Z'])(
    'a shift begins after the preceding gap, whoever was on call before (%s)',
    (at) => {
      const days = schedule([
        layer({ members: ['ann'], restrictions: [{ days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }] }),
      ]);
      expect(onCallAt(days, at)).toEqual({
        shift: shift('ann', '2025-06-03T09:00', '2025-06-03T17:00'),
        gap: null,
        next: shift('ann', '2025-06-04T09:00', '2025-06-04T17:00'),
      });
    },
  );

  test('next is the next member, also after a gap', () => {
    const nights = schedule([layer({ members: ['ann'], restrictions: [{ days: [5], start: '22:00', end: '06:00' }] })]);
    const { shift: present, next } = onCallAt(nights, '2025-06-07T00:00Z');
    expect([present!.startsAt, present!.endsAt, next!.startsAt, next!.endsAt]).toEqual([
      '2025-06-06T22:00:00.000Z',
      '2025-06-07T06:00:00.000Z',
      '2025-06-13T22:00:00.000Z',
      '2025-06-14T06:00:00.000Z',
    ]);
    expect(onCallAt(nights, '2025-06-08T00:00Z')).toEqual({
      shift: null,
      gap: { startsAt: present!.endsAt, endsAt: next!.startsAt },
      next,
    });
  });
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
    expect({ shifts: cut(found.shift), gaps: cut(found.gap) }).toEqual({
      shifts: shifts.filter(holds),
      gaps: gaps.filter(holds),
    });
  }
  expect(shifts.length).toBeGreaterThan(5);
  expect(gaps).toHaveLength(1);
});
