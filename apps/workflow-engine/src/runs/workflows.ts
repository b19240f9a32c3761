/** Workflows as `resource-api` publishes them, and the decision which of them an event triggers. */
import { newUuid, uuidOf, type Tenant } from '@ams/contracts';
import { type Tx } from '@ams/database';
import {
  considerWorkflow,
  SharedBudgets,
  maxCausedRuns,
  type Condition,
  type RanBefore,
  type TraceNode,
  type WorkflowEvent,
  type WorkflowStep,
} from '@ams/domain';
import {
  alertOf,
  expiringOf,
  factsOf,
  handOffOf,
  incidentOf,
  subjectIdOf,
  type DomainEvent,
  type RelatedRecords,
} from './condition-facts.js';
import type { WorkflowDecision } from './event-decision.entity.js';

export interface Workflow extends Tenant {
  id: string;
  name: string;
  version: number;
  createdAt: Date;
  events: WorkflowEvent[];
  conditions: Condition | null;
  steps: WorkflowStep[];
}

export const workflowColumns =
  'w.id, w.organization_id AS "organizationId", w.environment, w.name, w.version, w.created_at AS "createdAt", w.events, ' +
  'w.conditions, w.steps';

/** The key of a tenant in a map. */
export const tenantKey = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;

/** The tenants of events or records, as two parameters of a statement: organizations, environments. */
export const tenantsOf = (of: readonly Tenant[]): [organizations: string[], environments: string[]] => [
  of.map(({ organizationId }) => organizationId),
  of.map(({ environment }) => environment),
];

/** The list of the tenants in SQL, for `IN`. `parameter` is the number of the first one of `tenantsOf`. */
export const tenantsAt = (parameter: number): string =>
  `(SELECT o, e FROM unnest($${parameter}::uuid[], $${parameter + 1}::text[]) AS t(o, e))`;

/** The workflows that these events can begin, by `tenantKey`. */
export async function workflowsFor(tx: Tx, events: readonly DomainEvent[]): Promise<Map<string, Workflow[]>> {
  const tenants = new Map(events.map((event) => [tenantKey(event), { o: event.organizationId, e: event.environment }]));
  const types = new Set(events.map(({ type }) => type as string));
  if (types.has('alert.resumed')) types.add('alert.created');
  const workflows = await tx.query<Workflow>(
    `SELECT ${workflowColumns}
     FROM json_to_recordset($1::json) AS k(o uuid, e text)
     JOIN resources_views.workflows w ON w.organization_id = k.o AND w.environment = k.e
     WHERE w.enabled AND w.events && $2::text[] ORDER BY w.created_at, w.id`,
    [JSON.stringify([...tenants.values()]), [...types]],
  );
  const found = new Map<string, Workflow[]>();
  for (const workflow of workflows) {
    const key = tenantKey(workflow);
    found.set(key, [...(found.get(key) ?? []), workflow]);
  }
  return found;
}

export interface BegunRun {
  id: string;
  workflow: Workflow;
  trace: TraceNode;
  /** How many runs the chain of workflows had caused before this one. 0 when a workflow did not cause it. */
  causedBefore: number;
}

/** The decisions for one event, and the runs that it begins. */
export interface EventDecision {
  event: DomainEvent;
  eventId: string;
  alertId: string | null;
  incidentId: string | null;
  /** The UUID of the schedule or suppression window. */
  subjectId: string | null;
  decisions: WorkflowDecision[];
  runs: BegunRun[];
}

export const timelineIdOf = (event: DomainEvent): string => uuidOf('timelineEntry', event.id) as string;

/** The key of a workflow and an alert in the map of earlier runs. */
export const ranKey = (workflowId: string, alertId: string | null): string => `${workflowId} ${alertId ?? ''}`;

/** The UUID of the event that began the chain of workflows that caused this one. An earlier release does not say it. */
export const rootOf = (event: DomainEvent): string =>
  ('rootEventId' in event ? event.rootEventId : undefined) ?? timelineIdOf(event);

/** How many runs the chains of workflows have begun, by the events that began them. */
export class CausedRuns {
  constructor(private readonly counts = new Map<string, number>()) {}

  of(event: DomainEvent): number {
    return event.depth > 0 ? (this.counts.get(rootOf(event)) ?? 0) : 0;
  }

  add(event: DomainEvent): void {
    if (event.depth > 0) this.counts.set(rootOf(event), this.of(event) + 1);
  }
}

/**
 * Counts the runs that these events' chains have begun. Transactions that begin runs of one chain do so one after
 * another, so the count is exact.
 */
export async function lockCausedRuns(tx: Tx, events: readonly DomainEvent[]): Promise<CausedRuns> {
  const roots = [...new Set(events.filter(({ depth }) => depth > 0).map(rootOf))];
  if (roots.length === 0) return new CausedRuns();
  await tx.query(
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT hashtextextended('caused runs ' || root, 0) AS key FROM unnest($1::text[]) AS root ORDER BY 1) AS k`,
    [roots],
  );
  const rows = await tx.query<{ root: string; runs: number }>(
    `SELECT root_event_id AS root, count(*)::int AS runs FROM workflows.runs
     WHERE root_event_id = ANY($1::uuid[]) AND (organization_id, environment) IN ${tenantsAt(2)} GROUP BY 1`,
    [roots, ...tenantsOf(events)],
  );
  return new CausedRuns(new Map(rows.map(({ root, runs }) => [root, runs])));
}

/**
 * The decision about each workflow for the event, in parts. Adds the runs that begin to `ran` and to `caused`. `budgets`
 * limits the work for the conditions of each organization.
 */
export function* decideWorkflows(
  event: DomainEvent,
  workflows: readonly Workflow[],
  ran: Map<string, RanBefore>,
  related: RelatedRecords,
  now: Date,
  caused: CausedRuns,
  budgets = new SharedBudgets(),
): Generator<void, EventDecision> {
  const alert = alertOf(event);
  const incident = incidentOf(event);
  const alertId = uuidOf('alert', alert?.id ?? '');
  const decided: EventDecision = {
    event,
    eventId: timelineIdOf(event),
    alertId,
    incidentId: uuidOf('incident', incident?.id ?? alert?.incidentId ?? ''),
    subjectId: subjectIdOf(event),
    decisions: [],
    runs: [],
  };
  const facts = {
    ...factsOf(alert, incident, related, now.toISOString()),
    schedule: handOffOf(event),
    suppression: expiringOf(event),
  };
  const trigger = { type: event.type, alertStatus: alert?.status ?? null, depth: event.depth };
  for (const workflow of workflows) {
    const key = ranKey(workflow.id, alertId);
    const causedBefore = caused.of(event);
    const causedRunsLeft = maxCausedRuns - causedBefore;
    const considered = budgets.evaluate(event.organizationId, (budget) =>
      considerWorkflow(workflow, { ...trigger, causedRunsLeft }, facts, ran.get(key) ?? 'never', budget),
    );
    yield;
    if (!considered) continue;
    const { id: workflowId, name, version } = workflow;
    const runId = considered.outcome === 'run' ? newUuid(now.getTime()) : null;
    decided.decisions.push({ workflowId, name, version, ...considered, runId });
    if (runId === null) continue;
    decided.runs.push({ id: runId, workflow, trace: considered.trace, causedBefore });
    caused.add(event);
    ran.set(key, 'waiting');
  }
  return decided;
}

/** The outcomes of earlier runs for the alerts that resume, by `ranKey`. */
export function ranBefore(tx: Tx, events: readonly DomainEvent[]): Promise<Map<string, RanBefore>> {
  const resumed = events.filter(({ type }) => type === 'alert.resumed');
  const alertIds = resumed.map((event) => uuidOf('alert', alertOf(event)?.id ?? '')).filter((id) => id !== null);
  return ranBeforeForAlerts(tx, resumed, alertIds);
}

/** The same for one workflow and one alert. */
export async function ranBeforeFor(tx: Tx, tenant: Tenant, workflowId: string, alertId: string): Promise<RanBefore> {
  return (await ranBeforeForAlerts(tx, [tenant], [alertId])).get(ranKey(workflowId, alertId)) ?? 'never';
}

async function ranBeforeForAlerts(
  tx: Tx,
  tenants: readonly Tenant[],
  alertIds: string[],
): Promise<Map<string, RanBefore>> {
  if (alertIds.length === 0) return new Map();
  const rows = await tx.query<{ workflowId: string; alertId: string; waits: boolean }>(
    `SELECT workflow_id AS "workflowId", alert_id AS "alertId", bool_or(status IN ('running', 'waiting')) AS waits
     FROM workflows.runs WHERE alert_id = ANY($1::uuid[]) AND (organization_id, environment) IN ${tenantsAt(2)}
     GROUP BY workflow_id, alert_id`,
    [alertIds, ...tenantsOf(tenants)],
  );
  return new Map(rows.map((row) => [ranKey(row.workflowId, row.alertId), row.waits ? 'waiting' : 'done']));
}
