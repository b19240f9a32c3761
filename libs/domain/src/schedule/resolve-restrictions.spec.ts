import { type ScheduleLayer } from '../index.js';
import { layer, schedule, roster } from '../../testing/schedules.js';

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
