/** What the now page says of an open incident: in which order, who has it, and what happens next. */
import type { components } from '@ams/client';

type Incident = components['schemas']['Incident'];
export type OpenIncident = Pick<
  Incident,
  | 'id'
  | 'status'
  | 'urgency'
  | 'severity'
  | 'triggeredAt'
  | 'snoozedUntil'
  | 'assigneeIds'
  | 'acknowledgedBy'
  | 'escalation'
>;

const severities = ['critical', 'high', 'medium', 'low', 'info'];

/** First what nobody has, then by urgency and severity; the oldest first. */
export function byNeed(a: OpenIncident, b: OpenIncident): number {
  const rank = ({ status, urgency, snoozedUntil, severity }: OpenIncident): number[] => [
    status === 'triggered' ? 0 : 1,
    snoozedUntil === null ? 0 : 1,
    urgency === 'high' ? 0 : 1,
    severities.indexOf(severity),
  ];
  const [first, second] = [rank(a), rank(b)];
  for (const [i, value] of first.entries()) {
    const other = second[i] as number;
    if (value !== other) return value - other;
  }
  return a.triggeredAt < b.triggeredAt ? -1 : a.triggeredAt > b.triggeredAt ? 1 : 0;
}

export type Next =
  | { kind: 'level'; level: number; at: string }
  | { kind: 'snoozed'; until: string }
  | { kind: 'again'; at: string }
  | { kind: 'exhausted' }
  | { kind: 'nothing' };

export function nextOf({ snoozedUntil, escalation, status }: OpenIncident, now: number): Next {
  if (snoozedUntil !== null && Date.parse(snoozedUntil) > now) return { kind: 'snoozed', until: snoozedUntil };
  const { state, level, nextAt } = escalation;
  if (state === 'escalating' && nextAt !== null) return { kind: 'level', level: level + 1, at: nextAt };
  if (state === 'waiting' && nextAt !== null) return { kind: 'again', at: nextAt };
  if (state === 'exhausted' && status === 'triggered') return { kind: 'exhausted' };
  return { kind: 'nothing' };
}

/** Who works on it: those who are assigned, else who acknowledged it, else nobody. */
export function holdersOf({
  assigneeIds,
  acknowledgedBy,
}: OpenIncident): { kind: 'members'; ids: string[] } | { kind: 'actor'; name: string } | { kind: 'nobody' } {
  if (assigneeIds.length > 0) return { kind: 'members', ids: assigneeIds };
  return acknowledgedBy === null ? { kind: 'nobody' } : { kind: 'actor', name: acknowledgedBy.name };
}

/** Whether it waits for this member: it is theirs or nobody's, and they were told or are assigned. */
export const waitsFor = ({ status, assigneeIds, escalation }: OpenIncident, memberId: string): boolean =>
  status === 'triggered' &&
  (assigneeIds.includes(memberId) || escalation.told.some(({ userId }) => userId === memberId));
