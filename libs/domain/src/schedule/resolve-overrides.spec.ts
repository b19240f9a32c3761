import { Temporal } from 'temporal-polyfill';
import { onCallAt, resolveShifts, type ScheduleOverride } from '../index.js';
import { weekly, layer, override, schedule, roster } from '../../testing/schedules.js';

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
    ['before anything, far away', '2020-01-01T00:00Z', { shifts: [], gap: { startsAt: null, endsAt: null }, next: [] }],
    [
      'before anything',
      '2025-06-02T08:59:59.999Z',
      { shifts: [], gap: { startsAt: null, endsAt: '2025-06-02T09:00:00.000Z' }, next: [ann] },
    ],
    ['as it begins', '2025-06-02T09:00Z', { shifts: [ann], gap: null, next: [bob] }],
    ['in the middle', '2025-06-05T01:23:45.678Z', { shifts: [ann], gap: null, next: [bob] }],
    ['just before a hand-off', '2025-06-09T08:59:59.999Z', { shifts: [ann], gap: null, next: [bob] }],
    ['at a hand-off', '2025-06-09T09:00Z', { shifts: [bob], gap: null, next: [cleo] }],
    ['in the last shift', '2025-06-16T10:00Z', { shifts: [cleo], gap: null, next: [] }],
    [
      'as it ends',
      '2025-06-16T12:00Z',
      { shifts: [], gap: { startsAt: '2025-06-16T12:00:00.000Z', endsAt: null }, next: [] },
    ],
    [
      'long after',
      '2035-01-01T00:00Z',
      { shifts: [], gap: { startsAt: '2025-06-16T12:00:00.000Z', endsAt: null }, next: [] },
    ],
  ])('%s', (_name, at, expected) => expect(onCallAt(schedule([week]), at)).toEqual(expected));

  test('a shift longer than 400 days has its true start and no end', () => {
    const alone = schedule([layer({ members: ['ann', 'ann'], startsAt: '2015-01-01T00:00Z' })]);
    expect(onCallAt(alone, '2025-06-02T00:00Z')).toEqual({
      shifts: [shift('ann', '2015-01-01T00:00', null)],
      gap: null,
      next: [],
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
    expect(found.shifts[0]?.endsAt).toBe(endsAt);
    expect(found.next[0]?.userId).toBe(endsAt === null ? undefined : 'bob');
  });

  test.each(['2025-06-03T09:00Z', '2025-06-03T16:59Z'])(
    'a shift begins after the preceding gap, whoever was on call before (%s)',
    (at) => {
      const days = schedule([
        layer({ members: ['ann'], restrictions: [{ days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }] }),
      ]);
      expect(onCallAt(days, at)).toEqual({
        shifts: [shift('ann', '2025-06-03T09:00', '2025-06-03T17:00')],
        gap: null,
        next: [shift('ann', '2025-06-04T09:00', '2025-06-04T17:00')],
      });
    },
  );

  test('next is the next member, also after a gap', () => {
    const nights = schedule([layer({ members: ['ann'], restrictions: [{ days: [5], start: '22:00', end: '06:00' }] })]);
    const {
      shifts: [present],
      next: [next],
    } = onCallAt(nights, '2025-06-07T00:00Z');
    expect([present!.startsAt, present!.endsAt, next!.startsAt, next!.endsAt]).toEqual([
      '2025-06-06T22:00:00.000Z',
      '2025-06-07T06:00:00.000Z',
      '2025-06-13T22:00:00.000Z',
      '2025-06-14T06:00:00.000Z',
    ]);
    expect(onCallAt(nights, '2025-06-08T00:00Z')).toEqual({
      shifts: [],
      gap: { startsAt: present!.endsAt, endsAt: next!.startsAt },
      next: [next],
    });
  });
});
