/** Reads the alert and incident of a notification when it is sent: recipients need the present state. */
import type { Alert, Incident } from '@ams/contracts';
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

/** `alert.title` and so on: the columns of a row of which another row is a part. */
export const prefixed = (table: string, columns: string): string =>
  columns
    .split(', ')
    .map((name) => `${table}.${name} AS "${table}.${name}"`)
    .join(', ');

/** The columns with this prefix; null when there is no such record. */
export function partOf<Row extends object>(row: Record<string, unknown>, table: string): Row | null {
  const prefix = `${table}.`;
  if ((row[`${prefix}id`] ?? null) === null) return null;
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  ) as Row;
}

interface Found {
  /** Null when the organization does not exist. */
  organization: string | null;
  client: string | null;
  others: string[] | null;
}

/**
 * What messages say, in the order of `messages`. One statement: every message needs it. The tenant of the other alerts
 * is compared in a form that no index serves: without statistics, PostgreSQL would read all alerts of the organization.
 */
export async function noticeSubjectsOf(queries: Queries, messages: readonly Ids[]): Promise<NoticeSubject[]> {
  const rows = await queries.query<Found & Record<string, unknown>>(
    `SELECT ${prefixed('alert', shownAlertColumns)}, ${prefixed('incident', shownIncidentColumns)},
       (SELECT name FROM auth_views.organizations o WHERE o.id = m.organization) AS organization,
       (SELECT name FROM resources_views.clients c
        WHERE c.organization_id = m.organization AND c.environment = m.environment
          AND c.id = coalesce(alert.client_id, incident.client_id)) AS client,
       (SELECT array_agg(title) FROM (
          SELECT title FROM alerts_views.alerts o
          WHERE o.incident_id = m.incident
            AND (o.organization_id, o.environment) IS NOT DISTINCT FROM (m.organization, m.environment)
            AND o.status <> 'resolved' AND o.id IS DISTINCT FROM m.alert
          ORDER BY severity DESC, last_occurred_at DESC LIMIT 10) AS titles) AS others
     FROM json_to_recordset($1::json)
         AS m(position int, organization uuid, environment text, alert uuid, incident uuid)
       LEFT JOIN LATERAL (SELECT ${shownAlertColumns} FROM alerts_views.alerts
         WHERE organization_id = m.organization AND environment = m.environment AND id = m.alert LIMIT 1) AS alert ON true
       LEFT JOIN LATERAL (SELECT ${shownIncidentColumns} FROM alerts_views.incidents
         WHERE organization_id = m.organization AND environment = m.environment AND id = m.incident LIMIT 1)
         AS incident ON true
     ORDER BY m.position`,
    [
      JSON.stringify(
        messages.map(({ organizationId, environment, alertId, incidentId }, position) => ({
          position,
          organization: organizationId,
          environment,
          alert: alertId,
          incident: incidentId,
        })),
      ),
    ],
  );
  return rows.map(({ organization, client, others, ...parts }) => {
    const alert = partOf<ShownAlertRow>(parts, 'alert');
    const incident = partOf<ShownIncidentRow>(parts, 'incident');
    return {
      alert: alert && alertFromRow(alert),
      incident: incident && incidentFromRow(incident),
      otherAlerts: others ?? [],
      clientName: client,
      organizationName: organization ?? '',
    };
  });
}
