/** Whom "Escalate now" tells. */
import type { Incident } from './use-update-incident.js';

interface Level {
  level: number;
  isEmpty: boolean;
  recipients: readonly { userName: string | null; target: string; unreachable: string | null }[];
}

/** `further`: all levels of the policy were told. `unknown`: the levels are not known. */
export type NextTold = { kind: 'level'; level: number; names: string[] } | { kind: 'further' } | { kind: 'unknown' };

/** Levels that nobody can be told are passed. */
export function nextTold({ escalation }: Pick<Incident, 'escalation'>, levels: readonly Level[] | null): NextTold {
  if (levels === null) return { kind: 'unknown' };
  const next = levels.find(({ level, isEmpty }) => level > escalation.level && !isEmpty);
  if (!next) return { kind: 'further' };
  const reachable = next.recipients.filter(({ unreachable }) => unreachable === null);
  return { kind: 'level', level: next.level, names: reachable.map(({ userName, target }) => userName ?? target) };
}

/** Whether there may be somebody to tell. The API refuses it when nobody is left. */
export const mayEscalate = ({ status, escalation }: Pick<Incident, 'status' | 'escalation'>): boolean =>
  status !== 'resolved' && (escalation.state === 'escalating' || escalation.state === 'waiting');
