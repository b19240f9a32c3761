/** Reads of incidents, which alert-pipeline writes. */
import {
  publicId,
  type Alert,
  type Incident,
  type IncidentTimelineEntry,
  type IncidentTimelineType,
  type Input,
  type ListIncidentsQuery,
  type Page,
  type PageQuery,
} from '@ams/contracts';
import { incidentColumns, incidentFromRow, severityRank, uuidsOf, type IncidentRow } from '@ams/alerting';
import { Database, containing, page } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { AlertsService, timelineColumns, timelineEntryOf, type TimelineRow } from '../alerts/alerts.service.js';
import { count, find, owned, sortBy, type Table } from '../records/tenant-records.js';

type None = Record<string, never>;

const table: Table = {
  name: 'alerts_views.incidents',
  noun: 'incident',
  resource: 'incident',
  columns: incidentColumns,
};

const sorts = {
  createdAt: { column: 'created_at', type: 'time' },
  number: { column: 'number', type: 'int' },
  severity: { column: 'severity', type: 'int' },
} as const;

@Injectable()
export class IncidentsService {
  constructor(
    private readonly database: Database,
    private readonly ofAlerts: AlertsService,
  ) {}

  list(input: Input<ListIncidentsQuery, undefined>): Promise<Page<Incident>> {
    const { limit, cursor, ...filters } = input.query;
    const where = owned(table, input.principal);
    if (filters.status) where.and('status = ANY(?::text[])', filters.status);
    if (filters.severity) where.and('severity = ANY(?::smallint[])', filters.severity.map(severityRank));
    if (filters.clientId) where.and('client_id = ANY(?::uuid[])', uuidsOf('client', filters.clientId));
    if (filters.assigneeId) where.and('assignee_ids && ?::uuid[]', uuidsOf('member', filters.assigneeId));
    if (filters.q) where.and('title ILIKE ?', containing(filters.q));
    if (filters.since) where.and('created_at >= ?', new Date(filters.since));
    if (filters.until) where.and('created_at < ?', new Date(filters.until));
    return this.database.readAs(input.principal, (tx) =>
      page<IncidentRow, Incident>(tx, {
        select: table.columns,
        from: table.name,
        where,
        sort: sortBy(filters.sort ?? '-createdAt', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['incidents', filters],
        total: () => count(tx, table.name, where),
        item: incidentFromRow,
      }),
    );
  }

  get(input: Input<None, undefined>): Promise<Incident> {
    return this.database.readAs(input.principal, async (tx) =>
      incidentFromRow(await find<IncidentRow>(tx, table, input)),
    );
  }

  async alerts(input: Input<PageQuery, undefined>): Promise<Page<Alert>> {
    const { id } = await this.database.readAs(input.principal, (tx) => find<IncidentRow>(tx, table, input));
    return this.ofAlerts.list({ ...input, query: { ...input.query, incidentId: [publicId('incident', id)] } });
  }

  timeline(input: Input<PageQuery, undefined>): Promise<Page<IncidentTimelineEntry>> {
    const { principal, query } = input;
    return this.database.readAs(principal, async (tx) => {
      const incident = await find<IncidentRow>(tx, table, input);
      const where = owned({}, principal)
        .and('incident_id = ?', incident.id)
        // Entries are no older than their incident, so that the months before need not be looked at; a day for clocks that differ.
        .and("id >= public.uuid_at(?::timestamptz - interval '1 day')", incident.created_at);
      return page<TimelineRow<IncidentTimelineType>, IncidentTimelineEntry>(tx, {
        select: timelineColumns,
        from: 'alerts_views.incident_timeline',
        where,
        sort: { column: 'incident_version', type: 'int', descending: false },
        id: 'id',
        limit: query.limit,
        cursor: query.cursor,
        boundTo: ['incident timeline', incident.id],
        total: () => count(tx, 'alerts_views.incident_timeline', where),
        item: timelineEntryOf,
      });
    });
  }
}
