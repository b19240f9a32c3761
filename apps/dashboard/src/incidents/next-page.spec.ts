import type { OpenIncident } from '../now/open-incident.js';
import { comingOf, levelState } from './next-page.js';

const now = Date.parse('2026-11-22T19:00:00Z');
const at = '2026-11-22T19:05:00.000Z';
const incident = (
  status: OpenIncident['status'],
  escalation: Partial<OpenIncident['escalation']>,
  snoozedUntil: string | null = null,
): OpenIncident => ({
  id: 'inc_1',
  status,
  urgency: 'high',
  severity: 'critical',
  triggeredAt: '2026-11-22T18:55:00.000Z',
  snoozedUntil,
  assigneeIds: [],
  acknowledgedBy: null,
  escalation: { state: 'escalating', episode: 1, round: 0, level: 1, nextAt: at, told: [], ...escalation },
});

describe('what comes next', () => {
  it.each<[string, OpenIncident, object]>([
    ['the next level', incident('triggered', {}), { kind: 'level', level: 2, at }],
    ['the next round', incident('triggered', { level: 3, round: 1 }), { kind: 'round', round: 2, at }],
    ['a snooze', incident('acknowledged', { state: 'waiting' }, at), { kind: 'snoozed', at }],
    ['the end of the acknowledgement', incident('acknowledged', { state: 'waiting' }), { kind: 'again', at }],
    [
      'nothing while it is worked on',
      incident('acknowledged', { state: 'waiting', nextAt: null }),
      { kind: 'waiting' },
    ],
    ['a pause', incident('triggered', { state: 'paused', nextAt: null }), { kind: 'paused' }],
    ['nobody answered', incident('triggered', { state: 'exhausted', nextAt: null }), { kind: 'exhausted' }],
    ['no policy', incident('triggered', { state: 'stopped', nextAt: null, level: 0 }), { kind: 'noPolicy' }],
    ['the end', incident('resolved', { state: 'stopped', nextAt: null }), { kind: 'stopped' }],
  ])('%s', (_name, given, expected) => expect(comingOf(given, 3, now)).toEqual(expected));

  it('knows how far each level is', () => {
    const given = incident('triggered', {});
    const states = [1, 2, 3].map((level) => levelState(given, level, comingOf(given, 3, now)));
    expect(states).toEqual([{ kind: 'told' }, { kind: 'next', at }, { kind: 'later' }]);
  });

  it('begins again with level 1', () => {
    const given = incident('triggered', { level: 3 });
    const states = [1, 3].map((level) => levelState(given, level, comingOf(given, 3, now)));
    expect(states).toEqual([{ kind: 'next', at }, { kind: 'told' }]);
  });
});
