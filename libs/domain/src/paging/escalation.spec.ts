import fc from 'fast-check';
import { incidentWith, minutes, paging, pagingIncident } from '../../testing/incidents.js';
import {
  alertsJoined,
  begun,
  catchAllBegun,
  dueAt,
  exhausted,
  handled,
  levelTold,
  newPaging,
  nextStep,
  noEscalation,
  paused,
  resumed,
  stopped,
  type Escalated,
  type Escalation,
  type EscalationStage,
  type NextStep,
  type Told,
} from './escalation.js';
import type { PolicyLevel, PolicySettings } from './policy.js';

const policyOf = (levels: number, repeat = 0): PolicySettings => ({
  levels: Array.from({ length: levels }, (_, i): PolicyLevel => ({
    id: `level-${i + 1}`,
    targets: [],
    escalateAfterSeconds: 600,
  })),
  repeat,
  ackTimeoutSeconds: null,
});
const toldTo = (...userIds: string[]): Told[] =>
  userIds.map((userId) => ({ userId, at: minutes(5), notificationId: `ntf_${userId}` }));
const nobody: Escalated = { escalation: noEscalation, paging: null };

describe('the next step', () => {
  type Before = [stage: EscalationStage, round: number, level: number, reached: boolean];
  test.each<[string, Before, PolicySettings | null, Partial<NextStep>]>([
    [
      'is the first level in the beginning',
      ['policy', 1, 0, false],
      policyOf(3),
      { kind: 'level', round: 1, level: 1 },
    ],
    ['is the next level', ['policy', 1, 1, true], policyOf(3), { kind: 'level', round: 1, level: 2 }],
    [
      'is the next level after one that reached nobody',
      ['policy', 1, 1, false],
      policyOf(3),
      { kind: 'level', round: 1, level: 2 },
    ],
    ['is the catch-all policy after the last level', ['policy', 1, 3, true], policyOf(3), { kind: 'catchAll' }],
    [
      'is the first level of the second round when the policy repeats',
      ['policy', 1, 3, true],
      policyOf(3, 1),
      { kind: 'level', round: 2, level: 1 },
    ],
    [
      'is the last round when the policy repeats nine times',
      ['policy', 9, 3, true],
      policyOf(3, 9),
      { kind: 'level', round: 10, level: 1 },
    ],
    ['is the catch-all policy after the last round', ['policy', 10, 3, true], policyOf(3, 9), { kind: 'catchAll' }],
    [
      'is the catch-all policy after a round that reached nobody',
      ['policy', 1, 3, false],
      policyOf(3, 9),
      { kind: 'catchAll' },
    ],
    ['is the catch-all policy without a policy', ['policy', 1, 0, false], null, { kind: 'catchAll' }],
    [
      'is the first level of the catch-all policy',
      ['catchAll', 1, 0, false],
      policyOf(2),
      { kind: 'level', round: 1, level: 1 },
    ],
    [
      'is the second round of the catch-all policy',
      ['catchAll', 1, 2, true],
      policyOf(2, 1),
      { kind: 'level', round: 2, level: 1 },
    ],
    ['are the owners after the catch-all policy', ['catchAll', 1, 2, true], policyOf(2), { kind: 'owners' }],
    ['are the owners without a catch-all policy', ['catchAll', 1, 0, false], null, { kind: 'owners' }],
    [
      'are the owners after a catch-all policy that reached nobody',
      ['catchAll', 1, 2, false],
      policyOf(2, 5),
      { kind: 'owners' },
    ],
    ['are the owners after the owners', ['owners', 1, 1, true], policyOf(3, 9), { kind: 'owners' }],
    ['is a level that was added since', ['policy', 1, 2, true], policyOf(4), { kind: 'level', round: 1, level: 3 }],
    [
      'is the next round when levels were removed since',
      ['policy', 1, 3, true],
      policyOf(1, 1),
      { kind: 'level', round: 2, level: 1 },
    ],
    [
      'is the catch-all policy when levels and rounds were removed since',
      ['policy', 3, 2, true],
      policyOf(1, 1),
      { kind: 'catchAll' },
    ],
    ['is the catch-all policy when the policy was deleted since', ['policy', 1, 1, true], null, { kind: 'catchAll' }],
  ])('%s', (_name, [stage, round, level, reached], policy, expected) => {
    expect(nextStep({ round, level }, { stage, reached }, policy)).toMatchObject(expected);
  });

  test.each<[string, string[], string[] | undefined, string[]]>([
    ['a level before it was removed', ['b', 'c'], ['a', 'b'], ['a', 'b', 'c']],
    ['the level itself was removed', ['a', 'c'], ['a', 'b'], ['a', 'b', 'c']],
    ['all levels that were told were removed', ['c', 'd'], ['a', 'b'], ['a', 'b', 'c']],
    ['the level has moved to the end', ['b', 'c', 'a'], ['a'], ['a', 'b']],
    ['a level that was told has moved behind the next one', ['b', 'c', 'a'], ['a', 'b'], ['a', 'b', 'c']],
    ['a level was added before it', ['x', 'a', 'b'], ['a'], ['a', 'x']],
    ['an earlier release has stored no ids', ['a', 'b', 'c'], undefined, ['a', 'b']],
  ])('leaves out no level and tells none twice when %s', (_name, levels, levelIds, expected) => {
    const policy = { levels: levels.map((id) => ({ id })), repeat: 0 };
    const step = nextStep(
      { round: 1, level: levelIds?.length ?? 1 },
      { stage: 'policy', reached: true, ...(levelIds && { levelIds }) },
      policy,
    );
    expect(step).toEqual({ kind: 'level', round: 1, level: expected.length, levelIds: expected });
  });

  test('counts the levels of the policy after an earlier release has told one without its id', () => {
    const policy = { levels: ['a', 'b', 'c'].map((id) => ({ id })), repeat: 0 };
    expect(nextStep({ round: 1, level: 2 }, { stage: 'policy', reached: true, levelIds: ['a'] }, policy)).toEqual({
      kind: 'level',
      round: 1,
      level: 3,
      levelIds: ['a', 'b', 'c'],
    });
  });
});

describe('a level that was told', () => {
  test('is followed by the next one at its time, and its people are known', () => {
    expect(
      levelTold(paging(), { round: 1, level: 3, levelIds: [] }, toldTo('usr_2', 'usr_3'), minutes(15)),
    ).toMatchObject({
      escalation: {
        state: 'escalating',
        episode: 1,
        level: 3,
        nextAt: minutes(15),
        told: [{ userId: 'usr_1' }, { userId: 'usr_2' }, { userId: 'usr_3' }],
      },
      paging: { reached: true },
    });
  });

  test.each([
    ['reaches nobody, and nobody was reached before', 2, false, [], false],
    ['reaches nobody after a level that reached somebody', 2, true, [], true],
    ['is the first one of a round and reaches nobody', 1, true, [], false],
    ['is the first one of a round and reaches somebody', 1, false, ['usr_2'], true],
  ])('%s: the round knows it', (_name, level, before, told, reached) => {
    const after = levelTold(
      paging({}, { reached: before }),
      { round: 1, level, levelIds: [] },
      toldTo(...told),
      minutes(5),
    );
    expect(after.paging?.reached).toBe(reached);
  });

  test('keeps the 200 newest people', () => {
    const many = toldTo(...Array.from({ length: 200 }, (_, i) => `usr_${i + 2}`));
    const { escalation } = levelTold(paging(), { round: 1, level: 1, levelIds: [] }, many, minutes(15));
    expect(escalation.told).toEqual(many);
    expect(exhausted({ escalation, paging: newPaging }, toldTo('usr_x')).escalation.told).toHaveLength(200);
  });
});

test('the catch-all policy begins with its first level, at once, in the same episode', () => {
  const { escalation, paging: after } = catchAllBegun(paging({ round: 3, level: 4 }, { reached: true }));
  expect(escalation).toMatchObject({ state: 'escalating', episode: 1, round: 1, level: 0, nextAt: minutes(10) });
  expect(after).toMatchObject({ stage: 'catchAll', reached: false });
});

test('after the owners the escalation is exhausted, and nothing is due', () => {
  const ended = exhausted(paging(), toldTo('usr_9'));
  expect(ended).toMatchObject({
    escalation: { state: 'exhausted', nextAt: null, told: [{ userId: 'usr_1' }, { userId: 'usr_9' }] },
    paging: { stage: 'owners' },
  });
  expect(dueAt(ended)).toBeNull();
  expect(begun(ended, minutes(20))).toMatchObject({
    escalation: { state: 'escalating', episode: 2, round: 1, level: 0, nextAt: minutes(20), told: [] },
    paging: { stage: 'policy', reached: false },
  });
});

describe('a pause', () => {
  test('keeps the time that was left, and the escalation goes on where it was', () => {
    const waiting = paused(paging(), minutes(4));
    expect(waiting).toMatchObject({
      escalation: { state: 'paused', round: 1, level: 2, nextAt: null },
      paging: { remainingMs: 360_000 },
    });
    expect(dueAt(waiting)).toBeNull();
    expect(resumed(waiting, minutes(100))).toMatchObject({
      escalation: { state: 'escalating', round: 1, level: 2, nextAt: minutes(106) },
      paging: { remainingMs: null },
    });
  });

  test('of a level that was due already lets it be due at once', () => {
    expect(resumed(paused(paging(), minutes(30)), minutes(100)).escalation.nextAt).toBe(minutes(100));
  });

  test.each<Escalation['state']>(['waiting', 'stopped', 'exhausted', 'paused'])(
    'changes nothing that is %s',
    (state) => {
      const before = paging({ state, nextAt: null });
      expect(paused(before, minutes(4))).toEqual(before);
    },
  );

  test.each<Escalation['state']>(['escalating', 'waiting', 'stopped', 'exhausted'])(
    'that is no pause is not ended: %s stays',
    (state) => expect(resumed(paging({ state }), minutes(4))).toEqual(paging({ state })),
  );

  test('ends with an acknowledgement, a resolve or a new episode', () => {
    const before = paused(paging(), minutes(4));
    const after = [handled(before, null), stopped(before), begun(before, minutes(6))];
    expect(after.map(({ escalation, paging: more }) => [escalation.state, more?.remainingMs])).toEqual([
      ['waiting', null],
      ['stopped', null],
      ['escalating', null],
    ]);
  });
});

test('an incident that pages nobody has no level, whatever happens to it', () => {
  const all = [begun(nobody, minutes(1)), handled(nobody, null), stopped(nobody), paused(nobody, minutes(1))];
  expect(all).toEqual(all.map(() => nobody));
  expect(begun(handled(nobody, minutes(60)), minutes(60))).toEqual(nobody);
});

describe('alerts that join an acknowledged incident', () => {
  const joinAt = (...times: [minute: number, added: number][]) =>
    times.reduce<{ paging: typeof newPaging; told: [number, number][] }>(
      ({ paging: before, told }, [minute, added]) => {
        const after = alertsJoined(before, added, minutes(minute));
        return { paging: after.paging, told: [...told, [minute, after.tellNow]] };
      },
      { paging: newPaging, told: [] },
    );

  test('the first is told at once', () => {
    expect(joinAt([1, 1]).told).toEqual([[1, 1]]);
  });

  test('later ones are told together, at most every five minutes', () => {
    const { told, paging: after } = joinAt(
      [1, 1],
      [2, 3],
      [5.9, 2],
      [6, 0],
      [7, 1],
      [10.9, 0],
      [11, 0],
      [20, 0],
      [30, 4],
    );
    expect(told).toEqual([
      [1, 1],
      [2, 0],
      [5.9, 0],
      [6, 5],
      [7, 0],
      [10.9, 0],
      [11, 1],
      [20, 0],
      [30, 4],
    ]);
    expect(after.joined).toEqual({ toldAt: minutes(30), untold: 0 });
  });

  test('the incident is due when the next ones may be told', () => {
    const acknowledged = pagingIncident(paging({ state: 'waiting', nextAt: null }));
    expect(dueAt({ ...acknowledged, paging: joinAt([1, 1]).paging })).toBeNull();
    expect(dueAt({ ...acknowledged, paging: joinAt([1, 1], [2, 1]).paging })).toBe(minutes(6));
  });

  test('nothing is told twice, and nothing is left out', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.nat(3)), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (given) => {
        const sorted = [...given].sort(([a], [b]) => a - b).map(([ms, added]): [number, number] => [ms / 1_000, added]);
        const { told, paging: after } = joinAt(...sorted);
        const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
        expect(sum(told.map(([, count]) => count)) + (after.joined?.untold ?? 0)).toBe(
          sum(sorted.map(([, added]) => added)),
        );
        const times = told.filter(([, count]) => count > 0).map(([minute]) => minute);
        for (const [i, time] of times.entries())
          if (i > 0) expect(time - times[i - 1]!).toBeGreaterThanOrEqual(5 - 1e-9);
      }),
    );
  });
});

test.each<[string, Partial<Escalation>, Parameters<typeof paging>[1], string | null]>([
  ['the next level', {}, {}, minutes(10)],
  ['the end of the acknowledgement', { state: 'waiting', nextAt: minutes(30) }, {}, minutes(30)],
  [
    'the alerts that joined',
    { state: 'waiting', nextAt: minutes(30) },
    { joined: { toldAt: minutes(3), untold: 2 } },
    minutes(8),
  ],
  ['the end of the flapping', {}, { flappingUntil: minutes(9) }, minutes(9)],
  ['no timer, while nothing fires', { state: 'paused', nextAt: null }, {}, null],
  ['no timer, when everybody was told', { state: 'exhausted', nextAt: null }, {}, null],
])('the incident is due with its earliest timer: %s', (_name, escalation, more, expected) => {
  expect(dueAt(paging(escalation, more))).toBe(expected);
});

test('an incident without an escalation is never due', () => {
  expect(dueAt(incidentWith())).toBeNull();
});

test('whoever is reachable, an escalation ends after all levels, rounds and policies', () => {
  const policy = fc.option(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 9 })), { nil: null });
  fc.assert(
    fc.property(policy, policy, fc.infiniteStream(fc.boolean()), (own, catchAll, reachable) => {
      const policies = { policy: own && policyOf(...own), catchAll: catchAll && policyOf(...catchAll), owners: null };
      let now: Escalated = begun(nobodyYet(), minutes(0));
      const told: string[] = [];
      const limit = (own ? own[0] * (own[1] + 1) : 0) + (catchAll ? catchAll[0] * (catchAll[1] + 1) : 0) + 2;
      for (let steps = 0; now.escalation.state !== 'exhausted'; steps++) {
        expect(steps).toBeLessThan(limit);
        const stage = now.paging?.stage ?? 'owners';
        const next = nextStep(now.escalation, now.paging ?? newPaging, policies[stage]);
        if (next.kind === 'owners') now = exhausted(now, []);
        else if (next.kind === 'catchAll') now = catchAllBegun(now);
        else {
          told.push(`${stage} ${next.round}.${next.level}`);
          now = levelTold(now, next, reachable.next().value ? toldTo('usr_1') : [], minutes(1));
        }
      }
      expect(new Set(told).size).toBe(told.length);
      const everyLevel = (stage: EscalationStage, levels: number) =>
        Array.from({ length: levels }, (_, i) => `${stage} 1.${i + 1}`);
      expect(told).toEqual(
        expect.arrayContaining([...everyLevel('policy', own?.[0] ?? 0), ...everyLevel('catchAll', catchAll?.[0] ?? 0)]),
      );
    }),
  );
});

const nobodyYet = (): Escalated => ({ escalation: noEscalation, paging: newPaging });
