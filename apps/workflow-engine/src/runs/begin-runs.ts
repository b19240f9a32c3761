/**
 * Applies the events of alerts and incidents to workflows: runs begin. This is a hot path: the events of a message are
 * processed together, by multi-row SQL statements.
 */
import { uuidOf } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { eachInParts, SharedBudgets, shareOfRun } from '@ams/domain';
import { evaluationTurns, ownerOfShort } from '@ams/service';
import { addJobs } from '../jobs/jobs.js';
import { eventDataOf, postsEvents, subjectVersionOf } from '../notifications/event-data.js';
import { alertOf, contextOf, incidentOf, relatedRecordsOf, type DomainEvent } from './condition-facts.js';
import { costOf, eventsWithinShares, UsedShares, type EventShares } from './event-lanes.js';
import { alertsOfIncidents, comparesAlerts } from './incident-alerts.js';
import { updateDevices } from '../pages/device-updates.js';
import { notifyOfPages } from '../pages/page-notifications.js';
import { askForPages, mayAsk } from '../pages/page-requests.js';
import type { WorkflowDecision } from './event-decision.entity.js';
import { SubjectsMissing } from './subjects-missing.js';
import { timed } from './timed.js';
import {
  decideWorkflows,
  lockCausedRuns,
  ranBefore,
  rootOf,
  tenantKey,
  tenantsAt,
  tenantsOf,
  timelineIdOf,
  workflowsFor,
  type EventDecision,
  type Workflow,
} from './workflows.js';

export interface BeginOptions {
  /** Whether only workflows that were created before an event are triggered, because the event is processed again. */
  onlyOlderWorkflows?: boolean;
  /** Begin runs although the database does not have the alert or the incident. */
  withoutSubjects?: boolean;
  /** The work of each organization is limited. Without it no event waits. */
  shares?: EventShares;
  /** All events are of one organization, and others have transactions of their own. */
  inOwnTurn?: boolean;
}

export interface Begun {
  decisions: WorkflowDecision[];
  /** The lines that were added to the page ledger. */
  asked: number;
  /** The events that nothing was decided about: they wait for a turn of their organization. */
  later: DomainEvent[];
}

/**
 * Decides about the workflows of each event, stores the decisions, and begins the runs. Throws `SubjectsMissing`: runs
 * without their alert could do nothing useful.
 */
export async function beginRuns(tx: Tx, events: readonly DomainEvent[], options: BeginOptions = {}): Promise<Begun> {
  await notifyOfPages(tx, events, { withoutSubjects: options.withoutSubjects ?? false });
  await updateDevices(tx, events);
  return beginWorkflows(tx, events, options);
}

/** The runs alone, of events that have waited: what tells people of an event itself was done when it arrived. */
export async function beginWorkflows(
  tx: Tx,
  events: readonly DomainEvent[],
  { onlyOlderWorkflows = false, withoutSubjects = false, shares, inOwnTurn = false }: BeginOptions = {},
): Promise<Begun> {
  const workflows = await workflowsFor(tx, events);
  const workflowsOf = (event: DomainEvent): Workflow[] =>
    (workflows.get(tenantKey(event)) ?? []).filter(
      ({ createdAt }) => !onlyOlderWorkflows || createdAt <= new Date(event.occurredAt),
    );
  const open = await undecided(
    tx,
    events.filter((event) => workflows.has(tenantKey(event)) || mayAsk(event)),
  );
  const concerned = shares ? eventsWithinShares(open, shares).now : open;
  if (concerned.length === 0) return { decisions: [], asked: 0, later: open };
  if (!withoutSubjects) await requireSubjects(tx, concerned);
  const comparing = concerned.filter((event) => comparesAlerts(event, workflows.get(tenantKey(event)) ?? []));
  const related = await relatedRecordsOf(tx, concerned, await alertsOfIncidents(tx, comparing));
  const ran = await ranBefore(tx, concerned);
  const caused = await lockCausedRuns(tx, concerned);
  const [clock] = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const { now } = clock as { now: Date };
  const budgets = new SharedBudgets();
  const used = new UsedShares(shares);
  const isLater = new Set(open);
  function* decide(event: DomainEvent): Generator<void, EventDecision | null> {
    if (!used.hasRoomFor(event)) return null;
    isLater.delete(event);
    const decision = yield* timed(decideWorkflows(event, workflowsOf(event), ran, related, now, caused, budgets));
    used.note(event, costOf(decision.ms, decision.runs.length));
    return decision;
  }
  const owner = { ...ownerOfShort(concerned, 'workflow conditions'), rests: inOwnTurn };
  const all = await evaluationTurns.run(owner, eachInParts(concerned, decide));
  const decided = all
    .filter((decision) => decision !== null)
    .filter(({ event, decisions }) => decisions.length > 0 || mayAsk(event));
  await insertDecisions(tx, decided);
  await insertRuns(tx, decided, now);
  const asked = await askForPages(tx, decided);
  return { decisions: decided.flatMap(({ decisions }) => decisions), asked, later: [...isLater] };
}

/** The events without a decision: a message may be delivered again after workflows have changed. */
async function undecided(tx: Tx, events: readonly DomainEvent[]): Promise<DomainEvent[]> {
  if (events.length === 0) return [];
  const rows = await tx.query<{ eventId: string }>(
    `SELECT event_id AS "eventId" FROM workflows.considered
     WHERE event_id = ANY($1::uuid[]) AND (organization_id, environment) IN ${tenantsAt(2)}`,
    [events.map(timelineIdOf), ...tenantsOf(events)],
  );
  const decided = new Set(rows.map(({ eventId }) => eventId));
  return events.filter((event) => !decided.has(timelineIdOf(event)));
}

/**
 * After a failover with loss of data an alert may be missing until the pipeline has applied its events again. Locks are
 * not needed: nothing deletes an alert with a new event.
 */
async function requireSubjects(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const alerts = events.map((event) => uuidOf('alert', alertOf(event)?.id ?? ''));
  const incidents = events.map((event) => uuidOf('incident', incidentOf(event)?.id ?? ''));
  const present = new Set([
    ...(await presentOf(tx, 'alerts', events, alerts)),
    ...(await presentOf(tx, 'incidents', events, incidents)),
  ]);
  const isMissing = (id: string | null | undefined): boolean => typeof id === 'string' && !present.has(id);
  const missing = events.filter((_event, index) => isMissing(alerts[index]) || isMissing(incidents[index]));
  if (missing.length > 0) throw new SubjectsMissing(missing.length);
}

/**
 * The UUIDs that the database has, of the record of each event. The tenant is compared in a form that no index serves:
 * without statistics PostgreSQL would read all alerts of each organization.
 */
async function presentOf(
  tx: Tx,
  view: 'alerts' | 'incidents',
  events: readonly DomainEvent[],
  ids: readonly (string | null)[],
): Promise<string[]> {
  const asked = new Map(events.flatMap((event, index) => (ids[index] ? [[ids[index], event] as const] : [])));
  if (asked.size === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT r.id FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS k(id, o, e)
     JOIN alerts_views.${view} r ON r.id = k.id AND (r.organization_id, r.environment) IS NOT DISTINCT FROM (k.o, k.e)`,
    [[...asked.keys()], ...tenantsOf([...asked.values()])],
  );
  return rows.map(({ id }) => id);
}

/** Inserted before runs: of two replicas with the same message, one waits here for the other, then inserts nothing. */
async function insertDecisions(tx: Tx, decided: readonly EventDecision[]): Promise<void> {
  const rows = decided.map(({ event, eventId, alertId, incidentId, decisions }) => ({
    event_id: eventId,
    organization_id: event.organizationId,
    environment: event.environment,
    event_type: event.type,
    alert_id: alertId,
    incident_id: incidentId,
    occurred_at: event.occurredAt,
    workflows: decisions,
  }));
  await tx.query(
    `INSERT INTO workflows.considered
       (event_id, organization_id, environment, event_type, alert_id, incident_id, occurred_at, workflows)
     SELECT event_id, organization_id, environment, event_type, alert_id, incident_id, occurred_at, workflows
     FROM json_to_recordset($1::json) AS d(event_id uuid, organization_id uuid, environment text, event_type text,
       alert_id uuid, incident_id uuid, occurred_at timestamptz, workflows jsonb)
     ORDER BY event_id ON CONFLICT (event_id) DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

const runColumns = `id, organization_id, environment, workflow_id, workflow_name, workflow_version, event_id,
  event_type, occurred_at, depth, root_event_id, alert_id, incident_id, subject_id, trace, steps`;

/** The data of each event whose runs post it to webhooks. */
const eventDataFor = (decided: readonly EventDecision[]): { posting: string; data: string; version: number | null }[] =>
  decided
    .filter(({ subjectId, runs }) => subjectId !== null || runs.some(({ workflow }) => postsEvents(workflow.steps)))
    .map(({ event, eventId }) => ({ posting: eventId, data: eventDataOf(event), version: subjectVersionOf(event) }));

/** A run that the event has already begun is not begun again. Returns how many have begun. */
export async function insertRuns(tx: Tx, decided: readonly EventDecision[], now: Date): Promise<number> {
  const rows = decided.flatMap(({ event, eventId, alertId, incidentId, subjectId, runs }) =>
    runs.map(({ id, workflow, trace }) => ({
      id,
      organization_id: event.organizationId,
      environment: event.environment,
      workflow_id: workflow.id,
      workflow_name: workflow.name,
      workflow_version: workflow.version,
      event_id: eventId,
      event_type: event.type,
      occurred_at: event.occurredAt,
      depth: event.depth,
      root_event_id: event.depth > 0 ? rootOf(event) : null,
      alert_id: alertId,
      incident_id: incidentId,
      subject_id: subjectId,
      trace,
      steps: workflow.steps,
      // The record of such an event may have changed when a step is done.
      posts_event: subjectId !== null || postsEvents(workflow.steps),
    })),
  );
  if (rows.length === 0) return 0;
  const begun = await tx.query<{ id: string }>(
    `INSERT INTO workflows.runs (${runColumns}, event_data, subject_version, status, previous_done_at, created_at)
     SELECT ${runColumns}, e.data::jsonb, e.version, 'running', $2, $2
     FROM json_to_recordset($1::json) AS r(id uuid, organization_id uuid,
       environment text, workflow_id uuid, workflow_name text, workflow_version int, event_id uuid, event_type text,
       occurred_at timestamptz, depth smallint, root_event_id uuid, alert_id uuid, incident_id uuid, subject_id uuid,
       trace jsonb, steps jsonb, posts_event boolean)
     LEFT JOIN json_to_recordset($3::json) AS e(posting uuid, data text, version int)
       ON r.posts_event AND e.posting = r.event_id
     ON CONFLICT (workflow_id, event_id) DO NOTHING RETURNING id`,
    [JSON.stringify(rows), now, JSON.stringify(eventDataFor(decided))],
  );
  const shares = new Map(
    decided.flatMap(({ event, runs }) =>
      runs.map(({ id, workflow, causedBefore }) => {
        const labels = alertOf(event)?.labels ?? {};
        return [id, shareOfRun(event, workflow, labels, causedBefore)] as const;
      }),
    ),
  );
  const traces = new Map(decided.flatMap(({ event, runs }) => runs.map(({ id }) => [id, contextOf(event)] as const)));
  await addJobs(
    tx,
    'advance',
    begun.map(({ id }) => ({ runId: id, share: shares.get(id), traceContext: traces.get(id) })),
  );
  return begun.length;
}
