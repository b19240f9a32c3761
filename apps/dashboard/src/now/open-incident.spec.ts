import fc from 'fast-check';
import { byNeed, holdersOf, nextOf, waitsFor, type OpenIncident } from './open-incident.js';

const escalation: OpenIncident['escalation'] = {
  state: 'stopped',
  episode: 0,
  round: 0,
  level: 0,
  nextAt: null,
  told: [],
};
const incident = (more: Partial<OpenIncident> = {}): OpenIncident => ({
  id: 'inc_1',
  status: 'triggered',
  urgency: 'high',
  severity: 'high',
  triggeredAt: '2026-11-20T14:00:00.000Z',
  snoozedUntil: null,
  assigneeIds: [],
  acknowledgedBy: null,
  escalation,
  ...more,
});

describe('the order', () => {
  it('begins with what nobody has, then urgency, then severity, then the oldest', () => {
    const ordered = [
      incident({ id: 'critical', severity: 'critical' }),
      incident({ id: 'older', triggeredAt: '2026-11-20T13:00:00.000Z' }),
      incident({ id: 'newer' }),
      incident({ id: 'low', urgency: 'low', severity: 'critical' }),
      incident({ id: 'snoozed', snoozedUntil: '2026-11-21T00:00:00.000Z' }),
      incident({ id: 'taken', status: 'acknowledged', severity: 'critical' }),
    ];
    expect([...ordered].reverse().sort(byNeed)).toEqual(ordered);
  });

  it('is the same however the list was ordered before', () => {
    const arbitrary = fc.record({
      id: fc.uuid(),
      status: fc.constantFrom('triggered' as const, 'acknowledged' as const),
      urgency: fc.constantFrom('high' as const, 'low' as const),
      severity: fc.constantFrom('critical' as const, 'low' as const),
      triggeredAt: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    });
    fc.assert(
      fc.property(fc.uniqueArray(arbitrary, { selector: ({ triggeredAt }) => triggeredAt }), (parts) => {
        const incidents = parts.map((part) => incident(part));
        const ids = (list: OpenIncident[]): string[] => list.map(({ id }) => id);
        expect(ids([...incidents].reverse().sort(byNeed))).toEqual(ids([...incidents].sort(byNeed)));
      }),
    );
  });
});

describe('what happens next', () => {
  const now = Date.parse('2026-11-20T14:05:00.000Z');
  const at = '2026-11-20T14:10:00.000Z';
  it.each([
    [
      'the next level',
      incident({ escalation: { ...escalation, state: 'escalating', level: 1, nextAt: at } }),
      { kind: 'level', level: 2, at },
    ],
    [
      'after a snooze',
      incident({ snoozedUntil: at, escalation: { ...escalation, state: 'escalating', nextAt: at } }),
      { kind: 'snoozed', until: at },
    ],
    ['a snooze that has ended', incident({ snoozedUntil: '2026-11-20T14:00:00.000Z' }), { kind: 'nothing' }],
    [
      'all over again',
      incident({ status: 'acknowledged', escalation: { ...escalation, state: 'waiting', nextAt: at } }),
      { kind: 'again', at },
    ],
    ['nobody is left', incident({ escalation: { ...escalation, state: 'exhausted' } }), { kind: 'exhausted' }],
    [
      'nothing',
      incident({ status: 'acknowledged', escalation: { ...escalation, state: 'waiting' } }),
      { kind: 'nothing' },
    ],
  ] as const)('is %s', (_what, open, next) => {
    expect(nextOf(open, now)).toEqual(next);
  });
});

it('somebody has it when somebody is assigned or has acknowledged', () => {
  const acknowledgedBy = { type: 'user' as const, id: 'usr_2', name: 'Ada' };
  expect([
    holdersOf(incident()),
    holdersOf(incident({ acknowledgedBy })),
    holdersOf(incident({ acknowledgedBy, assigneeIds: ['usr_1'] })),
  ]).toEqual([{ kind: 'nobody' }, { kind: 'actor', name: 'Ada' }, { kind: 'members', ids: ['usr_1'] }]);
});

it('waits for those who are assigned or were told, until somebody has acknowledged', () => {
  const told = { ...escalation, told: [{ userId: 'usr_1', at: '2026-11-20T14:00:00.000Z', notificationId: 'ntf_1' }] };
  expect([
    waitsFor(incident({ assigneeIds: ['usr_1'] }), 'usr_1'),
    waitsFor(incident({ escalation: told }), 'usr_1'),
    waitsFor(incident({ escalation: told }), 'usr_2'),
    waitsFor(incident({ escalation: told, status: 'acknowledged' }), 'usr_1'),
  ]).toEqual([true, true, false, false]);
});
