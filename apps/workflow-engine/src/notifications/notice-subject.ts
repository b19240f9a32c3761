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
const prefixed = (table: string, columns: string): string =>
  columns
    .split(', ')
    .map((name) => `${table}.${name} AS "${table}.${name}"`)
    .join(', ');

/** The columns with this prefix; null when there is no such record. */
function partOf<Row extends object>(row: Record<string, unknown>, table: string): Row | null {
  const prefix = `${table}.`;
  if ((row[`${prefix}id`] ?? null) === null) return null;
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
  ) as Row;
}

interface Found {
  organization: string;
  client: string | null;
  others: string[] | null;
}

/** One statement: every message needs it. */
export async function noticeSubjectOf(
  queries: Queries,
  { organizationId, environment, alertId, incidentId }: Ids,
): Promise<NoticeSubject> {
  const [row] = await queries.query<Found & Record<string, unknown>>(
    `SELECT ${prefixed('alert', shownAlertColumns)}, ${prefixed('incident', shownIncidentColumns)},
       (SELECT name FROM auth_views.organizations WHERE id = $1) AS organization,
       (SELECT name FROM resources_views.clients c
        WHERE c.organization_id = $1 AND c.environment = $2 AND c.id = coalesce(alert.client_id, incident.client_id))
         AS client,
       (SELECT array_agg(title) FROM (
          SELECT title FROM alerts_views.alerts o
          WHERE o.organization_id = $1 AND o.environment = $2 AND o.incident_id = $4 AND o.status <> 'resolved'
            AND o.id IS DISTINCT FROM $3
          ORDER BY severity DESC, last_occurred_at DESC LIMIT 10) AS titles) AS others
     FROM (SELECT) AS one
       LEFT JOIN alerts_views.alerts alert
         ON alert.organization_id = $1 AND alert.environment = $2 AND alert.id = $3::uuid
       LEFT JOIN alerts_views.incidents incident
         ON incident.organization_id = $1 AND incident.environment = $2 AND incident.id = $4::uuid`,
    [organizationId, environment, alertId, incidentId],
  );
  const { organization, client, others, ...parts } = row as Found & Record<string, unknown>;
  const alert = partOf<ShownAlertRow>(parts, 'alert');
  const incident = partOf<ShownIncidentRow>(parts, 'incident');
  return {
    alert: alert && alertFromRow(alert),
    incident: incident && incidentFromRow(incident),
    otherAlerts: others ?? [],
    clientName: client,
    organizationName: organization ?? '',
  };
}
