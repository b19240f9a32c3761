/**
 * Does one step of a run: decides, executes and stores the result. The workflow engine does this with its tables and
 * the pipeline, a simulation with records in memory. They are two implementations of `RunEffects` and differ in nothing
 * else.
 */
import type { WorkflowCommand, WorkflowCommandReply } from '@ams/contracts';
import { decideStep, type StepDecision, type StepSituation, type WorkflowStep } from '@ams/domain';
import {
  commandOf,
  prepareStep,
  resultOfCommand,
  resultOfMessage,
  type PreparedChange,
  type PreparedMessage,
  type PreparedStep,
  type SubjectReads,
} from './prepare-step.js';
import type { RecipientReads } from './recipients.js';
import { stepResult, type Run, type StepResult } from './run.js';

/** The time in milliseconds, and the states that decide about a step: of the alert, the incident and the workflow. */
export type StepState = Pick<StepSituation, 'now' | 'alertStatus' | 'incidentStatus' | 'workflow'>;

/** The outcome of a step. */
export interface FinishedStep {
  step: WorkflowStep;
  result: StepResult;
  /** True when the run fails with the step. */
  failsRun: boolean;
  /** Null for a step that was skipped before it was prepared. */
  prepared: PreparedStep | null;
}

/** What a step needs to know. */
export interface StepReads extends SubjectReads, RecipientReads {
  stateFor(run: Run): Promise<StepState>;
}

/** The reads and writes of a step while its run is locked. */
export interface StepEffects extends StepReads {
  /** Creates a notification for each recipient; the returned value is stored with the run. */
  notify(run: Run, step: WorkflowStep, message: PreparedMessage): Promise<unknown>;
  /** `until` in milliseconds; null when the run waits for its alert to fire again. */
  wait(run: Run, until: number | null, now: number): Promise<void>;
  /** Stores the result. The run is completed with its last step. */
  finishStep(run: Run, finished: FinishedStep): Promise<void>;
  /** For a run without a further step. */
  complete(run: Run): Promise<void>;
  /** The run ends before the step that is due. */
  end(run: Run, why: 'disabled' | 'deleted'): Promise<void>;
}

export interface RunEffects {
  /** Does `work`, which only reads, without locking the run. Undefined when the run has ended. */
  unlocked<T>(work: (run: Run, reads: StepReads) => Promise<T>): Promise<T | undefined>;
  /** Does `work` while the run is locked. Undefined when the run has ended. */
  locked<T>(work: (run: Run, effects: StepEffects) => Promise<T>): Promise<T | undefined>;
  /** Requests a change of an alert or incident from the pipeline. A command that is sent twice takes effect once. */
  changeAlerting(command: WorkflowCommand): Promise<WorkflowCommandReply>;
  /** Stores the result, unless another replica has finished the step. The run is not locked. */
  finishStep(run: Run, finished: FinishedStep): Promise<void>;
}

/** `more`: the next step may be due. */
export type RunProgress = 'more' | 'waits' | 'ended';

interface ChangeToMake {
  run: Run;
  step: WorkflowStep;
  prepared: PreparedChange;
}

/**
 * The command is sent while the run is not locked: the pipeline may take seconds to reply. So nothing is locked for a
 * step that only sends a command, when it is due.
 */
export async function runStep(effects: RunEffects): Promise<RunProgress> {
  const begun = (await effects.unlocked(dueChange)) ?? (await effects.locked(beginStep));
  if (begun === undefined || typeof begun === 'string') return begun ?? 'ended';
  const { run, step, prepared } = begun;
  const reply = await effects.changeAlerting(commandOf(run, prepared.body));
  return finish(effects, run, finishedStep(step, resultOfCommand(prepared.body, reply), prepared));
}

export function finishedStep(
  step: WorkflowStep,
  result: StepResult,
  prepared: PreparedStep | null = null,
): FinishedStep {
  return { step, result, failsRun: result.outcome === 'failed' && !step.continueOnError, prepared };
}

export const isLastStep = ({ nextStep, steps }: Run): boolean => nextStep + 1 >= steps.length;

const decisionOf = (run: Run, step: WorkflowStep, state: StepState): StepDecision =>
  decideStep(step, {
    ...state,
    previousDoneAt: run.previousDoneAt.getTime(),
    joined: run.joined,
    event: run.eventType,
  });

async function dueChange(run: Run, reads: StepReads): Promise<ChangeToMake | null> {
  const step = run.steps[run.nextStep];
  if (!step || step.type === 'notify' || step.type === 'webhook') return null;
  const state = await reads.stateFor(run);
  if (decisionOf(run, step, state).kind !== 'do') return null;
  const prepared = await prepareStep(reads, run, step, new Date(state.now).toISOString());
  return prepared.kind === 'change' ? { run, step, prepared } : null;
}

async function beginStep(run: Run, effects: StepEffects): Promise<RunProgress | ChangeToMake> {
  const step = run.steps[run.nextStep];
  if (!step) {
    await effects.complete(run);
    return 'ended';
  }
  const state = await effects.stateFor(run);
  const decision = decisionOf(run, step, state);
  switch (decision.kind) {
    case 'wait':
    case 'hold':
      await effects.wait(run, decision.kind === 'wait' ? decision.until : null, state.now);
      return 'waits';
    case 'end':
      await effects.end(run, decision.why);
      return 'ended';
    case 'skip':
      return finish(effects, run, finishedStep(step, stepResult('skipped', { reason: decision.why })));
    case 'do':
      return doStep(effects, run, step, state.now);
  }
}

async function doStep(
  effects: StepEffects,
  run: Run,
  step: WorkflowStep,
  now: number,
): Promise<RunProgress | ChangeToMake> {
  const prepared = await prepareStep(effects, run, step, new Date(now).toISOString());
  switch (prepared.kind) {
    case 'change':
      return { run, step, prepared };
    case 'nothing':
      return finish(effects, run, finishedStep(step, prepared.result, prepared));
    case 'message': {
      const detail = await effects.notify(run, step, prepared);
      return finish(effects, run, finishedStep(step, resultOfMessage(prepared.recipients, detail), prepared));
    }
  }
}

async function finish(effects: Pick<RunEffects, 'finishStep'>, run: Run, finished: FinishedStep): Promise<RunProgress> {
  const ends = finished.failsRun || isLastStep(run);
  await effects.finishStep(run, finished);
  return ends ? 'ended' : 'more';
}
