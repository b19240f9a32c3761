/**
 * Does the steps of runs, one after another, until one has to wait. Effects in our own tables (waiting, skipping,
 * creating notifications) are decided and written while the run is locked, so they happen once. A transaction that
 * writes that an alert has changed (see `wakeRuns`) finds the run either before its decision or waiting. Commands are
 * sent to the pipeline without the lock: a repeated command changes nothing, and its result is written only when the
 * run is still at this step.
 */
import { publicId } from '@ams/contracts';
import { finishedStep, runStep, stepResult, type FinishedStep, type Run, type RunEffects } from '@ams/alerting';
import { Database } from '@ams/database';
import { RpcClient } from '@ams/messaging';
import { Logger, Metrics } from '@ams/service';
import { activeSpan } from '@ams/tracing';
import { Injectable } from '@nestjs/common';
import { JobRunner } from '../jobs/job-runner.js';
import { StoredRunEffects } from './run-effects.js';
import { RunsTogether } from './runs-together.js';

@Injectable()
export class Runs {
  private readonly pages;
  private readonly together: RunsTogether;

  constructor(
    private readonly log: Logger,
    database: Database,
    private readonly rpc: RpcClient,
    jobs: JobRunner,
    metrics: Metrics,
  ) {
    this.together = new RunsTogether(database);
    this.pages = metrics.durations(
      'ams_workflow_page_seconds',
      'From the event that triggered a workflow to the end of its `page` step: the alert is in an incident that pages.',
    );
    jobs.handle(
      'advance',
      ({ runId }) => this.advance(runId),
      ({ runId }) => this.failStep(runId),
    );
  }

  /** Does the steps that are due. Throws UNAVAILABLE when a dependency is unavailable: the job is repeated. */
  async advance(runId: string): Promise<void> {
    const effects = new StoredRunEffects(this.together, this.rpc, runId, (...ended) => this.stepEnded(...ended));
    while ((await runStep(effects)) === 'more');
  }

  private stepEnded({ step, result: { outcome, reason } }: FinishedStep, run: Run): void {
    showStep(step, outcome, run);
    if (outcome === 'failed') this.log.warn({ runId: run.id, step: step.id, reason }, 'a step failed');
    if (step.type === 'page' && outcome === 'done')
      this.pages.observe(Math.max(0, Date.now() - run.occurredAt.getTime()) / 1000);
  }

  /** The step has failed at each attempt because of an internal error. */
  private async failStep(runId: string): Promise<void> {
    const reason = 'it failed several times because of an internal error';
    const effects: RunEffects = new StoredRunEffects(this.together, this.rpc, runId, (...ended) =>
      this.stepEnded(...ended),
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

/** In the span of the job, if it is traced: an event for each step that has ended. */
function showStep({ id, type }: FinishedStep['step'], outcome: string, run: Run): void {
  const span = activeSpan();
  span?.addEvent('step', { 'ams.step.id': id, 'ams.step.type': type, 'ams.step.outcome': outcome });
  span?.setAttributes({
    'ams.organization.id': run.organizationId,
    'ams.environment': run.environment,
    'ams.workflow.id': publicId('workflow', run.workflowId),
    ...(run.alertId !== null && { 'ams.alert.id': publicId('alert', run.alertId) }),
    ...(run.incidentId !== null && { 'ams.incident.id': publicId('incident', run.incidentId) }),
  });
}
