/** What a message is about, read when it is sent: who gets it at night wants to know how things are now. */
import { uuidOf, type Alert, type Incident } from '@ams/contracts';
import {
  alertColumns,
  alertFromRow,
  incidentColumns,
  incidentFromRow,
  type AlertRow,
  type IncidentRow,
} from '@ams/alerting';
import { type Database } from '@ams/database';

export interface About {
  alert: Alert | null;
  incident: Incident | null;
  otherAlerts: string[];
  clientName: string | null;
  organizationName: string;
}

interface Subject {
  organization_id: string;
  environment: 'live' | 'test';
  alert_id: string | null;
  incident_id: string | null;
}

export async function aboutOf(database: Database, row: Subject): Promise<About> {
  const tenant = [row.organization_id, row.environment];
  const [alertRow] = row.alert_id
    ? await database.query<AlertRow>(
        `SELECT ${alertColumns} FROM alerts_views.alerts WHERE organization_id = $1 AND environment = $2 AND id = $3`,
        [...tenant, row.alert_id],
      )
    : [];
  const [incidentRow] = row.incident_id
    ? await database.query<IncidentRow>(
        `SELECT ${incidentColumns} FROM alerts_views.incidents WHERE organization_id = $1 AND environment = $2 AND id = $3`,
        [...tenant, row.incident_id],
      )
    : [];
  const alert = alertRow ? alertFromRow(alertRow) : null;
  const incident = incidentRow ? incidentFromRow(incidentRow) : null;
  const others = row.incident_id
    ? await database.query<{ title: string }>(
        `SELECT title FROM alerts_views.alerts WHERE organization_id = $1 AND environment = $2 AND incident_id = $3 AND status <> 'resolved' AND id IS DISTINCT FROM $4 ORDER BY severity DESC, last_occurred_at DESC LIMIT 10`,
        [...tenant, row.incident_id, row.alert_id],
      )
    : [];
  const clientId = uuidOf('client', (alert ?? incident)?.clientId ?? '');
  const [names] = await database.query<{ organization: string; client: string | null }>(
    'SELECT name AS organization, (SELECT name FROM resources_views.clients WHERE organization_id = $1 AND id = $2) AS client FROM auth_views.organizations WHERE id = $1',
    [row.organization_id, clientId],
  );
  return {
    alert,
    incident,
    otherAlerts: others.map(({ title }) => title),
    clientName: names?.client ?? null,
    organizationName: names?.organization ?? '',
  };
}
