/** Several members on call at the same time, layers with zones of their own, and planned gaps. */
import fc from 'fast-check';
import { isPlannedGapAt, onCallAt, resolveShifts, type OnCallSchedule, type Restriction } from '../index.js';
import { daily, layer, override, roster, schedule, weekly } from '../../testing/schedules.js';

const since = '2025-06-02T00:00Z'; // a Monday
const until = '2025-06-03T12:00Z';
const hours = (resolved: OnCallSchedule, from = since, to = until): string[] =>
  resolveShifts(resolved, from, to).shifts.map(
    ({ userId, startsAt, endsAt, layerId, overrideId }) =>
      `${startsAt.slice(8, 13)}-${endsAt!.slice(8, 13)} ${userId} ${layerId ?? overrideId}`,
  );

describe('layers that are all on call', () => {
  const primary = layer({ id: 'primary', members: ['bob', 'ann'] });
  const nights = layer({
    id: 'nights',
    members: ['cleo'],
    restrictions: [{ days: [1], start: '20:00', end: '06:00' }],
  });
  const all: OnCallSchedule = { ...schedule([primary, nights]), layerMode: 'all' };

  test('each has its shifts, which overlap', () => {
    expect(hours(all)).toEqual([
      '02T00-02T08 bob primary',
      '02T08-03T08 ann primary',
      '02T20-03T06 cleo nights',
      '03T08-03T12 bob primary',
    ]);
    expect(onCallAt(all, '2025-06-02T21:00Z')).toMatchObject({
      shifts: [
        { userId: 'ann', startsAt: '2025-06-02T20:00:00.000Z', endsAt: '2025-06-03T06:00:00.000Z' },
        { userId: 'cleo', layerId: 'nights' },
      ],
      gap: null,
      next: [{ userId: 'ann', endsAt: '2025-06-03T08:00:00.000Z' }],
    });
  });

  test('a gap is where no layer has anybody', () => {
    const alone: OnCallSchedule = { ...schedule([nights, { ...nights, id: 'again' }]), layerMode: 'all' };
    expect(resolveShifts(alone, since, until).gaps).toEqual([
      { startsAt: '2025-06-02T00:00:00.000Z', endsAt: '2025-06-02T20:00:00.000Z' },
      { startsAt: '2025-06-03T06:00:00.000Z', endsAt: '2025-06-03T12:00:00.000Z' },
    ]);
    expect(onCallAt(alone, '2025-06-02T21:00Z').shifts.map(({ userId, layerId }) => `${userId} ${layerId}`)).toEqual([
      'cleo nights',
      'cleo again',
    ]);
  });

  test('an override takes the place of everybody, or only of the member whom it replaces', () => {
    const times = { startsAt: '2025-06-02T21:00Z', endsAt: '2025-06-02T22:00Z' };
    expect(hours({ ...all, overrides: [override(times)] }).slice(1, 4)).toEqual([
      '02T08-02T21 ann primary',
      '02T20-02T21 cleo nights',
      '02T21-02T22 zoe override',
    ]);
    expect(hours({ ...all, overrides: [override({ ...times, replacesUserId: 'cleo' })] }).slice(1, 5)).toEqual([
      '02T08-03T08 ann primary',
      '02T20-02T21 cleo nights',
      '02T21-02T22 zoe override',
      '02T22-03T06 cleo nights',
    ]);
    const absent = override({ ...times, replacesUserId: 'bob' });
    expect(hours({ ...all, overrides: [absent] })).toEqual(hours(all));
  });

  test('an override of a member who is on call by another override takes that place', () => {
    const times = { startsAt: '2025-06-02T21:00Z', endsAt: '2025-06-02T22:00Z' };
    const older = override({ ...times, id: 'older', createdAt: '2025-05-01T00:00Z' });
    const newer = override({ ...times, id: 'newer', userId: 'yan', replacesUserId: 'zoe' });
    expect(onCallAt({ ...all, overrides: [newer, older] }, times.startsAt).shifts).toMatchObject([
      { userId: 'yan', overrideId: 'newer' },
    ]);
  });
});

describe('several members in each turn', () => {
  test.each<[number, string[], string[]]>([
    [2, ['ann', 'bob', 'cleo', 'dan'], ['ann,bob', 'cleo,dan', 'ann,bob']],
    [2, ['ann', 'bob', 'cleo'], ['ann,bob', 'cleo,ann', 'bob,cleo']],
    [2, ['ann', 'ann', 'bob'], ['ann', 'bob,ann', 'ann,bob']],
    [3, ['ann', 'bob'], ['ann,bob', 'ann,bob', 'ann,bob']],
  ])('%d of %j are %j', (perTurn, members, expected) => {
    const days = schedule([layer({ members, perTurn, startsAt: '2025-06-02T08:00Z' })]);
    const turns = [2, 3, 4].map((date) => onCallAt(days, `2025-06-0${date}T12:00Z`).shifts);
    expect(turns.map((turn) => turn.map(({ userId }) => userId).join())).toEqual(expected);
  });

  test('a member who stays has one shift', () => {
    const days = schedule([layer({ members: ['ann', 'bob', 'cleo'], perTurn: 2, startsAt: '2025-06-02T08:00Z' })]);
    expect(hours(days, since, '2025-06-05T08:00Z')).toEqual([
      '02T08-04T08 ann layer',
      '02T08-03T08 bob layer',
      '03T08-05T08 cleo layer',
      '04T08-05T08 bob layer',
    ]);
  });
});

describe('a layer with a zone of its own', () => {
  test('has hand-offs and restrictions by its clock, also when only one zone changes its clocks', () => {
    const sydney = layer({
      id: 'sydney',
      members: ['ann', 'bob'],
      timezone: 'Australia/Sydney',
      rotation: daily(1, '09:00'),
    });
    const london = layer({
      id: 'london',
      members: ['cleo'],
      restrictions: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '09:00', end: '17:00' }],
    });
    const follow = schedule([sydney, london], { timezone: 'Europe/London' });
    expect(roster(follow, '2025-01-06T00:00Z', '2025-01-07T00:00Z').map((line) => line.slice(11))).toEqual([
      '00:00+00:00 bob',
      '09:00+00:00 cleo',
      '17:00+00:00 bob',
      '22:00+00:00 ann',
    ]);
    expect(roster(follow, '2025-07-07T00:00Z', '2025-07-08T00:00Z').map((line) => line.slice(11))).toEqual([
      '01:00+01:00 bob',
      '09:00+01:00 cleo',
      '17:00+01:00 bob',
      '00:00+01:00 ann',
    ]);
  });
});

describe('planned gaps', () => {
  const office: OnCallSchedule = {
    ...schedule([layer({ members: ['ann'], restrictions: [{ days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }] })]),
    plannedGaps: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '18:00', end: '08:00' }],
  };

  test('are not listed as gaps', () => {
    expect(resolveShifts(office, '2025-06-02T12:00Z', '2025-06-03T12:00Z').gaps).toEqual([
      { startsAt: '2025-06-02T17:00:00.000Z', endsAt: '2025-06-02T18:00:00.000Z' },
      { startsAt: '2025-06-03T08:00:00.000Z', endsAt: '2025-06-03T09:00:00.000Z' },
    ]);
    expect(
      [17, 18, 23, 31, 32].map((hour) => isPlannedGapAt(office, new Date(Date.UTC(2025, 5, 2, hour)).toISOString())),
    ).toEqual([false, true, true, true, false]);
  });

  test('are those of the version that counts', () => {
    const versions: OnCallSchedule = {
      ...office,
      laterVersions: [{ ...office, plannedGaps: [], effectiveFrom: '2025-06-02T20:00Z' }],
    };
    expect(resolveShifts(versions, '2025-06-02T18:00Z', '2025-06-03T00:00Z').gaps).toEqual([
      { startsAt: '2025-06-02T20:00:00.000Z', endsAt: '2025-06-03T00:00:00.000Z' },
    ]);
  });
});

test('who is on call together at an instant is who has a shift then', () => {
  const user = fc.constantFrom('ann', 'bob', 'cleo', 'dan');
  const time = fc.integer({ min: 0, max: 7 * 24 }).map((hour) => Date.UTC(2025, 5, 2, hour));
  const text = (instant: number): string => new Date(instant).toISOString();
  const drawn = fc.record({
    layerMode: fc.constantFrom('last' as const, 'all' as const),
    layers: fc.array(
      fc.record({
        members: fc.array(user, { maxLength: 4 }),
        perTurn: fc.integer({ min: 1, max: 3 }),
        timezone: fc.constantFrom(null, 'Asia/Tokyo'),
        rotation: fc.constantFrom(daily(1, '08:00'), weekly(1, 3, '09:00')),
        restrictions: fc.constantFrom<Restriction[]>([], [{ days: [1, 2, 3], start: '08:00', end: '20:00' }]),
      }),
      { maxLength: 3 },
    ),
    overrides: fc.array(
      fc.record({
        userId: user,
        replacesUserId: fc.option(user),
        start: time,
        length: fc.integer({ min: 1, max: 48 }),
      }),
      { maxLength: 3 },
    ),
    at: time,
  });
  fc.assert(
    fc.property(drawn, ({ layerMode, layers, overrides, at }) => {
      const resolved: OnCallSchedule = {
        timezone: 'Europe/Berlin',
        layerMode,
        layers: layers.map((values, i) => layer({ ...values, id: `layer ${i}` })),
        overrides: overrides.map(({ start, length, ...values }, i) =>
          override({ ...values, id: `override ${i}`, startsAt: text(start), endsAt: text(start + length * 3_600_000) }),
        ),
      };
      const { shifts, gaps } = resolveShifts(resolved, since, '2025-06-10T00:00Z');
      const holds = ({ startsAt, endsAt }: { startsAt: string | null; endsAt: string | null }): boolean =>
        startsAt! <= text(at) && text(at) < endsAt!;
      const who = (of: typeof shifts): string[] =>
        of.map(({ userId, layerId, overrideId }) => `${userId} ${layerId} ${overrideId}`).sort();
      const { shifts: present, gap } = onCallAt(resolved, text(at));
      expect(who(present)).toEqual(who(shifts.filter(holds)));
      expect(gap !== null).toBe(gaps.some(holds));
      expect(gap !== null).toBe(present.length === 0);
      const whole = overrides.filter(
        ({ start, length, replacesUserId }) =>
          replacesUserId === null && start <= at && at < start + length * 3_600_000,
      );
      if (whole.length > 0) expect(present).toHaveLength(1);
    }),
    { numRuns: 300 },
  );
});
