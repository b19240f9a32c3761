import {
  exportAlerts,
  getAlert,
  getAlertFacets,
  getAlertTimeline,
  listAlerts,
  type Alert,
  type AlertFacetsQuery,
  type ExportAlertsQuery,
  type Facets,
  type Input,
  type ListAlertsQuery,
  type ListTimelineQuery,
  type NoQuery,
  type Page,
  type TimelineEntry,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { AlertsService } from './alerts.service.js';

@Controller()
export class AlertsController {
  constructor(private readonly service: AlertsService) {}

  @Handles(listAlerts)
  list(input: Input<ListAlertsQuery, undefined>): Promise<Page<Alert>> {
    return this.service.list(input);
  }

  @Handles(exportAlerts)
  export(input: Input<ExportAlertsQuery, undefined>): Promise<Page<Alert>> {
    return this.service.export(input);
  }

  @Handles(getAlertFacets)
  facets(input: Input<AlertFacetsQuery, undefined>): Promise<Facets> {
    return this.service.facets(input);
  }

  @Handles(getAlert)
  get(input: Input<NoQuery, undefined>): Promise<Alert> {
    return this.service.get(input);
  }

  @Handles(getAlertTimeline)
  timeline(input: Input<ListTimelineQuery, undefined>): Promise<Page<TimelineEntry>> {
    return this.service.timeline(input);
  }
}
