import fc from 'fast-check';
import { decideHandOff, onCallAt, type OnCallSchedule } from '../index.js';
import { daily, hourly, layer, override, schedule, weekly } from '../../testing/schedules.js';

const start = Date.parse('2025-03-28T12:00:00Z');
const hour = 3_600_000;
const text = (at: number): string => new Date(at).toISOString();

/** Over a clock change of Berlin. */
const resolved: fc.Arbitrary<OnCallSchedule> = fc
  .record({
    rotation: fc.constantFrom(daily(1, '02:00'), weekly(1, 1, '09:00'), hourly(5, '06:00')),
    members: fc.uniqueArray(fc.constantFrom('ann', 'bob', 'cleo')),
    second: fc.uniqueArray(fc.constantFrom('ann', 'zoe')),
    layerMode: fc.constantFrom('last' as const, 'all' as const),
    restricted: fc.boolean(),
    overrides: fc.array(
      fc.record({
        userId: fc.constantFrom('ann', 'zoe'),
        from: fc.integer({ min: -5, max: 90 }),
        hours: fc.integer({ min: 1, max: 30 }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ rotation, members, second, layerMode, restricted, overrides }) => ({
    ...schedule(
      [
        layer({ members, rotation }),
        layer({
          id: 'second',
          members: second,
          restrictions: restricted ? [{ days: [6, 7], start: '10:00', end: '16:00' }] : [],
        }),
      ],
      {
        timezone: 'Europe/Berlin',
        overrides: overrides.map(({ userId, from, hours }, i) =>
          override({
            id: `override-${i}`,
            userId,
            startsAt: text(start + from * hour),
            endsAt: text(start + (from + hours) * hour),
          }),
        ),
      },
    ),
    layerMode,
  }));

const membersAt = (one: OnCallSchedule, at: number): string[] =>
  [...new Set(onCallAt(one, text(at)).shifts.map(({ userId }) => userId))].sort();

describe('hand-offs', () => {
  it('are each change of the members on call, once, when it is decided at the times that the decisions name', () => {
    fc.assert(
      fc.property(resolved, (one) => {
        const end = start + 4 * 24 * hour;
        const found: string[] = [];
        let { userIds: told } = decideHandOff(one, null, text(start));
        for (let at = start; at < end;) {
          const decision = decideHandOff(one, told, text(at));
          if (decision.isHandOff) found.push(`${text(at)} ${told.join()} ${decision.userIds.join()}`);
          told = decision.userIds;
          expect(Date.parse(decision.lookAt)).toBeGreaterThan(at);
          at = Date.parse(decision.lookAt);
        }
        const expected: string[] = [];
        let before = membersAt(one, start);
        for (let at = start; at < end; at += hour) {
          const present = membersAt(one, at);
          if (present.join() !== before.join()) expected.push(`${text(at)} ${before.join()} ${present.join()}`);
          before = present;
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('are one after a day without decisions: from those who were told last to those who are on call now', () => {
    const rotation = schedule([layer({ rotation: hourly(1, '00:00'), members: ['ann', 'bob', 'cleo'] })]);
    const { userIds: told } = decideHandOff(rotation, null, '2025-06-01T00:30:00Z');
    const later = decideHandOff(rotation, told, '2025-06-02T02:30:00Z');
    expect(later).toMatchObject({ isHandOff: true, endsAt: '2025-06-02T03:00:00.000Z' });
    expect(later.userIds).not.toEqual(told);
    expect(decideHandOff(rotation, told, '2025-06-02T03:30:00Z')).toMatchObject({ isHandOff: false, userIds: told });
  });

  const one = schedule([layer({ members: ['ann'] })]);
  test.each([
    ['nothing was told yet', null, false],
    ['the same member is on call', ['ann'], false],
    ['another member was on call', ['bob'], true],
    ['nobody was on call', [], true],
    ['one of two members is left', ['ann', 'bob'], true],
  ])('%s: %p', (_, told, isHandOff) => {
    expect(decideHandOff(one, told, '2025-06-01T00:00:00Z')).toMatchObject({ isHandOff, userIds: ['ann'] });
  });

  it('are also the begin and the end of a gap', () => {
    const empty = schedule([]);
    expect(decideHandOff(empty, ['ann'], '2025-06-01T00:00:00Z')).toMatchObject({ isHandOff: true, shift: null });
    expect(decideHandOff(empty, [], '2025-06-01T00:00:00Z')).toMatchObject({ isHandOff: false, endsAt: null });
  });
});
