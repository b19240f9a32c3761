/**
 * The steps of a stored run. Its row is locked while a step is decided, and commands are sent to the pipeline over
 * NATS. The statements are named SQL statements, because every step of every run needs them.
 */
import { workflowCommandRequest, type Alert, type Incident } from '@ams/contracts';
import type { WorkflowCommand, WorkflowCommandReply } from '@ams/contracts';
import {
  shownAlertColumns,
  alertFromRow,
  shownIncidentColumns,
  expiringSubject,
  handOffSubject,
  incidentFromRow,
  isLastStep,
  recipientReads,
  type ShownAlertRow,
  type FinishedStep,
  type ShownIncidentRow,
  type Queries,
  type RecordSubject,
  type Run,
  type RunEffects,
  type StepEffects,
  type StepReads,
  type StepState,
} from '@ams/alerting';
import { selectOf, type Database, type Tx } from '@ams/database';
import type { WorkflowState } from '@ams/domain';
import type { RpcClient } from '@ams/messaging';
import { addJob } from '../jobs/jobs.js';
import { createNotifications } from '../notifications/create-notifications.js';
import type { EventData } from '../notifications/event-data.js';
import { wakeAfterRun } from '../notifications/message-order.js';
import { partOf, prefixed } from '../notifications/notice-subject.js';
import { askCatchAllFrom, endOfLine } from '../pages/page-requests.js';
import { WorkflowRunEntity, type KeptResult } from './workflow-run.entity.js';

/** Longer than a statement of the pipeline may take. A command that is lost is sent again, and changes nothing then. */
const commandTimeoutMs = 5000;
/** The interval at which a run whose page is held back checks whether its alert fires again. */
const heldCheckMs = 60_000;

const runSelect = (columns: string): string =>
  `SELECT ${columns} FROM workflows.runs r WHERE r.id = $1 AND r.status IN ('running', 'waiting')`;

export class StoredRunEffects implements RunEffects {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly runId: string,
    /** Called for each step that was finished. */
    private readonly onFinished: (finished: FinishedStep, run: Run) => void,
  ) {}

  locked<T>(work: (run: Run, effects: StepEffects) => Promise<T>): Promise<T | undefined> {
    return this.database.asService(async (tx) => {
      const columns = selectOf(tx, WorkflowRunEntity, 'r');
      const [run] = await tx.query<WorkflowRunEntity>(`${runSelect(columns)} FOR UPDATE`, [this.runId]);
      return run && work(run, this.stepEffects(tx));
    });
  }

  unlocked<T>(work: (run: Run, reads: StepReads) => Promise<T>): Promise<T | undefined> {
    return this.database.statements(async (queries) => {
      const columns = this.database.selectOf(WorkflowRunEntity, 'r');
      const [run] = await queries.query<WorkflowRunEntity>(runSelect(columns), [this.runId]);
      return run && work(run, stepReads(queries));
    });
  }

  /** Throws UNAVAILABLE when the pipeline does not reply. */
  changeAlerting(command: WorkflowCommand): Promise<WorkflowCommandReply> {
    return this.rpc.request(workflowCommandRequest, command, {
      timeoutMs: commandTimeoutMs,
      requestId: this.runId,
    });
  }

  async finishStep(run: Run, finished: FinishedStep): Promise<void> {
    await this.keep(this.database, run, finished);
  }

  /** The effects while the transaction holds the lock of the run. */
  private stepEffects(tx: Tx): StepEffects {
    const reads = stepReads(tx);
    return {
      ...reads,
      notify: async (run, step, message) => ({
        notifications: await createNotifications(tx, run, step, message, reads.incidentOf),
      }),
      wait: async (run, until, now) => {
        await wait(tx, run.id, until, now);
        await wakeAfterRun(tx, run);
      },
      finishStep: (run, finished) => this.keep(tx, run, finished),
      complete: async (run) => {
        await complete(tx, run.id);
        await wakeAfterRun(tx, run);
      },
      end: async (run, why) => {
        await end(tx, run, why);
        await wakeAfterRun(tx, run);
      },
    };
  }

  private async keep(queries: Queries, run: Run, finished: FinishedStep): Promise<void> {
    this.onFinished(finished, run);
    await writeResult(queries, run, finished);
    if (finished.failsRun || isLastStep(run)) await wakeAfterRun(queries, run);
  }
}

/** What steps read. The alert, the incident and the workflow are read together, once for each step. */
function stepReads(queries: Queries): StepReads {
  let read: { step: string; facts: Promise<RunFacts> } | null = null;
  const factsOf = (run: Run): Promise<RunFacts> => {
    const step = `${run.id} ${run.nextStep}`;
    if (read?.step !== step) read = { step, facts: readFacts(queries, run) };
    return read.facts;
  };
  return {
    ...recipientReads(queries),
    alertOf: async (run) => (await factsOf(run)).alert,
    incidentOf: async (run) => (await factsOf(run)).incident,
    recordOf: (run) => recordOf(queries, run),
    stateFor: async (run) => (await factsOf(run)).state,
  };
}

interface RunFacts {
  alert: Alert | null;
  incident: Incident | null;
  state: StepState;
}

async function readFacts(
  queries: Queries,
  { organizationId, environment, alertId, incidentId, workflowId }: Run,
): Promise<RunFacts> {
  const [row] = await queries.query<{ now: Date; workflow: WorkflowState } & Record<string, unknown>>(factsStatement, [
    organizationId,
    environment,
    alertId,
    incidentId,
    workflowId,
  ]);
  const { now, workflow, ...parts } = row as NonNullable<typeof row>;
  const alertRow = partOf<ShownAlertRow>(parts, 'alert');
  const incidentRow = partOf<ShownIncidentRow>(parts, 'incident');
  const alert = alertRow && alertFromRow(alertRow);
  const incident = incidentRow && incidentFromRow(incidentRow);
  const state = {
    now: now.getTime(),
    alertStatus: alert?.status ?? null,
    incidentStatus: incident?.status ?? null,
    workflow,
  };
  return { alert, incident, state };
}

const factsStatement = `SELECT clock_timestamp() AS now, coalesce(w.state, 'deleted') AS workflow,
    ${prefixed('alert', shownAlertColumns)}, ${prefixed('incident', shownIncidentColumns)}
  FROM (VALUES (1)) AS one
    LEFT JOIN LATERAL (SELECT CASE WHEN enabled THEN 'enabled' ELSE 'disabled' END AS state
      FROM resources_views.workflows WHERE organization_id = $1 AND environment = $2 AND id = $5) AS w ON true
    LEFT JOIN LATERAL (SELECT ${shownAlertColumns} FROM alerts_views.alerts
      WHERE organization_id = $1 AND environment = $2 AND id = $3 LIMIT 1) AS alert ON true
    LEFT JOIN LATERAL (SELECT ${shownIncidentColumns} FROM alerts_views.incidents
      WHERE organization_id = $1 AND environment = $2 AND id = $4 LIMIT 1) AS incident ON true`;

/** The data of the event are kept with the run. */
async function recordOf(
  queries: Queries,
  { id, organizationId, environment, subjectId }: Run,
): Promise<RecordSubject | null> {
  if (subjectId === null) return null;
  const [run] = await queries.query<{ data: EventData | null }>(
    `SELECT event_data AS data FROM workflows.runs WHERE id = $1 AND organization_id = $2 AND environment = $3`,
    [id, organizationId, environment],
  );
  const { schedule, suppression } = run?.data ?? {};
  return schedule ? handOffSubject(schedule) : suppression ? expiringSubject(suppression) : null;
}

/** The run waits until a time, or until an event wakes it. */
async function wait(tx: Tx, runId: string, until: number | null, now: number): Promise<void> {
  const dueAt = until === null ? null : new Date(until);
  await tx.query(`UPDATE workflows.runs SET status = 'waiting', due_at = $2 WHERE id = $1`, [runId, dueAt]);
  await addJob(tx, 'advance', { runId }, dueAt ?? new Date(now + heldCheckMs));
}

/** Writes nothing when another replica has finished the step. */
async function writeResult(queries: Queries, run: Run, { step, result, failsRun }: FinishedStep): Promise<void> {
  const { id, nextStep } = run;
  if (step.type !== 'page' && failsRun) await askCatchAllFrom(queries, run, run.nextStep + 1);
  const { outcome, reason, detail, incidentId, joined } = result;
  const end = failsRun ? 'fails' : isLastStep(run) ? 'completed' : 'none';
  const kept: Omit<KeptResult, 'at'> = { stepId: step.id, type: step.type, outcome, reason, detail };
  const params: unknown[] = [id, nextStep, JSON.stringify(kept), incidentId, joined, failsRun ? reason : null];
  const line = step.type === 'page' ? endOfLine(run, result, (value) => `$${params.push(value)}`) : null;
  await queries.query(
    `${line === null ? '' : `WITH line AS (${line}) `}UPDATE workflows.runs SET
       results = results || jsonb_build_array($3::jsonb || jsonb_build_object('at',
         to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
       next_step = next_step + 1, previous_done_at = clock_timestamp(), due_at = NULL,
       incident_id = coalesce($4, incident_id), joined = joined OR $5, ${ends[end]}
     WHERE id = $1 AND next_step = $2 AND status IN ('running', 'waiting')`,
    params,
  );
}

/** What a run has after a step; $6 is why it has failed. */
const ends = {
  none: `status = 'running', error = $6`,
  fails: `status = 'failed', error = $6, finished_at = clock_timestamp()`,
  completed: `status = CASE WHEN message_error IS NULL THEN 'completed' ELSE 'failed' END,
    error = coalesce($6, message_error), finished_at = clock_timestamp()`,
} as const;

async function complete(tx: Tx, runId: string): Promise<void> {
  await tx.query(
    `UPDATE workflows.runs SET status = CASE WHEN message_error IS NULL THEN 'completed' ELSE 'failed' END,
       error = message_error, due_at = NULL, finished_at = clock_timestamp() WHERE id = $1`,
    [runId],
  );
}

/** Alerts that asked for somebody by a step that is not reached any more ask the catch-all policy. */
async function end(tx: Tx, run: Run, why: 'disabled' | 'deleted'): Promise<void> {
  await askCatchAllFrom(tx, run, run.nextStep);
  await tx.query(
    `UPDATE workflows.runs SET status = 'failed', error = $2, due_at = NULL, finished_at = clock_timestamp() WHERE id = $1`,
    [run.id, `the workflow was ${why}`],
  );
}
