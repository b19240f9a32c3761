import fc from 'fast-check';
import { layerBasics, onCallAt, resolveShifts, validateSchedule, type OnCallSchedule } from '../index.js';

const layer = {
  id: 'weekly',
  name: 'Weekly',
  members: ['usr_1', 'usr_2', 'usr_1'],
  rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
  startsAt: '2026-11-16T08:00:00.000Z',
  endsAt: null,
  restrictions: [{ days: [1, 2], start: '22:00', end: '06:00' }],
};
const override = {
  id: 'ovr_1',
  userId: 'usr_2',
  startsAt: '2026-11-21T08:00:00.000Z',
  endsAt: '2026-11-21T20:00:00.000Z',
  createdAt: '2026-11-20T14:00:00.000Z',
};
const schedule = { timezone: 'Europe/Berlin', layers: [layer], overrides: [override] };

/** `path rule` of each error. */
const faults = (input: unknown): string[] => validateSchedule(input).map(({ path, rule }) => `${path} ${rule}`);
const faultsOfLayer = (values: object): string[] =>
  faults({ ...schedule, layers: [{ ...layer, ...values }] }).map((fault) => fault.replace('layers[0].', ''));
const faultsOfRotation = (values: object): string[] =>
  faultsOfLayer({ rotation: { ...layer.rotation, ...values } }).map((fault) => fault.replace('rotation.', ''));

test.each<[string, unknown]>([
  ['all there is', schedule],
  ['nothing in it', { timezone: 'UTC', layers: [], overrides: [] }],
  ['nobody in it', { ...schedule, layers: [{ ...layer, members: [], restrictions: [] }] }],
  ['an old name of a zone', { ...schedule, timezone: 'Asia/Calcutta' }],
  [
    'what may be null left out',
    {
      ...schedule,
      layers: [{ ...layer, endsAt: undefined, rotation: { unit: 'day', interval: 1, handoffTime: '00:00' } }],
    },
  ],
  [
    'instants in other forms',
    { ...schedule, layers: [{ ...layer, startsAt: '2026-11-16T08:00Z', endsAt: '2026-11-16T10:00:00.5+01:00' }] },
  ],
])('%s is accepted', (_name, input) => expect(validateSchedule(input)).toEqual([]));

test.each<[string, unknown, string[]]>([
  ['no object', [], ['$ type']],
  ['null', null, ['$ required']],
  ['nothing', {}, ['timezone required', 'layers required', 'overrides required']],
  ['other types', { timezone: 1, layers: {}, overrides: 'x' }, ['timezone type', 'layers type', 'overrides type']],
  ['an unknown field', { ...schedule, name: 'x' }, ['name unknown']],
  [
    'an own "__proto__"',
    JSON.parse('{"__proto__":{},"timezone":"UTC","layers":[],"overrides":[]}'),
    ['__proto__ unknown'],
  ],
  ['an unknown zone', { ...schedule, timezone: 'Europe/Atlantis' }, ['timezone timezone']],
  ['an offset for a zone', { ...schedule, timezone: '+02:00' }, ['timezone timezone']],
  ['no zone', { ...schedule, timezone: '' }, ['timezone timezone']],
  ['a layer that is not an object', { ...schedule, layers: ['x', null] }, ['layers[0] type', 'layers[1] type']],
  [
    'too many layers',
    { ...schedule, layers: Array.from({ length: 21 }, (_, i) => ({ ...layer, id: `${i}` })) },
    ['layers maxItems'],
  ],
  ['layers with the same id', { ...schedule, layers: [layer, { ...layer, id: 'x' }, layer] }, ['layers[2].id unique']],
  [
    'layers without an id',
    {
      ...schedule,
      layers: [
        { ...layer, id: undefined },
        { ...layer, id: null },
      ],
    },
    ['layers[0].id required', 'layers[1].id required'],
  ],
  [
    'an unknown field of an override',
    { ...schedule, overrides: [{ ...override, until: 'x' }] },
    ['overrides[0].until unknown'],
  ],
  [
    'an override of nobody',
    { ...schedule, overrides: [{ ...override, userId: '' }] },
    ['overrides[0].userId required'],
  ],
  [
    'an override that ends as it begins',
    { ...schedule, overrides: [{ ...override, endsAt: override.startsAt }] },
    ['overrides[0].endsAt order'],
  ],
  [
    'an override without an end',
    { ...schedule, overrides: [{ ...override, endsAt: null }] },
    ['overrides[0].endsAt required'],
  ],
])('%s', (_name, input, expected) => expect(faults(input)).toEqual(expected));

test.each<[string, object, string[]]>([
  ['no name', { name: undefined }, ['name required']],
  ['an empty name', { name: ' ' }, ['name required']],
  ['a long name', { name: '💥'.repeat(201) }, ['name maxLength']],
  ['a name of 200 characters', { name: '💥'.repeat(200) }, []],
  ['a name that is not a text', { name: 7 }, ['name type']],
  ['members that are not a list', { members: 'usr_1' }, ['members type']],
  ['members that are not texts', { members: ['usr_1', 1, null] }, ['members[1] type', 'members[2] type']],
  ['100 members', { members: new Array(100).fill('usr_1') }, []],
  ['101 members', { members: new Array(101).fill('usr_1') }, ['members maxItems']],
  ['no start', { startsAt: null }, ['startsAt required']],
  ['a start that is not a time', { startsAt: 'tomorrow' }, ['startsAt format']],
  ['a start without an offset', { startsAt: '2026-11-16T08:00:00' }, ['startsAt format']],
  ['a start on 30 February', { startsAt: '2026-02-30T08:00:00Z' }, ['startsAt format']],
  ['a start in a leap second', { startsAt: '2016-12-31T23:59:60Z' }, ['startsAt format']],
  ['an end before the start', { endsAt: '2026-11-16T07:59:59.999Z' }, ['endsAt order']],
  ['an end as it starts, written otherwise', { endsAt: '2026-11-16T09:00+01:00' }, ['endsAt order']],
  [
    'an end that is not a time, after a start that is none',
    { startsAt: 1, endsAt: 'x' },
    ['startsAt type', 'endsAt format'],
  ],
  ['an unknown field', { color: 'red' }, ['color unknown']],
  ['no rotation', { rotation: undefined }, ['rotation required']],
  ['a rotation that is not an object', { rotation: 'weekly' }, ['rotation type']],
  ['restrictions that are not a list', { restrictions: null }, ['restrictions required']],
  ['21 restrictions', { restrictions: new Array(21).fill(layer.restrictions[0]) }, ['restrictions maxItems']],
  [
    'a restriction of nothing',
    { restrictions: [{}] },
    ['restrictions[0].days required', 'restrictions[0].start required', 'restrictions[0].end required'],
  ],
  [
    'a restriction to no day',
    { restrictions: [{ days: [], start: '00:00', end: '24:00' }] },
    ['restrictions[0].days required'],
  ],
  [
    'days there are not, and days twice',
    { restrictions: [{ days: [0, 8, 1, 1.5, '2', 1], start: '00:00', end: '24:00' }] },
    [
      'restrictions[0].days[0] range',
      'restrictions[0].days[1] range',
      'restrictions[0].days[3] type',
      'restrictions[0].days[4] type',
      'restrictions[0].days[5] unique',
    ],
  ],
  [
    'times of day there are not',
    {
      restrictions: [
        { days: [1], start: '24:00', end: '24:01' },
        { days: [1], start: '9:00', end: '09:00:00' },
      ],
    },
    [
      'restrictions[0].start format',
      'restrictions[0].end format',
      'restrictions[1].start format',
      'restrictions[1].end format',
    ],
  ],
])('a layer: %s', (_name, values, expected) => expect(faultsOfLayer(values)).toEqual(expected));

test.each<[string, object, string[]]>([
  ['an unknown unit', { unit: 'year' }, ['unit enum']],
  ['no unit', { unit: null }, ['unit required']],
  [
    'a unit and an interval that cannot be',
    { unit: ['week'], interval: 0, handoffDay: 99 },
    ['unit enum', 'interval range', 'handoffDay range'],
  ],
  ['no interval', { interval: undefined }, ['interval required']],
  ['an interval that is not whole', { interval: 1.5 }, ['interval type']],
  ['an interval that is text', { interval: '1' }, ['interval type']],
  ['720 hours', { unit: 'hour', interval: 720, handoffDay: null }, []],
  ['721 hours', { unit: 'hour', interval: 721, handoffDay: null }, ['interval range']],
  ['365 days', { unit: 'day', interval: 365, handoffDay: null }, []],
  ['366 days', { unit: 'day', interval: 366, handoffDay: null }, ['interval range']],
  ['52 weeks', { interval: 52 }, []],
  ['53 weeks', { interval: 53 }, ['interval range']],
  ['12 months', { unit: 'month', interval: 12, handoffDay: 31 }, []],
  ['13 months', { unit: 'month', interval: 13, handoffDay: 31 }, ['interval range']],
  ['a week without a day', { handoffDay: null }, ['handoffDay required']],
  ['a month without a day', { unit: 'month', handoffDay: undefined }, ['handoffDay required']],
  ['an eighth day of the week', { handoffDay: 8 }, ['handoffDay range']],
  ['a 32nd day of the month', { unit: 'month', handoffDay: 32 }, ['handoffDay range']],
  ['a day by hour', { unit: 'hour' }, ['handoffDay exclusive']],
  ['a day by day', { unit: 'day' }, ['handoffDay exclusive']],
  ['24:00', { handoffTime: '24:00' }, ['handoffTime format']],
  ['no time', { handoffTime: undefined }, ['handoffTime required']],
  ['an unknown field', { handOffDay: 1 }, ['handOffDay unknown']],
])('a rotation: %s', (_name, values, expected) => expect(faultsOfRotation(values)).toEqual(expected));

test('all errors are reported together, but at most 200', () => {
  const bad = { ...layer, name: '', rotation: { ...layer.rotation, handoffDay: 9 }, endsAt: '2020-01-01T00:00:00Z' };
  expect(faults({ timezone: 'x', layers: [bad, layer] })).toEqual([
    'timezone timezone',
    'layers[0].name required',
    'layers[0].rotation.handoffDay range',
    'layers[0].endsAt order',
    'layers[1].id unique',
    'overrides required',
  ]);
  expect(
    faults({ ...schedule, ...Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`field${i}`, 1])) }),
  ).toHaveLength(200);
});

const junk = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    '',
    0,
    1,
    31,
    -1,
    NaN,
    '24:00',
    '09:00',
    'week',
    'UTC',
    '2026-11-21T08:00:00.000Z',
    [],
    {},
  ),
  fc.jsonValue(),
);

test('any schedule without errors can be resolved', () => {
  const wrong = fc.record({
    timezone: fc.oneof(fc.constantFrom('UTC', 'Europe/Berlin'), junk),
    layers: fc.array(
      fc.record({
        id: fc.oneof(fc.uuid(), junk),
        name: fc.constant('x'),
        members: fc.oneof(fc.constant(['a', 'b']), junk),
        rotation: fc.record({
          unit: fc.constantFrom('hour', 'day', 'week', 'month'),
          interval: fc.constantFrom(1, 5),
          handoffTime: fc.constantFrom('09:00', '24:00'),
          handoffDay: fc.constantFrom(null, 7, 31),
        }),
        startsAt: fc.constant('2026-11-21T08:00:00Z'),
        endsAt: fc.constantFrom(null, undefined, '2027-11-21T08:00:00Z'),
        restrictions: fc.oneof(
          fc.constant([]),
          fc.array(
            fc.record({
              days: fc.array(fc.integer({ min: 1, max: 7 })),
              start: fc.constant('09:00'),
              end: fc.constantFrom('08:00', '24:00'),
            }),
          ),
        ),
      }),
    ),
    overrides: fc.oneof({ weight: 4, arbitrary: fc.constant([override]) }, { weight: 1, arbitrary: junk }),
  });
  fc.assert(
    fc.property(fc.oneof({ weight: 4, arbitrary: wrong }, { weight: 1, arbitrary: junk }), (input) => {
      if (validateSchedule(input).length > 0) return;
      const { shifts, gaps } = resolveShifts(input as OnCallSchedule, '2026-11-01T00:00:00Z', '2026-12-15T00:00:00Z');
      expect(shifts.length + gaps.length).toBeGreaterThan(0);
      const { shifts: present, gap } = onCallAt(input as OnCallSchedule, '2026-12-01T00:00:00Z');
      expect(present.length === 0).toBe(gap !== null);
    }),
    { numRuns: 500 },
  );
});

describe('the name, the rotation and the start of a sent layer', () => {
  const from = '2026-11-20T14:00:00.000Z';
  const daily = { unit: 'day', interval: 2, handoffTime: '08:00' } as const;
  const rotation = { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 } as const;
  const before = { ...layer, rotation: { ...daily, handoffDay: null } };

  test.each<[string, Parameters<typeof layerBasics>[0], object, object]>([
    ['are defaults', {}, {}, { name: 'Layer 3', rotation, startsAt: from }],
    [
      'are those of the layer that was there',
      {},
      { before },
      { name: 'Weekly', rotation: before.rotation, startsAt: layer.startsAt },
    ],
    [
      'are what is sent',
      { name: 'Days', rotation: daily, startsAt: '2027-01-01T00:00:00Z' },
      { before: { ...layer, rotation } },
      { name: 'Days', rotation: before.rotation, startsAt: '2027-01-01T00:00:00Z' },
    ],
  ])('%s', (_name, sent, more, expected) => expect(layerBasics(sent, { number: 3, from, ...more })).toEqual(expected));
});
