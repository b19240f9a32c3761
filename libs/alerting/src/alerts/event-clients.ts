/** Finds the client of an event. */
import type { IngestEvent } from '@ams/contracts';
import type { Tx } from '@ams/database';

const findClients = {
  name: 'find clients',
  text: `SELECT k.o, k.e, k.n, c.client_id FROM json_to_recordset($1::json) AS k(o uuid, e text, n text), LATERAL (
     SELECT client_id FROM resources_views.client_names
     WHERE organization_id = k.o AND environment = k.e AND name = k.n OFFSET 0) AS c`,
};

/**
 * The UUID of the client of the integration, else of the client whose slug, alias or external id is the label `client`.
 * The comparison ignores upper and lower case.
 */
export async function clientsOf(
  tx: Tx,
  events: readonly IngestEvent[],
): Promise<(event: IngestEvent) => string | null> {
  const nameOf = (event: IngestEvent): string | null =>
    event.clientId === null ? (event.labels['client']?.toLowerCase() ?? null) : null;
  const asked = new Map<string, { o: string; e: string; n: string }>();
  for (const event of events) {
    const { organizationId: o, environment: e } = event;
    const n = nameOf(event);
    if (n !== null) asked.set(`${o} ${e} ${n}`, { o, e, n });
  }
  if (asked.size === 0) return ({ clientId }) => clientId;
  const rows = await tx.query<{ o: string; e: string; n: string; client_id: string }>(findClients, [
    JSON.stringify([...asked.values()]),
  ]);
  const found = new Map(rows.map((row) => [`${row.o} ${row.e} ${row.n}`, row.client_id]));
  return (event) =>
    event.clientId ?? found.get(`${event.organizationId} ${event.environment} ${nameOf(event) ?? ''}`) ?? null;
}
