import fc from 'fast-check';
import { activeUntil, decideExpiring, nextBoundary, type WindowTimes } from '../index.js';

const window = (values: Partial<WindowTimes> = {}): WindowTimes => ({
  enabled: true,
  startsAt: '2027-03-27T00:00:00.000Z',
  endsAt: '2027-03-27T06:00:00.000Z',
  timezone: 'Europe/Berlin',
  rrule: null,
  durationSeconds: null,
  untilTime: null,
  excludedDates: [],
  ...values,
});
const nightly = window({
  startsAt: '2027-03-26T21:00:00.000Z',
  endsAt: null,
  rrule: 'FREQ=DAILY',
  durationSeconds: 14_400,
});
const end = '2027-03-27T06:00:00.000Z';

test.each([
  ['before the window: look at its start', window(), null, '2027-03-26T00:00:00Z', null, '2027-03-27T00:00:00.000Z'],
  [
    'early in the window: look an hour before its end',
    window(),
    null,
    '2027-03-27T01:00:00Z',
    null,
    '2027-03-27T05:00:00.000Z',
  ],
  ['an hour before its end: tell', window(), null, '2027-03-27T05:00:00Z', end, end],
  ['half an hour before its end, after a rest: tell', window(), null, '2027-03-27T05:30:00Z', end, end],
  ['told already: not again', window(), end, '2027-03-27T05:30:00Z', null, end],
  [
    'the end was changed after it was told: tell the new one',
    window(),
    '2027-03-27T05:45:00.000Z',
    '2027-03-27T05:30:00Z',
    end,
    end,
  ],
  ['at its end: nothing to tell', window(), null, end, null, null],
  ['disabled: nothing', window({ enabled: false }), null, '2027-03-27T05:30:00Z', null, null],
  [
    'shorter than an hour: tell at its start',
    window({ endsAt: '2027-03-27T00:20:00.000Z' }),
    null,
    '2027-03-27T00:00:00Z',
    '2027-03-27T00:20:00.000Z',
    '2027-03-27T00:20:00.000Z',
  ],
  [
    'each occurrence',
    nightly,
    '2027-03-27T01:00:00.000Z',
    '2027-03-28T00:00:00Z',
    '2027-03-28T01:00:00.000Z',
    '2027-03-28T01:00:00.000Z',
  ],
  [
    'occurrences without a pause do not end',
    window({
      startsAt: '2027-03-26T21:00:00.000Z',
      endsAt: '2027-03-28T23:00:00.000Z',
      rrule: 'FREQ=DAILY',
      durationSeconds: 90_000,
    }),
    null,
    '2027-03-27T21:30:00Z',
    null,
    '2027-03-29T20:00:00.000Z',
  ],
])('%s', (_, one, told, at, endsAt, lookAt) => {
  expect(decideExpiring(one, told, at)).toEqual({ endsAt, lookAt });
});

test('each end of a recurring window is told exactly once, within its last hour, when it is decided at the named times', () => {
  const windows = fc
    .record({
      durationSeconds: fc.integer({ min: 300, max: 2 * 86_400 }),
      rrule: fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,SU', 'FREQ=HOURLY;INTERVAL=5;COUNT=9'),
      hour: fc.integer({ min: 0, max: 23 }),
    })
    .map(({ hour, ...more }) =>
      window({
        startsAt: `2027-03-26T${String(hour).padStart(2, '0')}:00:00.000Z`,
        endsAt: '2027-04-05T00:00:00.000Z',
        ...more,
      }),
    );
  fc.assert(
    fc.property(windows, (one) => {
      const found: string[] = [];
      let told: string | null = null;
      for (let at: string | null = '2027-03-25T00:00:00.000Z'; at !== null;) {
        const { endsAt, lookAt } = decideExpiring(one, told, at);
        if (endsAt !== null) {
          expect(Date.parse(endsAt) - Date.parse(at)).toBeLessThanOrEqual(3_600_000);
          found.push(endsAt);
          told = endsAt;
        }
        at = lookAt;
      }
      const expected: string[] = [];
      for (let at: string | null = '2027-03-25T00:00:00.000Z'; at !== null; at = nextBoundary(one, at))
        if (expected.at(-1) !== at && activeUntil(one, at) === null && at > one.startsAt) expected.push(at);
      expect(found).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});
