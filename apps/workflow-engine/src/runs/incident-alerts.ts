/** The alerts of incidents, for conditions on `alerts.any.*`. */
import { alertFromRow, shownAlertColumns, type ShownAlertRow } from '@ams/alerting';
import { publicId, uuidOf, type Alert } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { namesAlertsOfIncident } from '@ams/domain';
import { incidentOf, type DomainEvent } from './condition-facts.js';
import { tenantsAt, tenantsOf, type Workflow } from './workflows.js';

/** An incident may have thousands of alerts: its newest ones are compared. */
export const maxComparedAlerts = 100;

/** Most events are for workflows that do not compare alerts: nothing is read for them. */
export function comparesAlerts(event: DomainEvent, workflows: readonly Workflow[]): boolean {
  return (
    incidentOf(event) !== null &&
    workflows.some(
      ({ events, conditions }) => events.some((name) => name === event.type) && namesAlertsOfIncident(conditions),
    )
  );
}

/**
 * The newest open alerts of the events' incidents, by the public ids of the incidents. When no alert of an incident is
 * open, as after its end, these are its newest alerts.
 */
export async function alertsOfIncidents(tx: Tx, events: readonly DomainEvent[]): Promise<Map<string, Alert[]>> {
  const found = new Map<string, Alert[]>();
  const read = async (among: readonly DomainEvent[], which: 'open' | 'all'): Promise<void> => {
    if (among.length === 0) return;
    const ids = among.map((event) => uuidOf('incident', incidentOf(event)?.id ?? ''));
    const rows = await tx.query<ShownAlertRow>(
      `SELECT a.* FROM (SELECT DISTINCT unnest($1::uuid[]) AS id) AS i, LATERAL (
         SELECT ${shownAlertColumns} FROM alerts_views.alerts
         WHERE incident_id = i.id AND (organization_id, environment) IN ${tenantsAt(2)}
           ${which === 'open' ? "AND status <> 'resolved'" : ''}
         ORDER BY last_occurred_at DESC, id DESC LIMIT ${maxComparedAlerts}) AS a`,
      [ids.filter((id) => id !== null), ...tenantsOf(among)],
    );
    for (const row of rows) {
      const incidentId = publicId('incident', row.incident_id) ?? '';
      found.set(incidentId, [...(found.get(incidentId) ?? []), alertFromRow(row)]);
    }
  };
  await read(events, 'open');
  await read(
    events.filter((event) => !found.has(incidentOf(event)?.id ?? '')),
    'all',
  );
  return found;
}
