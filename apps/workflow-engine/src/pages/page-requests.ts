/**
 * The page ledger: one line for each alert and event that asks for somebody, and how that ended. An alert asks when a
 * workflow with a `page` step runs for it. An urgent alert for which no workflow runs asks the catch-all policy.
 */
import { newUuid } from '@ams/contracts';
import { alertIsResolved, settingsOfTenants, type Run, type StepResult } from '@ams/alerting';
import type { Tx } from '@ams/database';
import {
  askingEvents,
  decideCatchAll,
  shareOf,
  type CatchAllOutcome,
  type OrganizationSettings,
  type PageOutcome,
  type WorkflowStep,
} from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { addJobs } from '../jobs/jobs.js';
import { alertOf, contextOf, type DomainEvent } from '../runs/condition-facts.js';
import type { EventDecision } from '../runs/workflows.js';

interface PageRequestRow {
  id: string;
  organization_id: string;
  environment: string;
  alert_id: string;
  event_id: string;
  workflow_id: string | null;
  workflow_name: string | null;
}

interface AddedRow {
  id: string;
  eventId: string;
  organizationId: string;
  environment: Environment;
  workflowId: string | null;
}

export const hasPage = (steps: readonly WorkflowStep[]): boolean => steps.some(({ type }) => type === 'page');

/** The decision about such an event is always stored, so one without a stored decision was lost. */
const asking: ReadonlySet<string> = new Set(askingEvents);
export const mayAsk = ({ type }: DomainEvent): boolean => asking.has(type);

/**
 * Adds the lines of events that were decided now, and asks the catch-all policy where no workflow runs. Returns how many
 * lines were added.
 */
export async function askForPages(tx: Tx, decided: readonly EventDecision[]): Promise<number> {
  const rows: PageRequestRow[] = [];
  const at = Date.now();
  const withoutRuns = decided.filter(({ alertId, runs }) => alertId !== null && runs.length === 0);
  const settingsOf = await settingsOfTenants(
    tx,
    withoutRuns.map(({ event }) => event),
  );
  for (const one of decided) {
    const { event, eventId, alertId, runs } = one;
    if (alertId === null) continue;
    const line = {
      alert_id: alertId,
      event_id: eventId,
      organization_id: event.organizationId,
      environment: event.environment,
    };
    for (const { workflow } of runs)
      if (hasPage(workflow.steps))
        rows.push({ id: newUuid(at), ...line, workflow_id: workflow.id, workflow_name: workflow.name });
    if (runs.length === 0 && catchAllOutcome(event, 0, settingsOf(event)) === 'asked')
      rows.push({ id: newUuid(at), ...line, workflow_id: null, workflow_name: null });
  }
  if (rows.length === 0) return 0;
  const added = await tx.query<AddedRow>(
    `INSERT INTO workflows.page_requests
       (id, organization_id, environment, alert_id, event_id, workflow_id, workflow_name, asked_at)
     SELECT id, organization_id, environment, alert_id, event_id, workflow_id, workflow_name, clock_timestamp()
     FROM json_to_recordset($1::json) AS r(id uuid, organization_id uuid, environment text, alert_id uuid, event_id uuid,
       workflow_id uuid, workflow_name text)
     ORDER BY event_id, workflow_id ON CONFLICT DO NOTHING RETURNING id, event_id AS "eventId", workflow_id AS "workflowId",
       organization_id AS "organizationId", environment`,
    [JSON.stringify(rows)],
  );
  const traces = new Map(decided.map(({ event, eventId }) => [eventId, contextOf(event)]));
  await addJobs(
    tx,
    'pageCatchAll',
    added
      .filter(({ workflowId }) => workflowId === null)
      .map((row) => ({
        pageRequestId: row.id,
        share: shareOf(row, { catchAll: true }),
        traceContext: traces.get(row.eventId),
      })),
  );
  return added.length;
}

/** Null for an event of an incident. `runs`: how many workflows run for the event. */
export function catchAllOutcome(
  event: DomainEvent,
  runs: number,
  settings: OrganizationSettings,
): CatchAllOutcome | null {
  const alert = alertOf(event);
  return alert && decideCatchAll({ event: event.type, runs, ...alert }, settings);
}

/** What the line of an event and a workflow has after its `page` step. */
export const endOfLine = ({ outcome, reason }: Pick<StepResult, 'outcome' | 'reason'>): PageOutcome | null => {
  if (outcome === 'done') return null;
  if (reason === 'acknowledged') return 'acknowledged';
  return reason === 'resolved' || reason === alertIsResolved ? 'resolved' : 'nobody';
};

/**
 * Writes the lines of the rows of `finished` whose `line` is true; `line_end` is what `endOfLine` returns. Parameter $2
 * has the ids of their events.
 */
export const writeLines = `UPDATE workflows.page_requests AS p SET incident_id = f.incident_id, outcome = f.line_end,
    reason = f.reason, ended_at = CASE WHEN f.line_end IS NOT NULL THEN clock_timestamp() END
  FROM finished f
  WHERE f.line AND p.event_id = f.event_id AND p.event_id = ANY($2::uuid[])
    AND p.workflow_id = f.workflow_id AND p.organization_id = f.organization_id AND p.environment = f.environment
    AND p.outcome IS NULL`;

/** A run ends before its `page` step, which is this step or a later one: its line asks the catch-all policy. */
export async function askCatchAllFrom(
  queries: Pick<Tx, 'query'>,
  { eventId, workflowId, organizationId, environment, steps }: Run,
  firstStep: number,
): Promise<void> {
  if (!hasPage(steps.slice(firstStep))) return;
  const lines = await queries.query<{ id: string }>(
    `SELECT id FROM workflows.page_requests
     WHERE event_id = $1 AND workflow_id = $2 AND organization_id = $3 AND environment = $4
       AND outcome IS NULL AND incident_id IS NULL`,
    [eventId, workflowId, organizationId, environment],
  );
  await addJobs(
    queries,
    'pageCatchAll',
    lines.map(({ id }) => ({ pageRequestId: id })),
  );
}
