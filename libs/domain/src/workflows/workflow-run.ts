/**
 * Workflow runs, as pure decisions: whether an event starts a run, whether a step is due, when to retry. The caller
 * stores the records and executes the decisions.
 */
import type { AlertStatus } from '../alerts/alert-status.js';
import type { ConditionFacts } from '../conditions/condition-facts.js';
import { explainCondition, type TraceNode } from '../conditions/condition.js';
import type { EvaluationBudget } from '../conditions/evaluation-budget.js';
import type { IncidentStatus } from '../incidents/incident-status.js';
import type { WorkflowDefinition, WorkflowEvent, WorkflowStep } from './workflow-schema.js';

/** The maximum length of a chain of workflows that trigger each other. */
export const maxWorkflowDepth = 5;

/**
 * The runs that one event may cause, besides those that it begins itself. Depth alone does not bound them: each run may
 * cause several events, and each of them may begin several runs.
 */
export const maxCausedRuns = 100;
/**
 * Of these runs, those that are done as promptly as the runs that the event began itself. Further ones rest while other
 * organizations are active, except those that tell somebody.
 */
export const promptCausedRuns = 10;

/** An event, as far as it decides whether a workflow runs. */
export interface Trigger {
  type: string;
  alertStatus: AlertStatus | null;
  /** The number of workflows that triggered each other before it. */
  depth: number;
  /** How many further runs its chain of workflows may begin. An event of depth 0 always begins its runs. */
  causedRunsLeft: number;
}

export type TriggerDecision =
  | { kind: 'run' }
  /**
   * `quiet`: the alert is not firing; `loop`: too many workflows triggered each other; `budget`: the event that began
   * them has caused as many runs as it may.
   */
  | { kind: 'passedOver'; why: 'conditions' | 'quiet' | 'loop' | 'budget' };

/**
 * Events about a firing alert. They trigger no workflow when the alert is no longer firing.
 */
const firingEvents: ReadonlySet<WorkflowEvent> = new Set<WorkflowEvent>([
  'alert.created',
  'alert.severityChanged',
  'alert.resumed',
]);

/** Whether a workflow already ran for an alert; a waiting run continues when the alert resumes. */
export type RanBefore = 'never' | 'done' | 'waiting';

/**
 * The workflow's event that corresponds to a domain event; `null` when there is none. For a workflow that skipped an
 * alert because it was suppressed when it was created, its resume counts as its creation.
 */
export function triggeredBy(events: readonly WorkflowEvent[], type: string, ran: RanBefore): WorkflowEvent | null {
  if (type === 'alert.resumed' && ran === 'waiting') return null;
  const named = events.find((event) => event === type);
  if (named) return named;
  return type === 'alert.resumed' && events.includes('alert.created') && ran === 'never' ? 'alert.created' : null;
}

export function decideTrigger(event: Trigger, conditionsHold: boolean): TriggerDecision {
  if (event.depth >= maxWorkflowDepth) return { kind: 'passedOver', why: 'loop' };
  if (firingEvents.has(event.type as WorkflowEvent) && event.alertStatus !== 'firing')
    return { kind: 'passedOver', why: 'quiet' };
  if (!conditionsHold) return { kind: 'passedOver', why: 'conditions' };
  return event.depth > 0 && event.causedRunsLeft <= 0 ? { kind: 'passedOver', why: 'budget' } : { kind: 'run' };
}

/** The decision about a workflow for one of its events. */
export interface WorkflowConsidered {
  outcome: 'run' | 'conditions' | 'quiet' | 'loop' | 'budget';
  trace: TraceNode;
}

const askingSteps: ReadonlySet<WorkflowStep['type']> = new Set(['page', 'notify', 'openIncident', 'webhook']);
const endingSteps: ReadonlySet<WorkflowStep['type']> = new Set(['acknowledge', 'resolve']);

/** Whether a workflow tells somebody, or begins something that does. */
export const asksForHelp = (steps: readonly Pick<WorkflowStep, 'type'>[]): boolean =>
  steps.some(({ type }) => askingSteps.has(type));

/**
 * Whether a workflow runs when its condition could not be evaluated (evaluation-budget.ts): if it tells somebody, and
 * does not end what others would be told about. So no page is lost.
 */
export const runsInDoubt = (steps: readonly Pick<WorkflowStep, 'type'>[]): boolean =>
  asksForHelp(steps) && !steps.some(({ type }) => endingSteps.has(type));

/**
 * The decision about a workflow for an event; null when the event is not one of the workflow's. The trace has every
 * node, whatever the outcome.
 */
export function considerWorkflow(
  {
    events,
    conditions,
    steps,
  }: Pick<WorkflowDefinition, 'conditions' | 'steps'> & {
    events: readonly WorkflowEvent[];
  },
  event: Trigger,
  facts: ConditionFacts,
  ran: RanBefore,
  budget?: EvaluationBudget,
): WorkflowConsidered | null {
  if (triggeredBy(events, event.type, ran) === null) return null;
  const { holds, trace } = explainCondition(conditions, facts, budget);
  const decision = decideTrigger(event, holds ?? runsInDoubt(steps));
  return { outcome: decision.kind === 'run' ? 'run' : decision.why, trace };
}

/** The input of the decision about a due step. */
export interface StepSituation {
  now: number;
  /** When the previous step was done, in milliseconds. */
  previousDoneAt: number;
  alertStatus: AlertStatus | null;
  incidentStatus: IncidentStatus | null;
  /** The run joined an incident that was already open, so its responders already know about it. */
  joined: boolean;
  /** The event that started the run. */
  event: WorkflowEvent;
  workflow: WorkflowState;
}

/** The workflow of a run, as it is now. */
export type WorkflowState = 'enabled' | 'disabled' | 'deleted';

export type StepDecision =
  /** The run ends without this step and those after it. */
  | { kind: 'end'; why: Exclude<WorkflowState, 'enabled'> }
  | { kind: 'wait'; until: number }
  /** Until the alert is no longer suppressed. */
  | { kind: 'hold' }
  | { kind: 'skip'; why: 'acknowledged' | 'resolved' | 'joined' }
  | { kind: 'do' };

/** They wait while the alert is suppressed. */
const tellingSteps: ReadonlySet<WorkflowStep['type']> = new Set<WorkflowStep['type']>(['notify', 'page']);

/**
 * Whether a step waits, is skipped or runs. `unless` applies to the incident, if the run has one, and to the alert:
 * when either is acknowledged, pending steps stop immediately. A notification about an alert that is suppressed now
 * waits until the alert resumes, unless the workflow's event is the suppression. A notification about an alert that
 * joined an incident in progress is skipped, unless the alert had been suppressed.
 */
export function decideStep(
  step: Pick<WorkflowStep, 'type' | 'delaySeconds' | 'unless'>,
  situation: StepSituation,
): StepDecision {
  const { alertStatus, incidentStatus, workflow } = situation;
  if (workflow !== 'enabled') return { kind: 'end', why: workflow };
  const tells = tellingSteps.has(step.type);
  for (const state of step.unless)
    if (incidentStatus === state || alertStatus === state) return { kind: 'skip', why: state };
  if (step.type === 'notify' && situation.joined && situation.event !== 'alert.resumed')
    return { kind: 'skip', why: 'joined' };
  const due = situation.previousDoneAt + step.delaySeconds * 1000;
  if (due > situation.now) return { kind: 'wait', until: due };
  const quiet = alertStatus === 'suppressed' && situation.event !== 'alert.suppressed';
  return tells && quiet ? { kind: 'hold' } : { kind: 'do' };
}

/** Whether the event requires a person: after an acknowledgement, further attempts to send are useless. */
export const requiresPerson = (event: string): boolean =>
  firingEvents.has(event as WorkflowEvent) || event === 'incident.created' || event === 'incident.reopened';

export const notificationAttempts = 12;

/**
 * Seconds until a notification is retried after its `attempts`-th failure: doubling from 2 s up to 15 minutes, with a
 * jitter of ±25 % (`random` from 0 to 1), and not before the time that the receiving server requested. Null after the
 * last attempt.
 */
export function retryDelay(attempts: number, random: number, retryAfterSeconds: number | null): number | null {
  if (attempts >= notificationAttempts) return null;
  const doubled = Math.min(2 * 2 ** (attempts - 1), 900);
  return Math.max(doubled * (0.75 + random / 2), retryAfterSeconds ?? 0);
}
