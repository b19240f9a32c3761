/** SQL on the view of incidents; alert-pipeline owns the table. */
import { incidentFromRow, severityRank, shownIncidentColumns, uuidsOf, type ShownIncidentRow } from '@ams/alerting';
import {
  Fault,
  uuidOf,
  type Incident,
  type Input,
  type ListIncidentsQuery,
  type Page,
  type Tenant,
} from '@ams/contracts';
import { containing, page, type Tx, type Where } from '@ams/database';
import { choiceOf, chosenOf, incidentStatuses, severities } from '@ams/domain';
import { count, owned, sortBy } from '../records/tenant-queries.js';

const view = 'alerts_views.incidents';

const sorts = {
  createdAt: { column: 'created_at', type: 'time' },
  number: { column: 'number', type: 'int' },
  severity: { column: 'severity', type: 'int' },
} as const;

export function incidentsPage(
  tx: Tx,
  tenant: Tenant,
  query: ListIncidentsQuery,
  { isExport = false } = {},
): Promise<Page<Incident>> {
  const { limit, cursor, ...filters } = query;
  const where = incidentsMatching(tenant, filters);
  return page<ShownIncidentRow, Incident>(tx, {
    select: shownIncidentColumns,
    from: view,
    where,
    sort: sortBy(filters.sort ?? '-createdAt', sorts),
    id: 'id',
    limit,
    cursor,
    boundTo: ['incidents', filters],
    total: isExport ? undefined : () => count(tx, view, where),
    item: incidentFromRow,
  });
}

function incidentsMatching(tenant: Tenant, filters: ListIncidentsQuery): Where {
  const where = owned(tenant);
  if (filters.status) where.and('status = ANY(?::text[])', chosenOf(filters.status, incidentStatuses));
  if (filters.severity)
    where.and('severity = ANY(?::smallint[])', chosenOf(filters.severity, severities).map(severityRank));
  where.ofIds('client_id', 'client', filters.clientId);
  if (filters.assigneeId) {
    const assignees = choiceOf(filters.assigneeId);
    const members = uuidsOf('member', assignees.values);
    where.anyChosen(assignees, 'assignee_ids && ?::uuid[]', [members], 'cardinality(assignee_ids) = 0');
  }
  if (filters.q) where.and('title ILIKE ?', containing(filters.q));
  where.ofTimes('created_at', filters.since, filters.until);
  return where.ofTimes('created_at', filters.createdSince, filters.createdUntil);
}

/** The incident that the path names. Throws NOT_FOUND. */
export async function findIncident(tx: Tx, { principal, params }: Input<unknown, unknown>): Promise<ShownIncidentRow> {
  const publicId = params['id'] ?? '';
  const id = uuidOf('incident', publicId);
  const where = owned(principal).and('id = ?', id);
  const [row] =
    id === null
      ? []
      : await tx.query<ShownIncidentRow>(
          `SELECT ${shownIncidentColumns} FROM ${view} WHERE ${where.toString()}`,
          where.params,
        );
  if (!row) throw new Fault('NOT_FOUND', { resource: 'incident', id: publicId });
  return row;
}
