import fc from 'fast-check';
import { isVisible, visibleTypes, type LiveEvent } from './live-event.js';
import { epochOf, firstMessageAfter, isAfter, isReached, positionOf, textOf } from './position.js';
import { RecentEvents, tenantKey } from './recent-events.js';

const eventOf = (organizationId: string): LiveEvent => ({
  organizationId,
  environment: 'live',
  belonging: { clientIds: [], teamId: null },
  data: {
    type: 'alert.created',
    occurredAt: '2026-11-20T14:00:00.000Z',
    resource: { type: 'alert', id: 'alr_1' },
    changed: [],
    fields: {},
  },
});

describe('recent events', () => {
  it('give each tenant its events after a position, in order, or say that they are not kept any more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom('a', 'b', null), { maxLength: 4 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.nat(45),
        fc.nat(4),
        (messages, bytes, sequence, index) => {
          const recent = new RecentEvents({ bytes, ageMs: 10 });
          recent.begin(1);
          const all: { tenant: string; sequence: number; index: number }[] = [];
          messages.forEach((tenants, at) => {
            recent.add(
              'e',
              at + 1,
              tenants.map((tenant) => (tenant === null ? null : eventOf(tenant))),
              at,
            );
            tenants.forEach((tenant, n) => tenant !== null && all.push({ tenant, sequence: at + 1, index: n }));
          });
          expect(recent.next).toBe(messages.length + 1);
          const position = { epoch: 'e', sequence, index };
          if (firstMessageAfter(position) < recent.from) return;
          for (const tenant of ['a', 'b']) {
            const key = tenantKey(eventOf(tenant));
            const seen: string[] = [];
            for (let number = recent.numberAfter(key, position); ; number++) {
              const event = recent.eventAt(key, number);
              if (event === null) break;
              expect(event).not.toBe('dropped');
              if (event !== 'dropped') seen.push(`${event.sequence}.${event.index}`);
            }
            expect(seen).toEqual(
              all
                .filter((one) => one.tenant === tenant && isAfter(one.sequence, one.index, position))
                .map((one) => `${one.sequence}.${one.index}`),
            );
          }
        },
      ),
    );
  });

  it('are dropped above the size and the age, and readers that are behind notice', () => {
    const recent = new RecentEvents({ bytes: 1500, ageMs: 1000 });
    recent.begin(7);
    const key = tenantKey(eventOf('a'));
    for (let n = 0; n < 5; n++) recent.add('e', 7 + n, [eventOf('a')], n);
    expect(recent.size).toBeLessThanOrEqual(1500);
    expect(recent.from).toBeGreaterThan(7);
    expect(recent.eventAt(key, 0)).toBe('dropped');
    expect(recent.eventAt(key, 4)).toMatchObject({ sequence: 11 });
    recent.add('e', 12, [], 5000);
    expect(recent.from).toBe(12);
    expect(recent.eventAt(key, 4)).toBe('dropped');
    expect(recent.eventAt(key, 5)).toBeNull();
  });
});

describe('a position', () => {
  it('is read as it was written', () => {
    const index = fc.oneof(fc.nat(), fc.constant(Infinity));
    fc.assert(
      fc.property(
        fc.nat({ max: 999_999_999_999_999 }),
        index,
        fc.date({ noInvalidDate: true }),
        (sequence, at, date) => {
          const position = { epoch: epochOf(date.toISOString()), sequence, index: at };
          if (at <= 999_999_999 || at === Infinity) expect(positionOf(textOf(position))).toEqual(position);
        },
      ),
    );
  });

  it.each(['', 'x', '-1-2', 'e-1-', 'e--1', 'e-1-2-3', 'E-1', 'e-1e3', ' e-1', 'e-1\n'])('%j is none', (text) =>
    expect(positionOf(text)).toBeNull(),
  );

  it('of another stream, or after the end, is not reached', () => {
    const position = { epoch: 'e', sequence: 4, index: 0 };
    expect([isReached(position, 'e', 5), isReached(position, 'e', 4), isReached(position, 'f', 5)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('an event is visible', () => {
  const to = (clientIds: string[], teamIds: string[] = []) => ({ restrictedTo: { clientIds, teamIds } });
  it.each([
    ['to a key of the whole environment', [], null, {}, true],
    ['of a client of the key', ['a'], null, to(['a', 'b']), true],
    ['of another client', ['c'], null, to(['a']), false],
    ['of several clients of which one is foreign', ['a', 'c'], null, to(['a']), false],
    ['of nobody', [], null, to(['a'], ['t']), false],
    ['of a team of the key', [], 't', to([], ['t']), true],
    ['of another team', [], 'u', to(['a'], ['t']), false],
  ])('%s', (_what, clientIds, teamId, principal, expected) =>
    expect(isVisible({ clientIds, teamId }, principal)).toBe(expected),
  );

  it('with the scope of its record, when its type was asked for', () => {
    expect([...visibleTypes(['incidents:read', 'schedules:read'], ['schedule.handoff', 'alert.created'])]).toEqual([
      'schedule.handoff',
    ]);
    expect(visibleTypes(['alerts:read'], null)).toContain('alert.labelsChanged');
    expect(visibleTypes(['clients:read'], null).size).toBe(0);
  });
});
