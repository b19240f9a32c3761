/** What conditions are asked about: the alert or incident of an event, and what is around it as it is now. */
import { publicId, uuidOf, type Alert, type AlertEvent, type Incident, type IncidentEvent } from '@ams/contracts';
import { incidentColumns, incidentFromRow, type IncidentRow } from '@ams/alerting';
import { type Tx } from '@ams/database';
import type { AlertFacts, ConditionFacts, IncidentFacts } from '@ams/domain';

export type DomainEvent = AlertEvent | IncidentEvent;

/** What something is about. */
export type About = Pick<AlertEvent, 'alert'> | Pick<IncidentEvent, 'incident'>;

export const alertOf = (about: About): Alert | null => ('alert' in about ? about.alert : null);
export const incidentOf = (about: About): Incident | null => ('incident' in about ? about.incident : null);

/** The clients, integrations and incidents of some events or records, by their public ids. */
export interface Around {
  clients: ReadonlyMap<string, ConditionFacts['client']>;
  integrations: ReadonlyMap<string, ConditionFacts['integration']>;
  incidents: ReadonlyMap<string, Incident>;
}

const uuids = (noun: 'client' | 'integration' | 'incident', ids: (string | null | undefined)[]): string[] => [
  ...new Set(ids.map((id) => (id ? uuidOf(noun, id) : null)).filter((uuid) => uuid !== null)),
];

export async function lookAround(tx: Tx, events: readonly About[]): Promise<Around> {
  const alerts = events.map(alertOf).filter((alert) => alert !== null);
  const clientIds = uuids(
    'client',
    events.map((event) => (alertOf(event) ?? incidentOf(event))?.clientId),
  );
  const integrationIds = uuids(
    'integration',
    alerts.map(({ integrationId }) => integrationId),
  );
  const incidentIds = uuids(
    'incident',
    alerts.map(({ incidentId }) => incidentId),
  );
  const clients = await rowsOf<{ id: string; name: string; slug: string; external_id: string | null }>(
    tx,
    'SELECT id, name, slug, external_id FROM resources_views.clients',
    clientIds,
  );
  const integrations = await rowsOf<{ id: string; name: string; type: string }>(
    tx,
    'SELECT id, name, type FROM resources_views.integrations',
    integrationIds,
  );
  const incidents = await rowsOf<IncidentRow>(tx, `SELECT ${incidentColumns} FROM alerts_views.incidents`, incidentIds);
  return {
    clients: new Map(
      clients.map(({ id, name, slug, external_id: externalId }) => [
        publicId('client', id),
        { id: publicId('client', id), name, slug, externalId },
      ]),
    ),
    integrations: new Map(
      integrations.map(({ id, name, type }) => [
        publicId('integration', id),
        { id: publicId('integration', id), name, type },
      ]),
    ),
    incidents: new Map(incidents.map((row) => [publicId('incident', row.id), incidentFromRow(row)])),
  };
}

/** The ids are those of records of one tenant, which named them itself. */
const rowsOf = <Row>(tx: Tx, select: string, ids: string[]): Promise<Row[]> =>
  ids.length === 0 ? Promise.resolve([]) : tx.query<Row>(`${select} WHERE id = ANY($1::uuid[])`, [ids]);

export function factsOf(alert: Alert | null, incident: Incident | null, around: Around, now: string): ConditionFacts {
  const clientId = (alert ?? incident)?.clientId ?? null;
  const ofAlert = alert?.incidentId ? (around.incidents.get(alert.incidentId) ?? null) : null;
  return {
    alert: alert && alertFacts(alert),
    client: clientId === null ? null : (around.clients.get(clientId) ?? null),
    integration: alert ? (around.integrations.get(alert.integrationId) ?? null) : null,
    incident: incidentFacts(incident ?? ofAlert),
    now,
  };
}

const alertFacts = (alert: Alert): AlertFacts => alert;
const incidentFacts = (incident: Incident | null): IncidentFacts | null => incident;
