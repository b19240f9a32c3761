import { severities, validateWindow } from '../index.js';

const once = {
  enabled: true,
  matchers: [{ field: 'labels.region', op: 'eq', value: 'eu' }],
  clientIds: ['cli_1'],
  integrationIds: [],
  exceptSeverities: ['critical'],
  matchAll: false,
  startsAt: '2026-03-01T10:00:00.000Z',
  endsAt: '2026-03-01T12:00:00.000Z',
  timezone: 'Europe/Berlin',
  rrule: null,
  durationSeconds: null,
  onEnd: 'resume',
};
const weekly = { ...once, endsAt: null, rrule: 'FREQ=WEEKLY;BYDAY=SU', durationSeconds: 7_200 };

const demanded = [
  'enabled',
  'matchers',
  'clientIds',
  'integrationIds',
  'exceptSeverities',
  'matchAll',
  'startsAt',
  'timezone',
  'onEnd',
];

const faults = (input: unknown) => validateWindow(input).map(({ path, rule }) => `${path} ${rule}`);

test.each<[string, unknown]>([
  ['a window that happens once', once],
  ['without what may be null', { ...once, rrule: undefined, durationSeconds: undefined }],
  ['a recurring one', weekly],
  ['a recurring one that ends', { ...weekly, endsAt: '2026-06-01T00:00:00Z' }],
  ['the shortest and the longest', { ...weekly, durationSeconds: 60 }],
  ['the longest', { ...weekly, durationSeconds: 2_678_400 }],
  ['everything, and it is meant', { ...once, matchers: [], clientIds: [], matchAll: true }],
  ['clients alone', { ...once, matchers: [] }],
  ['integrations alone', { ...once, matchers: [], clientIds: [], integrationIds: ['int_1'] }],
  ['twenty matchers', { ...once, matchers: Array.from({ length: 20 }, () => once.matchers[0]) }],
  [
    'fields of an alert',
    {
      ...once,
      matchers: [
        { field: 'title', op: 'matches', value: '^disk' },
        { field: 'annotations.a.b', op: 'exists', value: true },
      ],
    },
  ],
  [
    'a leap day, which comes within five years',
    { ...weekly, startsAt: '2025-03-01T00:00:00Z', rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29' },
  ],
  ['a prefix', { ...weekly, rrule: 'RRULE:FREQ=DAILY' }],
  ['no seconds', { ...once, startsAt: '2026-03-01T10:00Z', endsAt: '2026-03-01 13:00+01:00' }],
  ['what else a record holds', { ...once, id: 'sup_1', name: 'Patching', version: 3 }],
])('%s is valid', (_, input) => {
  expect(validateWindow(input)).toEqual([]);
});

test.each<[string, unknown, string[]]>([
  ['not an object', null, ['$ type']],
  ['a list', [], ['$ type']],
  ['nothing', {}, [...demanded, 'endsAt'].map((path) => `${path} required`)],
  ['inherited settings', Object.create(once), [...demanded, 'endsAt'].map((path) => `${path} required`)],
  ['words for truth', { ...once, enabled: 'true', matchAll: 1 }, ['enabled type', 'matchAll type']],
  ['matchers that are not a list', { ...once, matchers: {} }, ['matchers type']],
  [
    'twenty-one matchers',
    { ...once, matchers: Array.from({ length: 21 }, () => once.matchers[0]) },
    ['matchers maxItems'],
  ],
  ['a condition for a matcher', { ...once, matchers: [{ all: [], ...once.matchers[0] }] }, ['matchers[0].all unknown']],
  [
    'a matcher of the client',
    { ...once, matchers: [{ field: 'client.slug', op: 'eq', value: 'x' }] },
    ['matchers[0].field enum'],
  ],
  [
    'a matcher of the integration',
    { ...once, matchers: [{ field: 'integration.name', op: 'eq', value: 'x' }] },
    ['matchers[0].field enum'],
  ],
  [
    'a matcher of the incident',
    { ...once, matchers: [{ field: 'incident.number', op: 'eq', value: 1 }] },
    ['matchers[0].field enum'],
  ],
  [
    'a matcher of the time',
    { ...once, matchers: [{ field: 'now.weekday', op: 'eq', value: 1 }] },
    ['matchers[0].field enum'],
  ],
  [
    'a matcher with a zone',
    { ...once, matchers: [{ ...once.matchers[0], timezone: 'UTC' }] },
    ['matchers[0].timezone exclusive'],
  ],
  [
    'a pattern that is none',
    { ...once, matchers: [{ field: 'title', op: 'matches', value: '(' }] },
    ['matchers[0].value syntax'],
  ],
  [
    'an id that is not a text',
    { ...once, clientIds: ['cli_1', 7], integrationIds: [null] },
    ['clientIds[1] type', 'integrationIds[0] type'],
  ],
  ['too many ids', { ...once, clientIds: Array.from({ length: 101 }, (_, i) => `cli_${i}`) }, ['clientIds maxItems']],
  ['an unknown severity', { ...once, exceptSeverities: ['urgent'] }, ['exceptSeverities[0] enum']],
  ['all severities', { ...once, exceptSeverities: severities }, ['exceptSeverities matchesNothing']],
  ['everything, unmeant', { ...once, matchers: [], clientIds: [] }, ['matchAll matchAll']],
  ['a date for a time', { ...once, startsAt: '2026-03-01' }, ['startsAt format']],
  ['a time without an offset', { ...once, startsAt: '2026-03-01T00:00:00' }, ['startsAt format']],
  ['a day that does not exist', { ...once, startsAt: '2026-02-30T00:00:00Z' }, ['startsAt format']],
  ['an hour that does not exist', { ...once, startsAt: '2026-02-28T25:00:00Z' }, ['startsAt format']],
  ['before all zones', { ...once, startsAt: '1969-12-31T23:59:59Z' }, ['startsAt range']],
  ['an end as it begins', { ...once, endsAt: once.startsAt }, ['endsAt order']],
  ['an end before a recurrence begins', { ...weekly, endsAt: '2026-01-01T00:00:00Z' }, ['endsAt order']],
  ['an offset for a zone', { ...once, timezone: '+02:00' }, ['timezone timezone']],
  ['an unknown zone', { ...once, timezone: 'Europe/Atlantis' }, ['timezone timezone']],
  ['no zone', { ...once, timezone: '' }, ['timezone timezone']],
  ['an unknown end', { ...once, onEnd: 'close' }, ['onEnd enum']],
  ['once, without an end', { ...once, endsAt: null }, ['endsAt required']],
  ['once, with a duration', { ...once, durationSeconds: 60 }, ['durationSeconds exclusive']],
  ['recurring, without a duration', { ...weekly, durationSeconds: null }, ['durationSeconds required']],
  ['shorter than a minute', { ...weekly, durationSeconds: 59 }, ['durationSeconds range']],
  ['longer than a month', { ...weekly, durationSeconds: 2_678_401 }, ['durationSeconds range']],
  ['a fraction of a second', { ...weekly, durationSeconds: 60.5 }, ['durationSeconds type']],
  ['a rule that is not a text', { ...weekly, rrule: {} }, ['rrule type']],
  ['an empty rule', { ...weekly, rrule: '' }, ['rrule syntax']],
  ['every minute', { ...weekly, rrule: 'FREQ=MINUTELY' }, ['rrule syntax']],
  ['every second', { ...weekly, rrule: 'FREQ=SECONDLY;INTERVAL=86400' }, ['rrule syntax']],
  ['a date that never comes', { ...weekly, rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, ['rrule occurrence']],
  ['an hour that never comes', { ...weekly, rrule: 'FREQ=HOURLY;INTERVAL=24;BYHOUR=3' }, ['rrule occurrence']],
  [
    'a rule that never comes, counted',
    { ...weekly, rrule: 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;COUNT=10000' },
    ['rrule occurrence'],
  ],
  [
    'a leap day that is seven years off',
    { ...weekly, startsAt: '2097-03-01T00:00:00Z', rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29' },
    ['rrule occurrence'],
  ],
  ['nothing before the rule ends', { ...weekly, rrule: 'FREQ=WEEKLY;BYDAY=WE;UNTIL=20260301' }, ['rrule occurrence']],
  [
    'nothing before endsAt',
    { ...weekly, rrule: 'FREQ=WEEKLY;BYDAY=WE', endsAt: '2026-03-03T00:00:00Z' },
    ['rrule occurrence'],
  ],
  ['beyond the calendar', { ...weekly, startsAt: '2101-01-01T00:00:00Z' }, ['rrule occurrence']],
  [
    'several at once',
    { ...weekly, enabled: null, exceptSeverities: 'all', rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', onEnd: 1 },
    ['enabled required', 'exceptSeverities type', 'onEnd enum', 'rrule occurrence'],
  ],
])('%s', (_, input, expected) => {
  expect(faults(input)).toEqual(expected);
});

test('an error of a rule has its message', () => {
  expect(validateWindow({ ...weekly, rrule: 'FREQ=DAILY;BYHOUR=24' })).toEqual([
    {
      path: 'rrule',
      rule: 'syntax',
      message: 'BYHOUR must be an integer from 0 to 23, or several separated by commas',
    },
  ]);
});
