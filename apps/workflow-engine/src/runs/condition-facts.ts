/** The values that conditions compare: the alert or incident of an event, and its related records, as they are now. */
import {
  publicId,
  uuidOf,
  type Alert,
  type AlertEvent,
  type ExpiringWindow,
  type HandOff,
  type Incident,
  type IncidentEvent,
  type ScheduleEvent,
  type SuppressionEvent,
  type TraceContext,
} from '@ams/contracts';
import { shownIncidentColumns, incidentFromRow, type ShownIncidentRow } from '@ams/alerting';
import { type Tx } from '@ams/database';
import type { ConditionFacts } from '@ams/domain';

export type AlertingEvent = AlertEvent | IncidentEvent;

export type DomainEvent = AlertingEvent | ScheduleEvent | SuppressionEvent;

/** An event, or the alert or incident of an imagined event. */
export type AlertOrIncident =
  | Pick<AlertEvent, 'alert'>
  | Pick<IncidentEvent, 'incident'>
  | Pick<ScheduleEvent, 'schedule'>
  | Pick<SuppressionEvent, 'suppression'>;

export const alertOf = (about: AlertOrIncident): Alert | null => ('alert' in about ? about.alert : null);
export const incidentOf = (about: AlertOrIncident): Incident | null => ('incident' in about ? about.incident : null);

export const handOffOf = (about: AlertOrIncident): HandOff | null => ('schedule' in about ? about.schedule : null);
export const expiringOf = (about: AlertOrIncident): ExpiringWindow | null =>
  'suppression' in about ? about.suppression : null;

/** The trace that what the event causes continues. */
export const contextOf = ({ traceparent, tracestate }: TraceContext): TraceContext => ({ traceparent, tracestate });

/** The UUID of the schedule or suppression window that an event is about. */
export const subjectIdOf = (about: AlertOrIncident): string | null =>
  uuidOf('schedule', handOffOf(about)?.id ?? '') ?? uuidOf('suppressionWindow', expiringOf(about)?.id ?? '');

/** The clients, integrations and incidents that events or records name, by their public ids. */
export interface RelatedRecords {
  clients: ReadonlyMap<string, ConditionFacts['client']>;
  integrations: ReadonlyMap<string, ConditionFacts['integration']>;
  incidents: ReadonlyMap<string, Incident>;
  /** The alerts that `alerts.any.*` compares, for the incidents of events whose workflows name it. */
  alerts: ReadonlyMap<string, readonly Alert[]>;
}

const uuids = (noun: 'client' | 'integration' | 'incident', ids: (string | null | undefined)[]): string[] => [
  ...new Set(ids.map((id) => (id ? uuidOf(noun, id) : null)).filter((uuid) => uuid !== null)),
];

export async function relatedRecordsOf(
  tx: Tx,
  events: readonly AlertOrIncident[],
  alertsOfIncidents: RelatedRecords['alerts'] = new Map(),
): Promise<RelatedRecords> {
  const alerts = events.map(alertOf).filter((alert) => alert !== null);
  const clientIds = events.map((event) => (alertOf(event) ?? incidentOf(event))?.clientId);
  const integrationIds = alerts.map(({ integrationId }) => integrationId);
  const incidentIds = alerts.map(({ incidentId }) => incidentId);
  const clients = await rowsOf<{ id: string; name: string; slug: string; externalId: string | null }>(
    tx,
    'SELECT id, name, slug, external_id AS "externalId" FROM resources_views.clients',
    uuids('client', clientIds),
  );
  const integrations = await rowsOf<{ id: string; name: string; type: string }>(
    tx,
    'SELECT id, name, type FROM resources_views.integrations',
    uuids('integration', integrationIds),
  );
  const incidents = await rowsOf<ShownIncidentRow>(
    tx,
    `SELECT ${shownIncidentColumns} FROM alerts_views.incidents`,
    uuids('incident', incidentIds),
  );
  return {
    clients: byPublicId('client', clients),
    integrations: byPublicId('integration', integrations),
    incidents: new Map(incidents.map((row) => [publicId('incident', row.id), incidentFromRow(row)])),
    alerts: alertsOfIncidents,
  };
}

const byPublicId = <Row extends { id: string }>(noun: 'client' | 'integration', rows: Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [publicId(noun, row.id), { ...row, id: publicId(noun, row.id) }]));

/** All ids come from records of one tenant. */
const rowsOf = <Row>(tx: Tx, select: string, ids: string[]): Promise<Row[]> =>
  ids.length === 0 ? Promise.resolve([]) : tx.query<Row>(`${select} WHERE id = ANY($1::uuid[])`, [ids]);

export function factsOf(
  alert: Alert | null,
  incident: Incident | null,
  related: RelatedRecords,
  now: string,
): ConditionFacts {
  const clientId = (alert ?? incident)?.clientId ?? null;
  const ofAlert = alert?.incidentId ? (related.incidents.get(alert.incidentId) ?? null) : null;
  return {
    alert,
    client: clientId === null ? null : (related.clients.get(clientId) ?? null),
    integration: alert ? (related.integrations.get(alert.integrationId) ?? null) : null,
    incident: incident ?? ofAlert,
    alerts: incident ? (related.alerts.get(incident.id) ?? []) : [],
    now,
  };
}
