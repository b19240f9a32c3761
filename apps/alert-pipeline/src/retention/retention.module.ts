/** How long the pipeline keeps alerts, incidents, their timelines and their events. */
import { ageOfFirst, deletedBy, Housekeeping, Retention, rowsOfStep } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { PipelineSettings } from '../settings.js';
import { droppedMonths, removedAlerts, removedIncidents } from './old-records.js';

@Module({})
export class RetentionModule {
  constructor(
    housekeeping: Housekeeping,
    retention: Retention,
    { alertDays, incidentDays, eventDays }: PipelineSettings,
  ) {
    housekeeping.keepPartitions(['alerts.events', 'alerts.timeline', 'alerts.incident_timeline']);
    // In this order: an incident goes after its alerts, and the entries of both after them.
    retention.add({
      kind: 'alerts',
      oldest: ageOfFirst('alerts.alerts', 'created_at'),
      begin: () => removedAlerts(alertDays, incidentDays),
    });
    retention.add({
      kind: 'incidents',
      oldest: ageOfFirst('alerts.incidents', 'created_at'),
      begin: () => removedIncidents(incidentDays),
    });
    retention.add({
      kind: 'timelines of alerts',
      oldest: ageOfFirst('alerts.timeline', 'occurred_at'),
      begin: () => droppedMonths(`alerts.drop_old_entries('alert', $1)`, alertDays),
    });
    retention.add({
      kind: 'timelines of incidents',
      oldest: ageOfFirst('alerts.incident_timeline', 'occurred_at'),
      begin: () => droppedMonths(`alerts.drop_old_entries('incident', $1)`, incidentDays),
    });
    retention.add({
      kind: 'events',
      oldest: ageOfFirst('alerts.events', 'received_at'),
      begin: () => droppedMonths('alerts.drop_old_events($1)', eventDays),
    });
    retention.add({
      // Those that an operator has not replayed are kept.
      kind: 'replayed messages',
      oldest: 'SELECT extract(epoch FROM now() - min(created_at)) AS age FROM alerts.set_aside',
      begin: deletedBy(
        `DELETE FROM alerts.set_aside WHERE id IN (
           SELECT id FROM alerts.set_aside WHERE replayed_at < now() - make_interval(days => $1) LIMIT ${rowsOfStep})`,
        [eventDays],
      ),
    });
  }
}
