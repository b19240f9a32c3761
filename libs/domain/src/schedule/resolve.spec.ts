import { resolveShifts, type Rotation } from '../index.js';
import { hourly, daily, weekly, monthly, layer, override, schedule, roster } from '../../testing/schedules.js';

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
