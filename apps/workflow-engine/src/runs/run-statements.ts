/** The statements of steps. Each one is for many runs: those of a team share them (runs-together.ts). */
import type { Alert, Incident, TraceContext } from '@ams/contracts';
import {
  alertFromRow,
  expiringSubject,
  handOffSubject,
  incidentFromRow,
  isLastStep,
  shownAlertColumns,
  shownIncidentColumns,
  type FinishedStep,
  type Queries,
  type RecordSubject,
  type Run,
  type ShownAlertRow,
  type ShownIncidentRow,
  type StepState,
} from '@ams/alerting';
import type { Tx } from '@ams/database';
import type { WorkflowState } from '@ams/domain';
import { addDueJobs } from '../jobs/jobs.js';
import type { EventData } from '../notifications/event-data.js';
import { wakeAfterRuns } from '../notifications/message-order.js';
import { partOf, prefixed } from '../notifications/notice-subject.js';
import { askCatchAllFrom, endOfLine, writeLines } from '../pages/page-requests.js';
import type { KeptResult, WorkflowRunEntity } from './workflow-run.entity.js';

/** The interval at which a run whose page is held back checks whether its alert fires again. */
const heldCheckMs = 60_000;

/** Those that have not ended. `lock`: the clause that locks them. */
export async function readRuns(
  queries: Queries,
  ids: readonly string[],
  { columns, lock = '' }: { columns: string; lock?: string },
): Promise<Map<string, WorkflowRunEntity>> {
  const rows = await queries.query<WorkflowRunEntity>(
    `SELECT ${columns} FROM workflows.runs r
     WHERE r.id = ANY($1::uuid[]) AND r.status IN ('running', 'waiting') ${lock}`,
    [ids],
  );
  return new Map(rows.map((run) => [run.id, run]));
}

/** What a step must know of its alert, its incident and its workflow. */
export interface RunFacts {
  alert: Alert | null;
  incident: Incident | null;
  state: StepState;
}

/** In the order of the runs. */
export async function readFacts(queries: Queries, runs: readonly Run[]): Promise<RunFacts[]> {
  const rows = await queries.query<{ now: Date; workflow: WorkflowState } & Record<string, unknown>>(factsStatement, [
    JSON.stringify(
      runs.map(({ organizationId, environment, alertId, incidentId, workflowId }, position) => ({
        position,
        organization: organizationId,
        environment,
        alert: alertId,
        incident: incidentId,
        workflow: workflowId,
      })),
    ),
  ]);
  return rows.map(({ now, workflow, ...parts }) => {
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
  });
}

/** One time for all of them: then those who are on call are also found once. */
const factsStatement = `SELECT clock.now, coalesce(w.state, 'deleted') AS workflow,
    ${prefixed('alert', shownAlertColumns)}, ${prefixed('incident', shownIncidentColumns)}
  FROM json_to_recordset($1::json)
      AS m(position int, organization uuid, environment text, alert uuid, incident uuid, workflow uuid)
    CROSS JOIN (SELECT clock_timestamp() AS now) AS clock
    LEFT JOIN LATERAL (SELECT CASE WHEN enabled THEN 'enabled' ELSE 'disabled' END AS state
      FROM resources_views.workflows
      WHERE organization_id = m.organization AND environment = m.environment AND id = m.workflow LIMIT 1) AS w ON true
    LEFT JOIN LATERAL (SELECT ${shownAlertColumns} FROM alerts_views.alerts
      WHERE organization_id = m.organization AND environment = m.environment AND id = m.alert LIMIT 1) AS alert ON true
    LEFT JOIN LATERAL (SELECT ${shownIncidentColumns} FROM alerts_views.incidents
      WHERE organization_id = m.organization AND environment = m.environment AND id = m.incident LIMIT 1)
      AS incident ON true
  ORDER BY m.position`;

/** The record of an event about a schedule or a suppression window. The data of the event are kept with the run. */
export async function recordOf(
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

/** A run with a step that was finished. */
export interface FinishedRun {
  run: Run;
  finished: FinishedStep;
}

/** Writes the results, except of steps that another replica has finished, and wakes the messages that waited. */
export async function writeResults(queries: Queries, some: readonly FinishedRun[]): Promise<void> {
  for (const { run, finished } of some)
    if (finished.failsRun && finished.step.type !== 'page') await askCatchAllFrom(queries, run, run.nextStep + 1);
  const rows = some.map(rowOf);
  const eventIds = rows.filter(({ line }) => line).map(({ event_id: eventId }) => eventId);
  const ids = rows.map(({ id }) => id);
  if (eventIds.length === 0) await queries.query(writeStatement(''), [JSON.stringify(rows), ids]);
  else await queries.query(writeStatement('lines'), [JSON.stringify(rows), eventIds, ids]);
  await wakeAfterRuns(
    queries,
    some.filter(({ run, finished }) => finished.failsRun || isLastStep(run)).map(({ run }) => run),
  );
}

function rowOf({ run, finished: { step, result, failsRun } }: FinishedRun) {
  const { outcome, reason, detail, incidentId, joined } = result;
  const kept: Omit<KeptResult, 'at'> = { stepId: step.id, type: step.type, outcome, reason, detail };
  return {
    id: run.id,
    step: run.nextStep,
    kept,
    reason,
    incident_id: incidentId,
    joined,
    ends: failsRun ? 'fails' : isLastStep(run) ? 'completes' : 'no',
    line: step.type === 'page',
    line_end: step.type === 'page' ? endOfLine(result) : null,
    event_id: run.eventId,
    workflow_id: run.workflowId,
    organization_id: run.organizationId,
    environment: run.environment,
  };
}

const writeStatement = (with_: 'lines' | ''): string => `WITH finished AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS f(id uuid, step int, kept jsonb, reason text, incident_id uuid,
      joined boolean, ends text, line boolean, line_end text, event_id uuid, workflow_id uuid, organization_id uuid,
      environment text))${with_ === 'lines' ? `, lines AS (${writeLines})` : ''}
  UPDATE workflows.runs AS r SET
    results = r.results || jsonb_build_array(f.kept || jsonb_build_object('at',
      to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
    next_step = r.next_step + 1, previous_done_at = clock_timestamp(), due_at = NULL,
    incident_id = coalesce(f.incident_id, r.incident_id), joined = r.joined OR f.joined,
    status = CASE WHEN f.ends = 'no' THEN 'running'
      WHEN f.ends = 'completes' AND r.message_error IS NULL THEN 'completed' ELSE 'failed' END,
    error = CASE f.ends WHEN 'fails' THEN f.reason WHEN 'completes' THEN r.message_error END,
    finished_at = CASE WHEN f.ends <> 'no' THEN clock_timestamp() END
  FROM finished f
  WHERE r.id = f.id AND r.id = ANY($${with_ === 'lines' ? 3 : 2}::uuid[]) AND r.next_step = f.step
    AND r.organization_id = f.organization_id AND r.environment = f.environment AND r.status IN ('running', 'waiting')`;

/** A run that waits until a time in milliseconds; null: until an event wakes it. */
export interface WaitingRun {
  run: Run;
  /** The trace that the run continues after the wait. */
  traceContext: TraceContext;
  until: number | null;
  now: number;
}

export async function writeWaits(tx: Tx, some: readonly WaitingRun[]): Promise<void> {
  const due = some.map(({ run, until, now, traceContext }) => ({
    run,
    traceContext,
    dueAt: until === null ? null : new Date(until),
    at: new Date(until ?? now + heldCheckMs),
  }));
  await tx.query(
    `UPDATE workflows.runs AS r SET status = 'waiting', due_at = w.due_at
     FROM json_to_recordset($1::json) AS w(id uuid, due_at timestamptz) WHERE r.id = w.id AND r.id = ANY($2::uuid[])`,
    [JSON.stringify(due.map(({ run, dueAt }) => ({ id: run.id, due_at: dueAt }))), due.map(({ run }) => run.id)],
  );
  await addDueJobs(
    tx,
    'advance',
    due.map(({ run, traceContext, at }) => ({ payload: { runId: run.id, traceContext }, at })),
  );
  await wakeAfterRuns(
    tx,
    some.map(({ run }) => run),
  );
}

/** For a run without a further step. */
export async function completeRun(tx: Tx, run: Run): Promise<void> {
  await tx.query(
    `UPDATE workflows.runs SET status = CASE WHEN message_error IS NULL THEN 'completed' ELSE 'failed' END,
       error = message_error, due_at = NULL, finished_at = clock_timestamp() WHERE id = $1`,
    [run.id],
  );
  await wakeAfterRuns(tx, [run]);
}

/** Alerts that asked for somebody by a step that is not reached any more ask the catch-all policy. */
export async function endRun(tx: Tx, run: Run, why: 'disabled' | 'deleted'): Promise<void> {
  await askCatchAllFrom(tx, run, run.nextStep);
  await tx.query(
    `UPDATE workflows.runs SET status = 'failed', error = $2, due_at = NULL, finished_at = clock_timestamp()
     WHERE id = $1`,
    [run.id, `the workflow was ${why}`],
  );
  await wakeAfterRuns(tx, [run]);
}
