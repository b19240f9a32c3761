/**
 * Lines of the ledger that wait for the `page` step of a run that does not exist any more, or has ended without it. The
 * run begins again by the decision that was made; what cannot begin again asks the catch-all policy.
 */
import type { Tx } from '@ams/database';
import type { Environment } from '@ams/scopes';
import { addJob, jobSchema } from '../jobs/jobs.js';
import { beginRuns, insertRuns } from '../runs/begin-runs.js';
import type { WorkflowDecision } from '../runs/event-decision.entity.js';
import { workflowColumns, type Workflow } from '../runs/workflows.js';
import { storedEvent } from './lost-events.js';
import type { Found } from './page-looks.js';
import { hasPage } from './page-requests.js';

const atOnce = 200;

export interface LineWithoutRun {
  id: string;
  organizationId: string;
  environment: Environment;
  alertId: string;
  eventId: string;
  workflowId: string;
}

/** A line waits for at least a minute before it is put on its way, and before that is done again. */
const isLost = `r.outcome IS NULL AND r.repairs >= 0 AND r.incident_id IS NULL AND r.workflow_id IS NOT NULL
  AND coalesce(r.repaired_at, r.asked_at) < clock_timestamp() - interval '1 minute'
  AND NOT EXISTS (SELECT FROM workflows.runs w WHERE w.workflow_id = r.workflow_id AND w.event_id = r.event_id
    AND w.status IN ('running', 'waiting'))
  AND NOT EXISTS (SELECT FROM ${jobSchema}._private_jobs j WHERE j.key = 'pageCatchAll:' || r.id)`;

/** The lines of alerts that do not fire end by themselves. */
export async function findLostRuns(tx: Tx): Promise<Found<LineWithoutRun>> {
  const missing = await tx.query<LineWithoutRun>(
    `SELECT r.id, r.organization_id AS "organizationId", r.environment, r.alert_id AS "alertId",
       r.event_id AS "eventId", r.workflow_id AS "workflowId"
     FROM workflows.page_requests r JOIN alerts_views.alerts a ON a.id = r.alert_id
       AND a.organization_id = r.organization_id AND a.environment = r.environment
     WHERE ${isLost} AND a.status = 'firing'
     ORDER BY coalesce(r.repaired_at, r.asked_at) LIMIT ${atOnce}`,
  );
  return { missing };
}

/** False when another replica has done it. */
export async function beginLostRun(tx: Tx, line: LineWithoutRun): Promise<boolean> {
  const [locked] = await tx.query(`SELECT FROM workflows.page_requests r WHERE r.id = $1 AND ${isLost} FOR UPDATE`, [
    line.id,
  ]);
  if (!locked) return false;
  if (!(await beginAgain(tx, line))) await addJob(tx, 'pageCatchAll', { pageRequestId: line.id });
  await tx.query(
    'UPDATE workflows.page_requests SET repairs = repairs + 1, repaired_at = clock_timestamp() WHERE id = $1',
    [line.id],
  );
  return true;
}

async function beginAgain(tx: Tx, line: LineWithoutRun): Promise<boolean> {
  const { organizationId, environment, alertId, eventId, workflowId } = line;
  const event = await storedEvent(tx, line);
  if (!event) return false;
  const [considered] = await tx.query<{ workflows: WorkflowDecision[] }>(
    `SELECT workflows FROM workflows.considered WHERE event_id = $1 AND organization_id = $2 AND environment = $3`,
    [eventId, organizationId, environment],
  );
  if (!considered) {
    await beginRuns(tx, [event], { onlyOlderWorkflows: true });
    return hasRun(tx, line);
  }
  const decision = considered.workflows.find((one) => one.workflowId === workflowId);
  const [workflow] = await tx.query<Workflow>(
    `SELECT ${workflowColumns} FROM resources_views.workflows w
     WHERE w.id = $1 AND w.organization_id = $2 AND w.environment = $3`,
    [workflowId, organizationId, environment],
  );
  if (!workflow || !decision?.runId || !hasPage(workflow.steps)) return false;
  const run = { id: decision.runId, workflow, trace: decision.trace, causedBefore: 0 };
  const [clock] = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const { now } = clock as { now: Date };
  return (
    (await insertRuns(
      tx,
      [{ event, eventId, alertId, incidentId: null, subjectId: null, decisions: [], runs: [run] }],
      now,
    )) > 0
  );
}

async function hasRun(tx: Tx, { workflowId, eventId }: LineWithoutRun): Promise<boolean> {
  const found = await tx.query(
    `SELECT FROM workflows.runs WHERE workflow_id = $1 AND event_id = $2 AND status IN ('running', 'waiting')`,
    [workflowId, eventId],
  );
  return found.length > 0;
}
