/** What workflows did: their runs, as they are kept. */
import {
  Fault,
  publicId,
  uuidOf,
  type Input,
  type ListRunsQuery,
  type Page,
  type Principal,
  type RunStep,
  type WorkflowRun,
} from '@ams/contracts';
import { uuidsOf } from '@ams/alerting';
import { page, Where, type Tx } from '@ams/database';
import type { TraceNode, WorkflowEvent } from '@ams/domain';
import { Inject, Injectable } from '@nestjs/common';
import { DatabasePart } from './parts.js';
import type { KeptResult, Run } from './run-record.js';

/** What the records of runs are made of. */
export const shownRunColumns =
  'id, workflow_id, workflow_name, workflow_version, event_id, event_type, depth, alert_id, incident_id, status, trace, steps, results, next_step, due_at, error, created_at, finished_at';

export interface ShownRunRow extends Pick<
  Run,
  | 'id'
  | 'workflow_id'
  | 'workflow_name'
  | 'workflow_version'
  | 'event_id'
  | 'depth'
  | 'alert_id'
  | 'incident_id'
  | 'status'
  | 'steps'
  | 'next_step'
> {
  event_type: WorkflowEvent;
  trace: TraceNode;
  results: KeptResult[];
  due_at: Date | null;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

@Injectable()
export class WorkflowRuns {
  constructor(@Inject(DatabasePart) private readonly databasePart: DatabasePart) {}

  list(input: Input<ListRunsQuery, undefined>): Promise<Page<WorkflowRun>> {
    const { principal } = input;
    const { limit, cursor, ...filters } = input.query;
    const id = input.params['id'] ?? '';
    return this.databasePart.database.readAs(principal, async (tx) => {
      const workflowId = await workflowOf(tx, principal, id);
      const where = new Where()
        .and('organization_id = ?', principal.organizationId)
        .and('environment = ?', principal.environment)
        .and('workflow_id = ?', workflowId);
      if (filters.status) where.and('status = ANY(?::text[])', filters.status);
      if (filters.alertId) where.and('alert_id = ANY(?::uuid[])', uuidsOf('alert', filters.alertId));
      if (filters.incidentId) where.and('incident_id = ANY(?::uuid[])', uuidsOf('incident', filters.incidentId));
      return page<ShownRunRow, WorkflowRun>(tx, {
        select: shownRunColumns,
        from: 'workflows.runs',
        where,
        sort: { column: 'id', type: 'id', descending: true },
        id: 'id',
        limit,
        cursor,
        boundTo: ['runs', workflowId, filters],
        total: async () => {
          const [row] = await tx.query<{ n: number }>(
            `SELECT count(*)::int AS n FROM workflows.runs WHERE ${where.toString()}`,
            where.params,
          );
          return row?.n ?? 0;
        },
        item: runFromRow,
      });
    });
  }
}

/** The UUID of a workflow of the tenant. Throws NOT_FOUND. */
async function workflowOf(tx: Tx, { organizationId, environment }: Principal, id: string): Promise<string> {
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

export const runFromRow = (row: ShownRunRow): WorkflowRun => ({
  id: publicId('workflowRun', row.id),
  workflowId: publicId('workflow', row.workflow_id),
  workflowName: row.workflow_name,
  workflowVersion: row.workflow_version,
  status: row.status,
  eventId: publicId('timelineEntry', row.event_id),
  event: row.event_type,
  depth: row.depth,
  alertId: publicId('alert', row.alert_id),
  incidentId: publicId('incident', row.incident_id),
  trace: row.trace,
  steps: row.steps.map((step, index) => stepOf(row, index, step)),
  error: row.error,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
});

function stepOf(
  { results, next_step: next, due_at: due, status }: ShownRunRow,
  index: number,
  { id, type }: Run['steps'][number],
): RunStep {
  const kept = results[index];
  if (kept) return { id, type, outcome: kept.outcome, reason: kept.reason, detail: detailOf(kept), at: kept.at };
  if (status === 'failed')
    return { id, type, outcome: 'skipped', reason: 'a step before it failed', detail: null, at: null };
  return {
    id,
    type,
    outcome: 'pending',
    reason: null,
    detail: null,
    at: index === next ? (due?.toISOString() ?? null) : null,
  };
}

/** A run of an earlier release kept `{deliveries: [{deliveryId, …}]}`; the record shows the names of today. */
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
