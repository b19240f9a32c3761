import { mayEscalate, nextTold } from './next-told.js';

const escalation = { state: 'escalating' as const, episode: 1, round: 1, level: 1, nextAt: null, told: [] };
const who = (userName: string | null, unreachable: string | null = null) => ({ userName, target: 'x', unreachable });
const levels = [
  { level: 1, isEmpty: false, recipients: [who('Ada')] },
  { level: 2, isEmpty: true, recipients: [who('Eve', 'is disabled')] },
  { level: 3, isEmpty: false, recipients: [who('Bob'), who('Eve', 'is disabled'), who(null)] },
];

it('names those of the next level who can be told', () => {
  expect(nextTold({ escalation }, levels)).toEqual({ kind: 'level', level: 3, names: ['Bob', 'x'] });
  expect(nextTold({ escalation: { ...escalation, level: 3 } }, levels)).toEqual({ kind: 'further' });
  expect(nextTold({ escalation }, null)).toEqual({ kind: 'unknown' });
});

it.each([
  ['triggered', 'escalating', true],
  ['acknowledged', 'waiting', true],
  ['triggered', 'exhausted', false],
  ['triggered', 'paused', false],
  ['triggered', 'stopped', false],
  ['resolved', 'stopped', false],
] as const)('an incident that is %s and %s can be escalated: %s', (status, state, may) =>
  expect(mayEscalate({ status, escalation: { ...escalation, state } })).toBe(may),
);
