/** The list of a workflow's runs. A keyset list, in SQL. */
import {
  Fault,
  mayRead,
  publicId,
  uuidOf,
  withAddressesFor,
  type Input,
  type ListRunsQuery,
  type Page,
  type Principal,
  type RunStep,
  type WorkflowRun,
} from '@ams/contracts';
import { Database, page, selectOf, Where, type Tx } from '@ams/database';
import type { TraceNode } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { withMessageEnds } from './message-ends.js';
import { WorkflowRunEntity, type KeptResult } from './workflow-run.entity.js';

/** The columns that the API shows. Other queries do not read `trace` and `results`. */
export const selectRun = (tx: Tx): string => `${selectOf(tx, WorkflowRunEntity, 'r')}, r.trace, r.results`;

@Injectable()
export class WorkflowRunsService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListRunsQuery, undefined>): Promise<Page<WorkflowRun>> {
    const { principal } = input;
    const { limit, cursor, ...filters } = input.query;
    const id = input.params['id'] ?? '';
    return this.database.readAs(principal, async (tx) => {
      const workflowId = await workflowIdOf(tx, principal, id);
      const where = new Where()
        .and('r.organization_id = ?', principal.organizationId)
        .and('r.environment = ?', principal.environment)
        .and('r.workflow_id = ?', workflowId);
      where.ofTexts('r.status', filters.status);
      where.ofIds('r.alert_id', 'alert', filters.alertId);
      where.ofIds('r.incident_id', 'incident', filters.incidentId);
      where.ofTimes('r.created_at', filters.createdSince, filters.createdUntil);
      const { data, meta } = await page<WorkflowRunEntity, WorkflowRun>(tx, {
        select: selectRun(tx),
        from: 'workflows.runs r',
        where,
        sort: { column: 'id', type: 'id', descending: filters.sort !== 'createdAt' },
        id: 'r.id',
        limit,
        cursor,
        boundTo: ['runs', workflowId, filters],
        total: async () => {
          const [row] = await tx.query<{ n: number }>(
            `SELECT count(*)::int AS n FROM workflows.runs r WHERE ${where.toString()}`,
            where.params,
          );
          return row?.n ?? 0;
        },
        item: shownRun,
      });
      return { data: (await withMessageEnds(tx, principal, data)).map((run) => runFor(principal, run)), meta };
    });
  }
}

/** The UUID of a workflow of the tenant. Throws NOT_FOUND. */
async function workflowIdOf(tx: Tx, { organizationId, environment }: Principal, id: string): Promise<string> {
  const uuid = uuidOf('workflow', id);
  const rows =
    uuid === null
      ? []
      : await tx.query(
          'SELECT 1 FROM resources_views.workflows WHERE organization_id = $1 AND environment = $2 AND id = $3',
          [organizationId, environment, uuid],
        );
  if (uuid === null || rows.length === 0) throw new Fault('NOT_FOUND', { resource: 'workflow', id });
  return uuid;
}

/** As the principal may see it: the values of conditions are those of alerts and incidents. */
function runFor(principal: Principal, run: WorkflowRun): WorkflowRun {
  const trace = mayRead(principal, 'alerts:read', 'incidents:read') ? run.trace : withoutValues(run.trace as TraceNode);
  return { ...run, ...withAddressesFor(principal, { steps: run.steps, error: run.error }), trace };
}

const withoutValues = (node: TraceNode): TraceNode => {
  if ('children' in node) return { ...node, children: node.children.map(withoutValues) };
  return 'actual' in node ? { ...node, actual: null } : node;
};

export const shownRun = (run: WorkflowRunEntity): WorkflowRun => ({
  id: publicId('workflowRun', run.id),
  workflowId: publicId('workflow', run.workflowId),
  workflowName: run.workflowName,
  workflowVersion: run.workflowVersion,
  status: run.status,
  eventId: publicId('timelineEntry', run.eventId),
  event: run.eventType,
  depth: run.depth,
  alertId: publicId('alert', run.alertId),
  incidentId: publicId('incident', run.incidentId),
  scheduleId: run.eventType.startsWith('schedule.') ? publicId('schedule', run.subjectId) : null,
  suppressionWindowId: run.eventType.startsWith('suppression.') ? publicId('suppressionWindow', run.subjectId) : null,
  trace: run.trace,
  steps: run.steps.map((step, index) => shownStep(run, index, step)),
  error: run.error,
  createdAt: run.createdAt.toISOString(),
  finishedAt: run.finishedAt?.toISOString() ?? null,
});

function shownStep(
  { results, nextStep, dueAt, status, error }: WorkflowRunEntity,
  index: number,
  { id, type }: WorkflowRunEntity['steps'][number],
): RunStep {
  const kept = results[index];
  if (kept) return { id, type, outcome: kept.outcome, reason: kept.reason, detail: detailOf(kept), at: kept.at };
  if (status === 'failed')
    return { id, type, outcome: 'skipped', reason: notReached(results, error), detail: null, at: null };
  const at = index === nextStep ? (dueAt?.toISOString() ?? null) : null;
  return { id, type, outcome: 'pending', reason: null, detail: null, at };
}

/** A run also ends with the reason of its own: its workflow was deleted or disabled. */
const notReached = (results: readonly KeptResult[], error: string | null): string =>
  error === null || results.some(({ outcome }) => outcome === 'failed') ? 'a step before it failed' : error;

/** A run of an earlier release stored `{deliveries: [{deliveryId, …}]}`. The record shows the present names. */
function detailOf({ detail }: KeptResult): unknown {
  if (!isFormerDetail(detail)) return detail;
  const { deliveries, ...rest } = detail;
  return {
    ...rest,
    notifications: deliveries.map(({ deliveryId, ...made }) => ({ notificationId: deliveryId, ...made })),
  };
}

const isFormerDetail = (detail: unknown): detail is { deliveries: { deliveryId: string }[] } =>
  typeof detail === 'object' && detail !== null && 'deliveries' in detail && Array.isArray(detail.deliveries);
