/** Recurring windows that end by the clock, and dates on which none begins. */
import {
  activeUntil,
  nextBoundary,
  nextOccurrence,
  occurrencesAt,
  validateWindow,
  type SuppressionWindow,
} from '../index.js';

const nightly: SuppressionWindow = {
  id: 'sup_1',
  enabled: true,
  matchers: [],
  clientIds: [],
  integrationIds: [],
  exceptSeverities: [],
  matchAll: true,
  startsAt: '2027-01-01T21:00:00.000Z', // 22:00 in Berlin
  endsAt: null,
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=DAILY',
  durationSeconds: null,
  untilTime: '06:00',
  onEnd: 'resume',
};

test.each([
  ['a usual night', '2027-01-10T12:00Z', '2027-01-10T21:00:00.000Z', '2027-01-11T05:00:00.000Z'],
  ['the night when clocks go forward', '2027-03-27T12:00Z', '2027-03-27T21:00:00.000Z', '2027-03-28T04:00:00.000Z'],
  ['the night when clocks go back', '2027-10-30T12:00Z', '2027-10-30T20:00:00.000Z', '2027-10-31T05:00:00.000Z'],
])('a window until a time of day ends when the clock shows it: %s', (_night, after, startsAt, endsAt) => {
  expect(nextOccurrence(nightly, after)).toEqual({ startsAt, endsAt });
  expect(nextBoundary(nightly, after)).toBe(startsAt);
  expect(nextBoundary(nightly, startsAt)).toBe(endsAt);
  const last = new Date(Date.parse(endsAt) - 1).toISOString();
  expect([activeUntil(nightly, startsAt), activeUntil(nightly, last), activeUntil(nightly, endsAt)]).toEqual([
    endsAt,
    endsAt,
    null,
  ]);
  expect(occurrencesAt(nightly, last)).toEqual([{ startsAt, endsAt }]);
});

test('a window until the time at which it begins lasts a day', () => {
  expect(nextOccurrence({ ...nightly, untilTime: '22:00' }, '2027-01-10T12:00Z')).toEqual({
    startsAt: '2027-01-10T21:00:00.000Z',
    endsAt: '2027-01-11T21:00:00.000Z',
  });
});

test('no occurrence begins on an excluded date of the zone', () => {
  const windows = { ...nightly, startsAt: '2027-01-01T23:30:00.000Z', excludedDates: ['2027-01-11', '2027-01-12'] };
  // 00:30 in Berlin is the date after that in UTC.
  expect(nextOccurrence(windows, '2027-01-10T12:00Z')?.startsAt).toBe('2027-01-12T23:30:00.000Z');
  expect(occurrencesAt(windows, '2027-01-11T01:00Z')).toEqual([]);
});

test.each([
  ['neither a duration nor a time', { untilTime: null }, ['durationSeconds required']],
  ['both', { durationSeconds: 3600 }, ['untilTime exclusive']],
  ['a time without a rule', { rrule: null, endsAt: '2028-01-01T00:00Z' }, ['untilTime exclusive']],
  ['no time of day', { untilTime: '25:00' }, ['untilTime format']],
  ['no date', { excludedDates: ['2027-02-30'] }, ['excludedDates[0] format']],
  ['a date twice', { excludedDates: ['2027-02-03', '2027-02-03'] }, ['excludedDates[1] unique']],
  [
    'dates without a rule',
    { rrule: null, untilTime: null, endsAt: '2028-01-01T00:00Z', excludedDates: ['2027-02-03'] },
    ['excludedDates exclusive'],
  ],
])('a window is refused with %s', (_what, values, expected) => {
  const { id: _id, ...settings } = nightly;
  expect(validateWindow({ ...settings, ...values }).map(({ path, rule }) => `${path} ${rule}`)).toEqual(expected);
});
