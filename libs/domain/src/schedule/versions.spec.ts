/** Edits of schedules: what was, stays. */
import fc from 'fast-check';
import {
  changedFrom,
  membersInTurn,
  onCallAt,
  onCallSchedule,
  resolveShifts,
  versionAt,
  type ScheduleSettings,
  type Versions,
} from '../index.js';
import { daily, layer, override, roster, weekly } from '../../testing/schedules.js';

const settings = (...members: string[]): ScheduleSettings => ({ timezone: 'UTC', layers: [layer({ members })] });
const first = (...members: string[]): Versions => [{ ...settings(...members), effectiveFrom: null }];
const toMembers =
  (...members: string[]) =>
  (before: ScheduleSettings): ScheduleSettings => ({
    ...before,
    layers: before.layers.map((one) => ({ ...one, members })),
  });
const summary = (versions: Versions): string[] =>
  versions.map(({ effectiveFrom, timezone, layers }) => `${effectiveFrom} ${timezone} ${layers[0]?.members.join()}`);

const monday = '2025-06-02T00:00:00.000Z';
const tuesday = '2025-06-03T00:00:00.000Z';
const friday = '2025-06-06T00:00:00.000Z';

describe('an edit', () => {
  const planned = changedFrom(first('ann'), friday, toMembers('cleo'));

  test.each<[string, Versions, string[]]>([
    [
      'counts from its time on',
      changedFrom(first('ann'), monday, toMembers('bob')),
      ['null UTC ann', `${monday} UTC bob`],
    ],
    ['is nothing when it changes nothing', changedFrom(first('ann'), monday, toMembers('ann')), ['null UTC ann']],
    [
      'at the time of another one takes its place',
      changedFrom(planned, friday, toMembers('bob')),
      ['null UTC ann', `${friday} UTC bob`],
    ],
    [
      'back to what was before takes the place of a later one',
      changedFrom(planned, friday, toMembers('ann')),
      ['null UTC ann'],
    ],
    [
      'before a planned one changes what it names, and keeps the rest of the plan',
      changedFrom(planned, tuesday, (before) => ({ ...before, timezone: 'Asia/Tokyo' })),
      ['null UTC ann', `${tuesday} Asia/Tokyo ann`, `${friday} Asia/Tokyo cleo`],
    ],
    [
      'of the members before a planned one of the members drops the plan',
      changedFrom(planned, tuesday, toMembers('bob')),
      ['null UTC ann', `${tuesday} UTC bob`],
    ],
    [
      'before the first version that is known is the first version',
      changedFrom([{ ...settings('ann'), effectiveFrom: friday }], monday, toMembers('bob')),
      [`${monday} UTC bob`],
    ],
  ])('%s', (_name, versions, expected) => expect(summary(versions)).toEqual(expected));

  test('cuts the shifts at its time, and the first version counts for all time before', () => {
    const versions = changedFrom(first('ann'), '2025-06-03T12:30:00Z', toMembers('bob'));
    expect(roster(onCallSchedule(versions), '2025-06-03T00:00Z', '2025-06-04T00:00Z')).toEqual([
      '2025-06-03T00:00+00:00 ann',
      '2025-06-03T12:30+00:00 bob',
    ]);
    expect(onCallAt(onCallSchedule(versions), '2025-06-03T12:30Z')).toMatchObject({
      shifts: [{ userId: 'bob', startsAt: '2025-06-03T12:30:00.000Z' }],
    });
    expect(onCallAt(onCallSchedule(versions), '2025-06-03T12:29Z')).toMatchObject({
      shifts: [{ userId: 'ann', startsAt: '2025-01-01T00:00:00.000Z', endsAt: '2025-06-03T12:30:00.000Z' }],
      next: [{ userId: 'bob' }],
    });
  });

  test('of another layer does not cut a shift', () => {
    const versions = changedFrom(first('ann'), tuesday, (before) => ({
      ...before,
      layers: [layer({ id: 'below', members: ['bob'] }), ...before.layers],
    }));
    expect(resolveShifts(onCallSchedule(versions), monday, friday).shifts).toHaveLength(1);
  });

  test('that removes all layers leaves the past, and a gap that began with the edit', () => {
    const versions = changedFrom(first('ann'), tuesday, (before) => ({ ...before, layers: [] }));
    expect(onCallAt(onCallSchedule(versions), '2026-01-01T00:00Z')).toEqual({
      shifts: [],
      gap: { startsAt: tuesday, endsAt: null },
      next: [],
    });
    expect(onCallAt(onCallSchedule(versions), monday).shifts).toMatchObject([{ userId: 'ann', endsAt: tuesday }]);
  });
});

describe('any sequence of edits', () => {
  const day = 86_400_000;
  const start = Date.parse(monday);
  const edits = fc.array(
    fc.record({
      /** Quarters of an hour since the edit before. */
      wait: fc.integer({ min: 0, max: 400 }),
      /** Quarters of an hour from the edit to the time from which it counts. */
      ahead: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 600 })),
      members: fc.option(fc.array(fc.constantFrom('ann', 'bob', 'cleo', 'dan'), { maxLength: 4 }), { nil: undefined }),
      timezone: fc.option(fc.constantFrom('UTC', 'Asia/Tokyo', 'America/New_York'), { nil: undefined }),
      layerMode: fc.option(fc.constantFrom('last' as const, 'all' as const), { nil: undefined }),
    }),
    { maxLength: 8 },
  );
  const base: Versions = [
    {
      timezone: 'UTC',
      layers: [layer({ id: 'a' }), layer({ id: 'b', members: ['dan'], rotation: weekly(1, 1, '09:00') })],
      effectiveFrom: null,
    },
  ];
  const overrides = [override({ startsAt: '2025-06-04T00:00Z', endsAt: '2025-06-05T00:00Z' })];

  test('leaves who was on call before each edit, whoever asks later', () => {
    fc.assert(
      fc.property(edits, (sequence) => {
        let now = start;
        let versions = base;
        for (const { wait, ahead, members, timezone, layerMode } of sequence) {
          now += wait * 900_000;
          const at = new Date(now + ahead * 900_000).toISOString();
          const next = changedFrom(versions, at, (before) => ({
            ...before,
            ...(timezone && { timezone }),
            ...(layerMode && { layerMode }),
            layers: members ? before.layers.map((one) => ({ ...one, members })) : before.layers,
          }));
          const past = (of: Versions): unknown =>
            resolveShifts(onCallSchedule(of, overrides), new Date(start - 10 * day).toISOString(), at);
          expect(past(next)).toEqual(past(versions));
          const times = next.map(({ effectiveFrom }) => effectiveFrom ?? '');
          expect(times).toEqual([...new Set(times)].sort());
          if (members)
            for (const version of next.slice(next.indexOf(versionAt(next, at))))
              expect(version.layers.map((one) => one.members)).toEqual(version.layers.map(() => members));
          versions = next;
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('everybody in turn', () => {
  const days = layer({ members: ['ann', 'bob', 'cleo'], rotation: daily(1, '08:00'), startsAt: '2025-06-02T08:00Z' });

  test.each<[string, string[], string, string[]]>([
    ['who joins comes in turn, and who has the turn keeps it', ['ann', 'bob', 'cleo', 'dan'], 'bob', ['cleo', 'dan']],
    ['who left is left out', ['bob', 'cleo'], 'bob', ['cleo', 'bob']],
    ['when the one who had the turn left, it is of the next', ['ann', 'cleo'], 'cleo', ['ann', 'cleo']],
    ['all others', ['eve', 'fay'], 'fay', ['eve', 'fay']],
  ])('%s', (_name, everybody, present, following) => {
    const at = '2025-06-03T12:00:00.000Z'; // Bob's turn
    const next = changedFrom([{ timezone: 'UTC', layers: [days], effectiveFrom: null }], at, (before) => ({
      ...before,
      layers: before.layers.map((one) => ({ ...one, members: membersInTurn(one, 'UTC', everybody, at) })),
    }));
    const who = roster(onCallSchedule(next), at, '2025-06-05T12:00Z').map((line) => line.split(' ')[1]);
    expect(who).toEqual([present, ...following]);
  });

  test('before its start, and without anybody, it has the order of the members', () => {
    expect(membersInTurn(days, 'UTC', ['dan', 'ann'], '2025-06-01T00:00Z')).toEqual(['dan', 'ann']);
    expect(membersInTurn({ ...days, members: [] }, 'UTC', ['dan', 'ann'], '2025-06-09T00:00Z')).toEqual(['dan', 'ann']);
    expect(membersInTurn(days, 'UTC', [], '2025-06-09T00:00Z')).toEqual([]);
  });

  test('a newcomer never takes a turn from somebody in the midst of it', () => {
    const time = fc.integer({ min: 0, max: 400 }).map((hours) => new Date(Date.parse(monday) + hours * 3_600_000));
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 6 }), (instant, perTurn, count) => {
        const members = Array.from({ length: count }, (_, i) => `member ${i}`);
        const before = { ...days, perTurn, members, startsAt: monday };
        const at = instant.toISOString();
        const after = { ...before, members: membersInTurn(before, 'UTC', [...members, 'new'], at) };
        const [was] = resolveShifts(
          { timezone: 'UTC', layers: [before], overrides: [] },
          at,
          '2025-12-01T00:00Z',
        ).shifts;
        const is = onCallAt({ timezone: 'UTC', layers: [after], overrides: [] }, at).shifts;
        expect(is.map(({ userId }) => userId)).toContain(was!.userId);
        expect(new Set(after.members)).toEqual(new Set([...members, 'new']));
      }),
    );
  });
});
