/**
 * Does the steps of the runs of a team together, which are due at the same time: one transaction locks the runs, and
 * each kind of statement is executed once for all of them. The logic of a step knows nothing of this. The more is due,
 * the less each run costs; a run that is alone does not wait.
 */
import { readOnce, recipientReads, type FinishedStep, type Run, type StepEffects, type StepReads } from '@ams/alerting';
import { selectOf, Together, type Database, type Tx } from '@ams/database';
import { activeSpan, traceContext, within } from '@ams/tracing';
import { runningQueue } from '../jobs/jobs.js';
import { createNotifications, tellsIncident, type MessageOfStep } from '../notifications/create-notifications.js';
import {
  completeRun,
  endRun,
  readFacts,
  readRuns,
  recordOf,
  writeResults,
  writeWaits,
  type FinishedRun,
  type RunFacts,
  type WaitingRun,
} from './run-statements.js';
import { WorkflowRunEntity } from './workflow-run.entity.js';

/** Done with the lock of its run. */
type LockedWork = (run: Run, effects: StepEffects) => Promise<unknown>;

interface Locking {
  runId: string;
  work: LockedWork;
  /** Called for each step that was finished. */
  onFinished: (finished: FinishedStep, run: Run) => void;
}

/** The value, or the wait for it. */
type Outcome = () => unknown;

const mostRuns = 50;

export class RunsTogether {
  private readonly runs: Together<string, Run | undefined>;
  private readonly facts: Together<Run, RunFacts>;
  private readonly results: Together<FinishedRun, undefined>;
  private readonly locks: Together<Locking, Outcome>;

  constructor(private readonly database: Database) {
    this.runs = new Together<string, Run | undefined>(async (ids) => {
      const columns = database.selectOf(WorkflowRunEntity, 'r');
      const found = await readRuns(database, ids, { columns });
      return ids.map((id) => found.get(id));
    });
    this.facts = new Together((runs) => readFacts(database, runs));
    this.results = new Together(async (some) => {
      await writeResults(database, some);
      return some.map(() => undefined);
    });
    this.locks = new Together((some) => this.locking(some), { most: mostRuns });
  }

  /** Undefined when the run has ended. */
  run(id: string): Promise<Run | undefined> {
    return this.runs.ask(runningQueue(), id);
  }

  /** The reads of a step whose run is not locked. */
  reads(): StepReads {
    return stepReads(this.database, (run) => this.facts.ask(runningQueue(), run));
  }

  finishStep(finished: FinishedRun): Promise<void> {
    return this.results.ask(runningQueue(), finished);
  }

  /** Undefined when the run has ended. */
  async locked<T>(
    runId: string,
    onFinished: Locking['onFinished'],
    work: (run: Run, effects: StepEffects) => Promise<T>,
  ): Promise<T | undefined> {
    const span = activeSpan();
    const inItsTrace: LockedWork = (run, effects) => within(span, () => work(run, effects));
    const outcome = await this.locks.ask(runningQueue(), { runId, onFinished, work: inItsTrace });
    return (await outcome()) as T | undefined;
  }

  /** Those that others have locked are done one by one: they delay nobody. */
  private async locking(some: readonly Locking[]): Promise<Outcome[]> {
    const values = await this.inTransaction(some, some.length > 1 ? 'FOR UPDATE SKIP LOCKED' : 'FOR UPDATE');
    return some.map((one, index) => {
      const done = values[index];
      return done || some.length === 1 ? () => done?.value : () => this.alone(one);
    });
  }

  private async alone(one: Locking): Promise<unknown> {
    const [done] = await this.inTransaction([one], 'FOR UPDATE');
    return done?.value;
  }

  /** Undefined for runs that have ended, or that were not locked, and for a second job of the same run. */
  private inTransaction(some: readonly Locking[], lock: string): Promise<({ value: unknown } | undefined)[]> {
    return this.database.asService(async (tx) => {
      const columns = selectOf(tx, WorkflowRunEntity, 'r');
      const ids = some.map(({ runId }) => runId);
      const runs = await readRuns(tx, ids, { columns, lock });
      const effectsOf = effectsIn(tx);
      let failure: { error: unknown } | null = null;
      const values = await Promise.all(
        some.map(async ({ runId, work, onFinished }) => {
          const run = runs.get(runId);
          if (!run) return undefined;
          runs.delete(runId); // a second one must read it again
          try {
            return { value: await work(run, effectsOf(onFinished)) };
          } catch (error) {
            failure ??= { error }; // those after it fail because of it
            return undefined;
          }
        }),
      );
      if (failure) throw (failure as { error: unknown }).error;
      return values;
    });
  }
}

/** The alert, the incident and the workflow are read together, once for each step. */
function stepReads(queries: Pick<Tx, 'query'>, readFactsOf: (run: Run) => Promise<RunFacts>): StepReads {
  const known = new Map<string, Promise<RunFacts>>();
  const factsOf = (run: Run): Promise<RunFacts> => {
    const step = `${run.id} ${run.nextStep}`;
    const facts = known.get(step) ?? readFactsOf(run);
    known.set(step, facts);
    return facts;
  };
  return {
    ...readOnce(recipientReads(queries)),
    alertOf: async (run) => (await factsOf(run)).alert,
    incidentOf: async (run) => (await factsOf(run)).incident,
    recordOf: (run) => recordOf(queries, run),
    stateFor: async (run) => (await factsOf(run)).state,
  };
}

/** The effects in a transaction that holds the locks of the runs. */
function effectsIn(tx: Tx): (onFinished: Locking['onFinished']) => StepEffects {
  const together = <Key, Value>(
    work: (keys: readonly Key[]) => Promise<readonly Value[]>,
  ): ((key: Key) => Promise<Value>) => {
    const calls = new Together(work, { alone: false });
    return (key) => calls.ask('', key);
  };
  const nothing = <Key>(work: (keys: readonly Key[]) => Promise<void>): ((key: Key) => Promise<void>) =>
    together(async (keys: readonly Key[]) => {
      await work(keys);
      return keys.map(() => undefined);
    });
  const reads = stepReads(
    tx,
    together((runs: readonly Run[]) => readFacts(tx, runs)),
  );
  const notify = together((messages: readonly MessageOfStep[]) => createNotifications(tx, messages));
  const finish = nothing((some: readonly FinishedRun[]) => writeResults(tx, some));
  const wait = nothing((some: readonly WaitingRun[]) => writeWaits(tx, some));
  return (onFinished) => ({
    ...reads,
    notify: async (run, step, message) => {
      const incident = tellsIncident(run, message) ? await reads.incidentOf(run) : null;
      return { notifications: await notify({ run, step, message, incident, traceContext: traceContext() }) };
    },
    wait: (run, until, now) => wait({ run, until, now, traceContext: traceContext() }),
    finishStep: (run, finished) => {
      onFinished(finished, run);
      return finish({ run, finished });
    },
    complete: (run) => completeRun(tx, run),
    end: (run, why) => endRun(tx, run, why),
  });
}
