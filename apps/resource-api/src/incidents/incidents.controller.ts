import {
  exportIncidents,
  getIncident,
  getIncidentFacets,
  getIncidentTimeline,
  listIncidentAlerts,
  listIncidents,
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
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { IncidentsService } from './incidents.service.js';

@Controller()
export class IncidentsController {
  constructor(private readonly service: IncidentsService) {}

  @Handles(listIncidents)
  list(input: Input<ListIncidentsQuery, undefined>): Promise<Page<Incident>> {
    return this.service.list(input);
  }

  @Handles(exportIncidents)
  export(input: Input<ExportIncidentsQuery, undefined>): Promise<Page<Incident>> {
    return this.service.export(input);
  }

  @Handles(getIncidentFacets)
  facets(input: Input<IncidentFacetsQuery, undefined>): Promise<Facets> {
    return this.service.facets(input);
  }

  @Handles(getIncident)
  get(input: Input<NoQuery, undefined>): Promise<Incident> {
    return this.service.get(input);
  }

  @Handles(listIncidentAlerts)
  alerts(input: Input<ListIncidentAlertsQuery, undefined>): Promise<Page<Alert>> {
    return this.service.alerts(input);
  }

  @Handles(getIncidentTimeline)
  timeline(input: Input<ListTimelineQuery, undefined>): Promise<Page<IncidentTimelineEntry>> {
    return this.service.timeline(input);
  }
}
