/**
 * Goes on with runs: one step after the other until one has to wait. What happens in our own tables (to wait, to skip, to
 * make notifications) is decided and written under the lock of the run: it is done once, and whoever tells that an alert has
 * changed (see trigger.ts) finds the run either before it has looked, or waiting. What the pipeline is asked for is asked
 * without a lock; asked twice it changes nothing, and what came of it is written with a compare-and-set on the step's number.
 */
import type { Tx } from '@ams/database';
import {
  decideStep,
  type AlertStatus,
  type IncidentStatus,
  type StepSituation,
  type WorkflowEvent,
  type WorkflowStep,
} from '@ams/domain';
import { Tokens, type Logger } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { addJob, JobRunner } from './jobs.js';
import { DatabasePart } from './parts.js';
import type { KeptResult, Run } from './run-record.js';
import { isOurs, Steps, type StepResult } from './steps.js';

const runColumns =
  'id, organization_id, environment, workflow_id, workflow_name, workflow_version, event_id, event_type, occurred_at, depth, alert_id, incident_id, status, steps, next_step, joined, previous_done_at';

/** How often a run whose page is held back looks by itself whether the alert fires again. */
const heldLookMs = 60_000;

type Queries = Pick<Tx, 'query'>;

@Injectable()
export class Runs {
  constructor(
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
    @Inject(JobRunner) jobs: JobRunner,
    @Inject(Steps) private readonly steps: Steps,
  ) {
    jobs.handle(
      'advance',
      ({ runId }) => this.advance(runId),
      ({ runId }) => this.giveUp(runId),
    );
  }

  /** Does what can be done of a run now. Throws when something is away: the job then comes again. */
  async advance(runId: string): Promise<void> {
    while (await this.nextStep(runId));
  }

  /** Whether there is more to do now. */
  private async nextStep(runId: string): Promise<boolean> {
    const { database } = this.databasePart;
    const run = await goingOn(database, runId);
    if (!run) return false;
    const step = run.steps[run.next_step];
    if (!step) return complete(database, run);
    const situation = await situationOf(database, run);
    if (isOurs(step) || decideStep(step, situation).kind !== 'do')
      return database.asService((tx) => this.decideInside(tx, run, step));
    return this.keep(database, run, step, await this.steps.ask(run, step, situation.now));
  }

  private async decideInside(tx: Tx, run: Run, step: WorkflowStep): Promise<boolean> {
    if (!(await isStillAt(tx, run))) return true;
    const situation = await situationOf(tx, run);
    const decision = decideStep(step, situation);
    switch (decision.kind) {
      case 'wait':
        return wait(tx, run, { due: new Date(decision.until), look: new Date(decision.until) });
      case 'hold':
        return wait(tx, run, { due: null, look: new Date(situation.now + heldLookMs) });
      case 'skip':
        return this.keep(tx, run, step, { outcome: 'skipped', reason: decision.why });
      case 'do':
        return isOurs(step) ? this.keep(tx, run, step, await this.steps.tell(tx, run, step, situation.now)) : true;
    }
  }

  /** A step that fails by a fault of ours, each time it is tried. */
  private async giveUp(runId: string): Promise<void> {
    const run = await goingOn(this.databasePart.database, runId);
    const step = run?.steps[run.next_step];
    if (
      run &&
      step &&
      (await this.keep(this.databasePart.database, run, step, {
        outcome: 'failed',
        reason: 'it failed several times by a fault of the service',
      }))
    )
      await this.advance(runId);
  }

  /** Whether the run goes on. */
  private async keep(
    queries: Queries,
    run: Run,
    step: WorkflowStep,
    { outcome, reason = null, detail = null, incidentId = null, joined = false }: StepResult,
  ): Promise<boolean> {
    const ends = outcome === 'failed' && !step.continueOnError;
    if (outcome === 'failed') this.log.warn({ runId: run.id, step: step.id, reason }, 'a step failed');
    const kept: Omit<KeptResult, 'at'> = { stepId: step.id, type: step.type, outcome, reason, detail };
    await queries.query(
      `UPDATE workflows.runs SET results = results || jsonb_build_array($3::jsonb || jsonb_build_object('at', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
         next_step = next_step + 1, previous_done_at = clock_timestamp(), due_at = NULL, status = $4, error = $5,
         finished_at = CASE WHEN $4 = 'failed' THEN clock_timestamp() END, incident_id = coalesce($6, incident_id), joined = joined OR $7
       WHERE id = $1 AND next_step = $2 AND status IN ('running', 'waiting')`,
      [
        run.id,
        run.next_step,
        JSON.stringify(kept),
        ends ? 'failed' : 'running',
        ends ? reason : null,
        incidentId,
        joined,
      ],
    );
    return !ends;
  }
}

async function goingOn(queries: Queries, runId: string): Promise<Run | undefined> {
  const [run] = await queries.query<Run>(
    `SELECT ${runColumns} FROM workflows.runs WHERE id = $1 AND status IN ('running', 'waiting')`,
    [runId],
  );
  return run;
}

async function complete(queries: Queries, run: Run): Promise<false> {
  await queries.query(
    `UPDATE workflows.runs SET status = 'completed', due_at = NULL, finished_at = clock_timestamp() WHERE id = $1 AND status IN ('running', 'waiting')`,
    [run.id],
  );
  return false;
}

/** Locks the run, unless somebody else has got ahead with it. */
async function isStillAt(tx: Tx, run: Run): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM workflows.runs WHERE id = $1 AND next_step = $2 AND status IN ('running', 'waiting') FOR UPDATE`,
    [run.id, run.next_step],
  );
  return rows.length > 0;
}

async function situationOf(queries: Queries, run: Run): Promise<StepSituation> {
  const [found] = await queries.query<{
    now: Date;
    alert_status: AlertStatus | null;
    incident_status: IncidentStatus | null;
  }>(
    'SELECT clock_timestamp() AS now, (SELECT status FROM alerts_views.alerts WHERE id = $1) AS alert_status, (SELECT status FROM alerts_views.incidents WHERE id = $2) AS incident_status',
    [run.alert_id, run.incident_id],
  );
  const { now, alert_status: alertStatus, incident_status: incidentStatus } = found as NonNullable<typeof found>;
  return {
    now: now.getTime(),
    previousDoneAt: run.previous_done_at.getTime(),
    alertStatus,
    incidentStatus,
    joined: run.joined,
    event: run.event_type as WorkflowEvent,
  };
}

/** Until a time or until an event wakes it; `due` is null when nobody knows the time. It looks by itself, too. */
async function wait(tx: Tx, run: Run, { due, look }: { due: Date | null; look: Date }): Promise<false> {
  await tx.query(`UPDATE workflows.runs SET status = 'waiting', due_at = $2 WHERE id = $1`, [run.id, due]);
  await addJob(tx, 'advance', { runId: run.id }, look);
  return false;
}
