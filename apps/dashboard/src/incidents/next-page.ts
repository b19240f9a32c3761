/** What the escalation of an incident does next, and how far each level is. */
import { nextOf, type OpenIncident } from '../now/open-incident.js';

export type Coming =
  | { kind: 'level'; level: number; at: string }
  /** All levels were told, and the first one is told again. */
  | { kind: 'round'; round: number; at: string }
  | { kind: 'snoozed' | 'again'; at: string }
  | { kind: 'exhausted' | 'waiting' | 'paused' | 'stopped' | 'noPolicy' };

/** `levels`: how many the policy has; null when it is not known. */
export function comingOf(incident: OpenIncident, levels: number | null, now: number): Coming {
  const { state, round } = incident.escalation;
  if (incident.status === 'resolved') return { kind: 'stopped' };
  const next = nextOf(incident, now);
  switch (next.kind) {
    case 'level':
      return levels !== null && next.level > levels
        ? { kind: 'round', round: round + 1, at: next.at }
        : { kind: 'level', level: next.level, at: next.at };
    case 'snoozed':
      return { kind: 'snoozed', at: next.until };
    case 'again':
      return { kind: 'again', at: next.at };
    case 'exhausted':
      return { kind: 'exhausted' };
    case 'nothing':
      if (state === 'paused') return { kind: 'paused' };
      return incident.status === 'acknowledged' ? { kind: 'waiting' } : { kind: 'noPolicy' };
  }
}

export type LevelState = { kind: 'told' } | { kind: 'next'; at: string } | { kind: 'later' };

export function levelState(incident: OpenIncident, level: number, coming: Coming): LevelState {
  if (coming.kind === 'level' && coming.level === level) return { kind: 'next', at: coming.at };
  if (coming.kind === 'round' && level === 1) return { kind: 'next', at: coming.at };
  return level <= incident.escalation.level ? { kind: 'told' } : { kind: 'later' };
}
