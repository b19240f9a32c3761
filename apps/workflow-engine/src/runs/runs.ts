/**
 * Does the steps of runs, one after another, until one has to wait. Effects in our own tables (waiting, skipping,
 * creating notifications) are decided and written while the run is locked, so they happen once. A transaction that
 * writes that an alert has changed (see `wakeRuns`) finds the run either before its decision or waiting. Commands are
 * sent to the pipeline without the lock: a repeated command changes nothing, and its result is written only when the
 * run is still at this step.
 */
import { finishedStep, runStep, stepResult, type FinishedStep, type RunEffects } from '@ams/alerting';
import { Database } from '@ams/database';
import { RpcClient } from '@ams/messaging';
import { Logger } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { JobRunner } from '../jobs/job-runner.js';
import { StoredRunEffects } from './run-effects.js';

@Injectable()
export class Runs {
  constructor(
    private readonly log: Logger,
    private readonly database: Database,
    private readonly rpc: RpcClient,
    jobs: JobRunner,
  ) {
    jobs.handle(
      'advance',
      ({ runId }) => this.advance(runId),
      ({ runId }) => this.failStep(runId),
    );
  }

  /** Does the steps that are due. Throws UNAVAILABLE when a dependency is unavailable: the job is repeated. */
  async advance(runId: string): Promise<void> {
    const effects = new StoredRunEffects(this.database, this.rpc, runId, (finished) =>
      this.logFailure(runId, finished),
    );
    while ((await runStep(effects)) === 'more');
  }

  private logFailure(runId: string, { step, result: { outcome, reason } }: FinishedStep): void {
    if (outcome === 'failed') this.log.warn({ runId, step: step.id, reason }, 'a step failed');
  }

  /** The step has failed at each attempt because of an internal error. */
  private async failStep(runId: string): Promise<void> {
    const reason = 'it failed several times because of an internal error';
    const effects: RunEffects = new StoredRunEffects(this.database, this.rpc, runId, (finished) =>
      this.logFailure(runId, finished),
    );
    const continues = await effects.locked(async (run, { finishStep }) => {
      const step = run.steps[run.nextStep];
      if (!step) return false;
      const finished = finishedStep(step, stepResult('failed', { reason }));
      await finishStep(run, finished);
      return !finished.failsRun;
    });
    if (continues) await this.advance(runId);
  }
}
