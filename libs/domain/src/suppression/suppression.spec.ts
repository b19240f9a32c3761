/**
 * Every instant is written in UTC, so that neither the time zone of the process nor a library affects the expected
 * values.
 */
import {
  activeUntil,
  compileWindow,
  suppressingWindow,
  nextBoundary,
  nextOccurrence,
  occurrencesAt,
  occurrencesBetween,
  validateWindow,
  windowMatches,
  windowStatus,
  type AlertFacts,
  type ConditionFacts,
  type SuppressionWindow,
} from '../index.js';

const once: SuppressionWindow = {
  id: 'sup_1',
  enabled: true,
  matchers: [],
  clientIds: [],
  integrationIds: [],
  exceptSeverities: [],
  matchAll: true,
  startsAt: '2026-03-01T10:00:00.000Z',
  endsAt: '2026-03-01T12:00:00.000Z',
  timezone: 'UTC',
  rrule: null,
  durationSeconds: null,
  onEnd: 'resume',
};

const hour = 3_600;
const recurring = (
  startsAt: string,
  timezone: string,
  rrule: string,
  durationSeconds: number,
  more: Partial<SuppressionWindow> = {},
): SuppressionWindow => ({
  ...once,
  startsAt,
  endsAt: null,
  timezone,
  rrule,
  durationSeconds,
  ...more,
});

const justBefore = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();
const atMinute = (minute: string): string => `${minute}:00.000Z`;

/** The starts of the first `count` occurrences after an instant, to the minute. */
function startsAfter(window: SuppressionWindow, after: string, count: number): string[] {
  const starts: string[] = [];
  let next = nextOccurrence(window, after);
  while (next !== null && starts.length < count) {
    starts.push(next.startsAt.slice(0, 16));
    next = nextOccurrence(window, next.startsAt);
  }
  return starts;
}

describe('a window without recurrence', () => {
  test.each([
    ['before', '2026-03-01T09:59:59.999Z', 'scheduled', null],
    ['as it begins', '2026-03-01T10:00:00.000Z', 'active', '2026-03-01T12:00:00.000Z'],
    ['just before it ends', '2026-03-01T11:59:59.999Z', 'active', '2026-03-01T12:00:00.000Z'],
    ['as it ends', '2026-03-01T12:00:00.000Z', 'expired', null],
  ])('%s', (_, at, status, until) => {
    expect(windowStatus(once, at)).toBe(status);
    expect(activeUntil(once, at)).toBe(until);
    expect(occurrencesAt(once, at)).toEqual(until === null ? [] : [{ startsAt: once.startsAt, endsAt: once.endsAt }]);
  });

  test('a timer must run when it begins and when it ends', () => {
    expect(nextBoundary(once, '2026-01-01T00:00:00Z')).toBe(once.startsAt);
    expect(nextBoundary(once, once.startsAt)).toBe(once.endsAt);
    expect(nextBoundary(once, once.endsAt!)).toBeNull();
  });

  test('it begins once', () => {
    expect(nextOccurrence(once, '2026-03-01T09:59:59.999Z')).toEqual({ startsAt: once.startsAt, endsAt: once.endsAt });
    expect(nextOccurrence(once, once.startsAt)).toBeNull();
  });

  test('times may come with an offset, and without seconds', () => {
    const window = { ...once, startsAt: '2026-03-01T11:00+01:00', endsAt: '2026-03-01T07:00:00.5-05:00' };
    expect(occurrencesAt(window, '2026-03-01T12:00:00+02:00')).toEqual([
      { startsAt: '2026-03-01T10:00:00.000Z', endsAt: '2026-03-01T12:00:00.500Z' },
    ]);
  });
});

test('a disabled window has no occurrences', () => {
  const window = { ...recurring('2026-01-01T00:00:00Z', 'UTC', 'FREQ=DAILY', hour), enabled: false };
  const at = '2026-01-02T00:30:00Z';
  expect(windowStatus(window, at)).toBe('disabled');
  expect(occurrencesAt(window, at)).toEqual([]);
  expect([activeUntil(window, at), nextOccurrence(window, at), nextBoundary(window, at)]).toEqual([null, null, null]);
});

describe('clock changes', () => {
  test.each([
    [
      'Berlin in spring',
      'Europe/Berlin',
      '2026-03-22T09:00:00Z',
      'FREQ=WEEKLY',
      ['2026-03-22T09:00', '2026-03-29T08:00', '2026-04-05T08:00'],
    ],
    [
      'Berlin in autumn',
      'Europe/Berlin',
      '2026-10-18T08:00:00Z',
      'FREQ=WEEKLY',
      ['2026-10-18T08:00', '2026-10-25T09:00', '2026-11-01T09:00'],
    ],
    [
      'New York in spring',
      'America/New_York',
      '2026-03-01T15:00:00Z',
      'FREQ=WEEKLY',
      ['2026-03-01T15:00', '2026-03-08T14:00', '2026-03-15T14:00'],
    ],
    [
      'New York in autumn',
      'America/New_York',
      '2026-10-25T14:00:00Z',
      'FREQ=WEEKLY',
      ['2026-10-25T14:00', '2026-11-01T15:00', '2026-11-08T15:00'],
    ],
    [
      'years later',
      'Europe/Berlin',
      '2026-03-22T09:00:00Z',
      'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      ['2026-03-29T08:00', '2027-03-28T08:00', '2028-03-26T08:00'],
    ],
    [
      'a start that clocks skip moves forward',
      'Europe/Berlin',
      '2026-03-22T01:00:00Z',
      'FREQ=WEEKLY',
      ['2026-03-22T01:00', '2026-03-29T01:00', '2026-04-05T00:00'],
    ],
    [
      'by as much as they skip',
      'Europe/Berlin',
      '2026-03-28T01:45:00Z',
      'FREQ=DAILY',
      ['2026-03-28T01:45', '2026-03-29T01:45', '2026-03-30T00:45'],
    ],
    [
      'also where they skip half an hour',
      'Australia/Lord_Howe',
      '2026-10-02T15:45:00Z',
      'FREQ=DAILY',
      ['2026-10-02T15:45', '2026-10-03T15:45', '2026-10-04T15:15'],
    ],
    [
      'and where a whole day was skipped',
      'Pacific/Apia',
      '2011-12-29T20:00:00Z',
      'FREQ=DAILY',
      ['2011-12-29T20:00', '2011-12-30T20:00', '2011-12-31T20:00'],
    ],
    [
      'a start that comes twice is the first',
      'Europe/Berlin',
      '2026-10-24T00:30:00Z',
      'FREQ=DAILY',
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'in New York too',
      'America/New_York',
      '2026-10-31T05:30:00Z',
      'FREQ=DAILY',
      ['2026-10-31T05:30', '2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'an hourly rule where an hour is skipped',
      'Europe/Berlin',
      '2026-03-29T00:00:00Z',
      'FREQ=HOURLY',
      ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00'],
    ],
    [
      'and where an hour comes twice',
      'Europe/Berlin',
      '2026-10-24T23:00:00Z',
      'FREQ=HOURLY',
      ['2026-10-24T23:00', '2026-10-25T00:00', '2026-10-25T02:00'],
    ],
    [
      'starts that clocks skip fall on others',
      'Europe/Berlin',
      '2026-03-28T01:00:00Z',
      'FREQ=DAILY;BYHOUR=2,3',
      ['2026-03-28T01:00', '2026-03-28T02:00', '2026-03-29T01:00', '2026-03-30T00:00'],
    ],
    [
      'or behind them: 02:45 and 03:00',
      'Europe/Berlin',
      '2026-03-28T01:45:00Z',
      'FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,45;BYSETPOS=2,3',
      ['2026-03-28T01:45', '2026-03-28T02:00', '2026-03-29T01:00', '2026-03-29T01:45', '2026-03-30T00:45'],
    ],
  ])('%s', (_, timezone, startsAt, rrule, expected) => {
    expect(startsAfter(recurring(startsAt, timezone, rrule, 2 * hour), justBefore(startsAt), expected.length)).toEqual(
      expected,
    );
  });

  test('the duration is elapsed time: by wall clock from 01:30 to 04:30', () => {
    const window = recurring('2026-03-28T00:30:00Z', 'Europe/Berlin', 'FREQ=DAILY', 2 * hour);
    expect(occurrencesAt(window, '2026-03-29T02:29:59.999Z')).toEqual([
      { startsAt: '2026-03-29T00:30:00.000Z', endsAt: '2026-03-29T02:30:00.000Z' },
    ]);
    expect(occurrencesAt(window, '2026-03-29T02:30:00.000Z')).toEqual([]);
  });

  test('nothing begins before startsAt, although its wall time also occurred an hour earlier', () => {
    const secondHalfPastTwo = '2026-10-25T01:30:00Z';
    const window = recurring(secondHalfPastTwo, 'Europe/Berlin', 'FREQ=DAILY', hour);
    expect(windowStatus(window, '2026-10-25T00:45:00Z')).toBe('scheduled');
    expect(startsAfter(window, '2026-10-24T00:00:00Z', 1)).toEqual(['2026-10-26T01:30']);
  });
});

describe('how a recurrence begins and ends', () => {
  test.each([
    [
      'the last Friday of each month',
      'FREQ=MONTHLY;BYDAY=-1FR',
      null,
      ['2026-01-30T09:00', '2026-02-27T09:00', '2026-03-27T09:00', '2026-04-24T08:00'],
    ],
    [
      'startsAt is no occurrence unless the rule matches it',
      'FREQ=WEEKLY;BYDAY=SA;COUNT=2',
      null,
      ['2026-01-03T09:00', '2026-01-10T09:00'],
    ],
    ['COUNT', 'FREQ=DAILY;INTERVAL=2;COUNT=3', null, ['2026-01-01T09:00', '2026-01-03T09:00', '2026-01-05T09:00']],
    [
      'UNTIL, itself included',
      'FREQ=DAILY;UNTIL=20260103T090000Z',
      null,
      ['2026-01-01T09:00', '2026-01-02T09:00', '2026-01-03T09:00'],
    ],
    ['UNTIL a second earlier', 'FREQ=DAILY;UNTIL=20260103T085959Z', null, ['2026-01-01T09:00', '2026-01-02T09:00']],
    [
      'UNTIL a date, all of it in the zone',
      'FREQ=DAILY;BYHOUR=0,23;UNTIL=20260102',
      null,
      ['2026-01-01T22:00', '2026-01-01T23:00', '2026-01-02T22:00'],
    ],
    ['endsAt, itself excluded', 'FREQ=DAILY', '2026-01-03T09:00:00Z', ['2026-01-01T09:00', '2026-01-02T09:00']],
    ['whichever is first', 'FREQ=DAILY;COUNT=5', '2026-01-02T10:00:00Z', ['2026-01-01T09:00', '2026-01-02T09:00']],
    ['across midnight', 'FREQ=DAILY;BYHOUR=23;BYMINUTE=30;COUNT=2', null, ['2026-01-01T22:30', '2026-01-02T22:30']],
  ])('%s', (_, rrule, endsAt, expected) => {
    const window = recurring('2026-01-01T09:00:00Z', 'Europe/Berlin', rrule, hour, { endsAt });
    expect(validateWindow(window)).toEqual([]);
    expect(
      startsAfter(
        window,
        '2025-01-01T00:00:00Z',
        /COUNT|UNTIL/.test(rrule) || endsAt !== null ? Infinity : expected.length,
      ),
    ).toEqual(expected);
  });

  test('an occurrence in progress at endsAt continues to its end', () => {
    const window = recurring('2026-01-01T09:00:00Z', 'UTC', 'FREQ=DAILY', 4 * hour, { endsAt: '2026-01-02T10:00:00Z' });
    expect(activeUntil(window, '2026-01-02T12:59:59.999Z')).toBe('2026-01-02T13:00:00.000Z');
    expect(windowStatus(window, '2026-01-02T13:00:00Z')).toBe('expired');
  });

  test.each([
    ['2026-01-01T08:59:59Z', 'scheduled'],
    ['2026-01-01T09:00:00Z', 'active'],
    ['2026-01-01T10:00:00Z', 'scheduled'],
    ['2026-01-02T09:30:00Z', 'active'],
    ['2026-01-02T10:00:00Z', 'expired'],
  ])('two mornings: at %s it is %s', (at, status) => {
    expect(windowStatus(recurring('2026-01-01T09:00:00Z', 'UTC', 'FREQ=DAILY;COUNT=2', hour), at)).toBe(status);
  });
});

test('occurrences overlap when their duration exceeds the interval', () => {
  const window = recurring('2026-01-01T00:00:00Z', 'UTC', 'FREQ=HOURLY;INTERVAL=6;COUNT=3', 14 * hour);
  const at = (minute: string) => occurrencesAt(window, atMinute(minute)).map(({ startsAt }) => startsAt.slice(11, 13));
  expect([
    at('2026-01-01T05:00'),
    at('2026-01-01T06:00'),
    at('2026-01-01T13:59'),
    at('2026-01-01T14:00'),
    at('2026-01-01T20:00'),
    at('2026-01-02T02:00'),
  ]).toEqual([['00'], ['00', '06'], ['00', '06', '12'], ['06', '12'], ['12'], []]);
  expect(activeUntil(window, '2026-01-01T13:00:00Z')).toBe('2026-01-02T02:00:00.000Z');

  const boundaries: string[] = [];
  for (let at = nextBoundary(window, '2025-12-31T00:00:00Z'); at !== null; at = nextBoundary(window, at))
    boundaries.push(at.slice(8, 16));
  expect(boundaries).toEqual(['01T00:00', '01T06:00', '01T12:00', '01T14:00', '01T20:00', '02T02:00']);
});

test('a window object is compiled once', () => {
  expect(compileWindow(once)).toBe(compileWindow(once));
  expect(compileWindow({ ...once })).not.toBe(compileWindow(once));
});

test('a rule without validation throws', () => {
  const window = recurring('2026-01-01T00:00:00Z', 'UTC', 'FREQ=SECONDLY', hour);
  expect(() => nextOccurrence(window, '2026-01-01T00:00:00Z')).toThrow(
    'the window is not validated: FREQ must be one of',
  );
});

const alert: AlertFacts = {
  title: 'Disk full',
  description: null,
  severity: 'high',
  status: 'firing',
  source: 'web-01',
  fingerprint: 'f',
  labels: { region: 'eu', 'app.kubernetes.io/name': 'shop' },
  annotations: {},
  clientId: 'cli_1',
  integrationId: 'int_1',
  incidentId: null,
  assigneeId: null,
  occurrenceCount: 1,
};
const around = { client: null, integration: null, incident: null, now: '2026-03-01T11:00:00.000Z' };
const factsOf = (changes: Partial<AlertFacts> = {}): ConditionFacts => ({ alert: { ...alert, ...changes }, ...around });
const region = (value: string) => ({ field: 'labels.region', op: 'eq', value }) as const;

describe('which alerts a window matches', () => {
  test.each<[string, Partial<SuppressionWindow>, Partial<AlertFacts>, boolean]>([
    ['all of them', {}, {}, true],
    ['all matchers hold', { matchers: [region('eu'), { field: 'source', op: 'startsWith', value: 'web' }] }, {}, true],
    [
      'one matcher does not',
      { matchers: [region('eu'), { field: 'source', op: 'startsWith', value: 'db' }] },
      {},
      false,
    ],
    [
      'a label with dots',
      { matchers: [{ field: 'labels.app.kubernetes.io/name', op: 'eq', value: 'shop' }] },
      {},
      true,
    ],
    ['a label that is missing', { matchers: [{ field: 'labels.zone', op: 'eq', value: '1' }] }, {}, false],
    ['one of the clients', { clientIds: ['cli_0', 'cli_1'] }, {}, true],
    ['another client', { clientIds: ['cli_0'] }, {}, false],
    ['no client, where one is named', { clientIds: ['cli_0'] }, { clientId: null }, false],
    ['no client, where none is named', {}, { clientId: null }, true],
    ['one of the integrations', { integrationIds: ['int_1'] }, {}, true],
    ['another integration', { integrationIds: ['int_2'] }, {}, false],
    ['the client, but another integration', { clientIds: ['cli_1'], integrationIds: ['int_2'] }, {}, false],
    ['a severity that is excepted', { exceptSeverities: ['critical', 'high'] }, {}, false],
    ['a severity that is not excepted', { exceptSeverities: ['critical'] }, {}, true],
  ])('%s: %j', (_, settings, changes, expected) => {
    expect(windowMatches({ ...once, ...settings }, factsOf(changes))).toBe(expected);
  });

  test('none when no window matches', () => {
    expect(windowMatches(once, { alert: null, ...around })).toBe(false);
  });
});

describe('the window that suppresses an alert', () => {
  const at = '2026-03-01T11:00:00.000Z';
  const until = (minute: string, id: string, more: Partial<SuppressionWindow> = {}): SuppressionWindow => ({
    ...once,
    id,
    endsAt: `2026-03-01T${minute}:00Z`,
    ...more,
  });
  const daily = { ...recurring('2026-01-01T10:30:00Z', 'UTC', 'FREQ=DAILY', hour), id: 'b' };
  test.each<[string, SuppressionWindow[], string | null]>([
    ['none without windows', [], null],
    ['no inactive window', [until('11:00', 'a'), { ...once, id: 'b', enabled: false }], null],
    ['no window that does not match', [until('13:00', 'a', { clientIds: ['cli_0'] })], null],
    ['the last to end', [until('13:00', 'a'), until('14:00', 'b'), until('12:00', 'c')], 'b until 14:00'],
    [
      'the last to end of those that match',
      [until('13:00', 'a'), until('14:00', 'b', { matchers: [region('us')] })],
      'a until 13:00',
    ],
    ['of equals the smallest id', [until('13:00', 'b'), until('13:00', 'a'), until('13:00', 'c')], 'a until 13:00'],
    ['by the end of its present occurrence', [until('13:00', 'a'), daily], 'a until 13:00'],
  ])('%s', (_, windows, expected) => {
    const suppressing = suppressingWindow(windows, factsOf(), at);
    expect(suppressing && `${suppressing.window.id} until ${suppressing.until.slice(11, 16)}`).toBe(expected);
  });
});

describe('occurrencesBetween', () => {
  const nightly = recurring('2026-03-01T22:00:00.000Z', 'UTC', 'FREQ=DAILY', 4 * hour);
  const between = (since: string, until: string, most = 10, window = nightly): string[] =>
    occurrencesBetween(window, atMinute(since), atMinute(until), most).map(({ startsAt }) => startsAt.slice(0, 10));

  test.each<[string, string, string, string[]]>([
    ['in progress at the start', '2026-03-03T01:59', '2026-03-03T03:00', ['2026-03-02']],
    ['ended at the start', '2026-03-03T02:00', '2026-03-03T03:00', []],
    ['begins at the end', '2026-03-03T03:00', '2026-03-03T22:00', []],
    ['begins before the end', '2026-03-03T03:00', '2026-03-03T22:01', ['2026-03-03']],
    ['several', '2026-03-03T00:00', '2026-03-05T00:00', ['2026-03-02', '2026-03-03', '2026-03-04']],
    ['before the first', '2026-02-01T00:00', '2026-03-01T00:00', []],
  ])('%s', (_name, since, until, expected) => expect(between(since, until)).toEqual(expected));

  test('no more than asked for, and none of a disabled window', () => {
    expect(between('2026-03-03T00:00', '2026-04-03T00:00', 2)).toEqual(['2026-03-02', '2026-03-03']);
    expect(between('2026-03-03T00:00', '2026-04-03T00:00', 2, { ...nightly, enabled: false })).toEqual([]);
  });
});
