/** Reads of incidents, which alert-pipeline writes. */
import { incidentFromRow } from '@ams/alerting';
import {
  maxPageSize,
  publicId,
  type Alert,
  type ExportIncidentsQuery,
  type Facets,
  type Incident,
  type IncidentFacetsQuery,
  type IncidentTimelineEntry,
  type Input,
  type ListIncidentAlertsQuery,
  type ListIncidentsQuery,
  type ListTimelineQuery,
  type NoQuery,
  type Page,
} from '@ams/contracts';
import { Database } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { timelinePage } from '../alerts/timeline.js';
import { findIncident, incidentFacets, incidentsPage } from './incident-queries.js';

@Injectable()
export class IncidentsService {
  constructor(
    private readonly database: Database,
    private readonly alertsService: AlertsService,
  ) {}

  list({ principal, query }: Input<ListIncidentsQuery, undefined>): Promise<Page<Incident>> {
    return this.database.readAs(principal, (tx) => incidentsPage(tx, principal, query));
  }

  export({ principal, query, after }: Input<ExportIncidentsQuery, undefined>): Promise<Page<Incident>> {
    const { format: _format, ...filters } = query;
    return this.database.readAs(principal, (tx) =>
      incidentsPage(tx, principal, { ...filters, limit: maxPageSize, cursor: after }, { isExport: true }),
    );
  }

  facets({ principal, query }: Input<IncidentFacetsQuery, undefined>): Promise<Facets> {
    return this.database.readAs(principal, (tx) => incidentFacets(tx, principal, query));
  }

  get(input: Input<NoQuery, undefined>): Promise<Incident> {
    return this.database.readAtOnceAs(input.principal, async (tx) => incidentFromRow(await findIncident(tx, input)));
  }

  async alerts(input: Input<ListIncidentAlertsQuery, undefined>): Promise<Page<Alert>> {
    const { id } = await this.database.readAs(input.principal, (tx) => findIncident(tx, input));
    return this.alertsService.list({ ...input, query: { ...input.query, incidentId: [publicId('incident', id)] } });
  }

  timeline(input: Input<ListTimelineQuery, undefined>): Promise<Page<IncidentTimelineEntry>> {
    const { principal, query } = input;
    return this.database.readAs(principal, async (tx) =>
      timelinePage(tx, principal, 'incident', await findIncident(tx, input), query),
    );
  }
}
