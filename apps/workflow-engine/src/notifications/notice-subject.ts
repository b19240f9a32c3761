/** Reads the alert and incident of a notification when it is sent: recipients need the present state. */
import { uuidOf, type Alert, type Incident } from '@ams/contracts';
import {
  shownAlertColumns,
  alertFromRow,
  shownIncidentColumns,
  incidentFromRow,
  type ShownAlertRow,
  type ShownIncidentRow,
  type Queries,
} from '@ams/alerting';

import type { NotificationEntity } from './notification.entity.js';

export interface NoticeSubject {
  alert: Alert | null;
  incident: Incident | null;
  /** The titles of further open alerts of the incident. */
  otherAlerts: string[];
  clientName: string | null;
  organizationName: string;
}

type Ids = Pick<NotificationEntity, 'organizationId' | 'environment' | 'alertId' | 'incidentId'>;

export async function noticeSubjectOf(queries: Queries, ids: Ids): Promise<NoticeSubject> {
  const { organizationId, environment, alertId, incidentId } = ids;
  const tenant = [organizationId, environment];
  const [alertRow] = alertId
    ? await queries.query<ShownAlertRow>(
        `SELECT ${shownAlertColumns} FROM alerts_views.alerts WHERE organization_id = $1 AND environment = $2 AND id = $3`,
        [...tenant, alertId],
      )
    : [];
  const [incidentRow] = incidentId
    ? await queries.query<ShownIncidentRow>(
        `SELECT ${shownIncidentColumns} FROM alerts_views.incidents
         WHERE organization_id = $1 AND environment = $2 AND id = $3`,
        [...tenant, incidentId],
      )
    : [];
  const others = incidentId
    ? await queries.query<{ title: string }>(
        `SELECT title FROM alerts_views.alerts
         WHERE organization_id = $1 AND environment = $2 AND incident_id = $3 AND status <> 'resolved'
           AND id IS DISTINCT FROM $4
         ORDER BY severity DESC, last_occurred_at DESC LIMIT 10`,
        [...tenant, incidentId, alertId],
      )
    : [];
  const alert = alertRow ? alertFromRow(alertRow) : null;
  const incident = incidentRow ? incidentFromRow(incidentRow) : null;
  return {
    alert,
    incident,
    otherAlerts: others.map(({ title }) => title),
    ...(await namesFor(queries, ids, (alert ?? incident)?.clientId ?? null)),
  };
}

async function namesFor(
  queries: Queries,
  { organizationId, environment }: Ids,
  clientId: string | null,
): Promise<Pick<NoticeSubject, 'clientName' | 'organizationName'>> {
  const [names] = await queries.query<{ organization: string; client: string | null }>(
    `SELECT name AS organization, (SELECT name FROM resources_views.clients
       WHERE organization_id = $1 AND environment = $2 AND id = $3) AS client
     FROM auth_views.organizations WHERE id = $1`,
    [organizationId, environment, uuidOf('client', clientId ?? '')],
  );
  return { clientName: names?.client ?? null, organizationName: names?.organization ?? '' };
}
