/**
 * Runs of workflows, as pure decisions: whether an event starts one, whether a step's time has come, when to try again.
 * Who calls keeps the records and does what is decided.
 */
import type { AlertStatus } from '../alerts/alert-status.js';
import type { ConditionFacts } from '../conditions/condition-facts.js';
import { explainCondition, type TraceNode } from '../conditions/condition.js';
import type { IncidentStatus } from '../incidents/incident-status.js';
import type { WorkflowDefinition, WorkflowEvent, WorkflowStep } from './workflow-schema.js';

/** A chain of workflows that cause each other ends here (decisions §8). */
export const maxWorkflowDepth = 5;

export type TriggerDecision =
  | { kind: 'run' }
  /** `quiet`: the alert does not fire, so nobody is to hear of it; `loop`: too many workflows have caused each other. */
  | { kind: 'passedOver'; why: 'conditions' | 'quiet' | 'loop' };

/** Events that are about an alert that fires: one that is suppressed or acknowledged by then is nobody's alarm. */
const alarms: ReadonlySet<WorkflowEvent> = new Set<WorkflowEvent>([
  'alert.created',
  'alert.severityChanged',
  'alert.resumed',
]);

/** Whether a workflow has run for an alert before; a run that waits goes on by itself when the alert resumes. */
export type RanBefore = 'never' | 'done' | 'waiting';

/**
 * Which of a workflow's events an event is to it; `null` when it is none of them. An alert that was suppressed when it was
 * created resumes one day: to a workflow that has passed it over it is created then.
 */
export function triggeredBy(events: readonly WorkflowEvent[], type: string, ran: RanBefore): WorkflowEvent | null {
  if (type === 'alert.resumed' && ran === 'waiting') return null;
  const named = events.find((event) => event === type);
  if (named) return named;
  return type === 'alert.resumed' && events.includes('alert.created') && ran === 'never' ? 'alert.created' : null;
}

export function decideTrigger(
  event: { type: string; alertStatus: AlertStatus | null; depth: number },
  conditionsHold: boolean,
): TriggerDecision {
  if (event.depth >= maxWorkflowDepth) return { kind: 'passedOver', why: 'loop' };
  if (alarms.has(event.type as WorkflowEvent) && event.alertStatus !== 'firing')
    return { kind: 'passedOver', why: 'quiet' };
  return conditionsHold ? { kind: 'run' } : { kind: 'passedOver', why: 'conditions' };
}

/** What is decided of a workflow for an event that it waits for. */
export interface WorkflowConsidered {
  outcome: 'run' | 'conditions' | 'quiet' | 'loop';
  trace: TraceNode;
}

/** What an event means to a workflow; null when it is none of its events. The conditions are explained in any case. */
export function considerWorkflow(
  { events, conditions }: Pick<WorkflowDefinition, 'conditions'> & { events: readonly WorkflowEvent[] },
  event: { type: string; alertStatus: AlertStatus | null; depth: number },
  facts: ConditionFacts,
  ran: RanBefore,
): WorkflowConsidered | null {
  if (triggeredBy(events, event.type, ran) === null) return null;
  const { holds, trace } = explainCondition(conditions, facts);
  const decision = decideTrigger(event, holds);
  return { outcome: decision.kind === 'run' ? 'run' : decision.why, trace };
}

/** What a step finds when its turn has come. */
export interface StepSituation {
  now: number;
  /** When the step before it was done, in milliseconds. */
  previousDoneAt: number;
  alertStatus: AlertStatus | null;
  incidentStatus: IncidentStatus | null;
  /** The run came to an incident that was open already: those who work on it know. */
  joined: boolean;
  /** The event that began the run. */
  event: WorkflowEvent;
}

export type StepDecision =
  | { kind: 'wait'; until: number }
  /** Until the alert is no longer suppressed. */
  | { kind: 'hold' }
  | { kind: 'skip'; why: 'acknowledged' | 'resolved' | 'joined' }
  | { kind: 'do' };

const telling: ReadonlySet<WorkflowStep['type']> = new Set<WorkflowStep['type']>(['notify']);

/**
 * Whether a step waits, is skipped or runs. `unless` asks about the incident when the run has one, and about the alert too:
 * whoever acknowledged either is on it, and what is pending stops at once. Nobody is paged for an alert that is suppressed
 * by then, but by who wants to hear just that: the page is held back until it resumes. Nobody is paged again for one that has joined an incident which is being
 * worked on, unless it had been quiet.
 */
export function decideStep(
  step: Pick<WorkflowStep, 'type' | 'delaySeconds' | 'unless'>,
  situation: StepSituation,
): StepDecision {
  const { alertStatus, incidentStatus } = situation;
  const pages = telling.has(step.type);
  for (const state of step.unless)
    if (incidentStatus === state || alertStatus === state) return { kind: 'skip', why: state };
  if (pages && situation.joined && situation.event !== 'alert.resumed') return { kind: 'skip', why: 'joined' };
  const due = situation.previousDoneAt + step.delaySeconds * 1000;
  if (due > situation.now) return { kind: 'wait', until: due };
  const quiet = alertStatus === 'suppressed' && situation.event !== 'alert.suppressed';
  return pages && quiet ? { kind: 'hold' } : { kind: 'do' };
}

/** Whether the event asks for a person: when somebody has acknowledged it, another attempt to send is of no use. */
export const asksForSomebody = (event: string): boolean =>
  alarms.has(event as WorkflowEvent) || event === 'incident.created' || event === 'incident.reopened';

export const notificationAttempts = 12;

/**
 * Seconds until a notification is tried again after its `attempts`-th failure: doubling from 2 s up to 15 minutes, with a jitter
 * of a quarter either way (`random` from 0 to 1), and not before the other side asked for it. Null when it was the last.
 */
export function retryDelay(attempts: number, random: number, retryAfterSeconds: number | null): number | null {
  if (attempts >= notificationAttempts) return null;
  const doubled = Math.min(2 * 2 ** (attempts - 1), 900);
  return Math.max(doubled * (0.75 + random / 2), retryAfterSeconds ?? 0);
}
