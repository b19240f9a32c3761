/** SQL of clients: their list, the records that use them, and the deletion of many rows. */
import type { ListClientsQuery, Noun, Principal, Tenant } from '@ams/contracts';
import { containing, selectOf, type Tx, type Where } from '@ams/database';
import { choiceOf } from '@ams/domain';
import { referencesIn, type Reference } from '../records/references.js';
import { owned } from '../records/tenant-queries.js';
import { lowered } from './client-names.js';
import { ClientEntity } from './client.entity.js';

export type ListedClient = ClientEntity & { openAlertCount: number };

export const listedColumns = (tx: Tx): string => `${selectOf(tx, ClientEntity, 'clients')}, (
  SELECT count(*)::int FROM alerts_views.alerts a
  WHERE a.organization_id = clients.organization_id AND a.environment = clients.environment
    AND a.client_id = clients.id AND a.status <> 'resolved'
) AS "openAlertCount"`;

export async function clientsMatching(
  tx: Tx,
  principal: Principal,
  { slug, externalId, q, createdSince, createdUntil }: ListClientsQuery,
): Promise<Where> {
  const where = owned(principal).and('deleted_at IS NULL').ofTimes('created_at', createdSince, createdUntil);
  where.ofTexts('slug', slug?.map(lowered));
  if (externalId) await addExternalIds(tx, principal, where, externalId);
  return q ? where.and('name ILIKE ?', containing(q)) : where;
}

async function addExternalIds(tx: Tx, tenant: Tenant, where: Where, filter: string[]): Promise<void> {
  const { negated, none, values } = choiceOf(filter);
  const found = await withExternalIds(tx, tenant, values);
  if (negated) where.and('id <> ALL(?::uuid[])', found);
  else if (none) where.and('(external_id IS NULL OR id = ANY(?::uuid[]))', found);
  else where.and('id = ANY(?::uuid[])', found);
}

/** Found by their names: the lower case of external ids is that of JavaScript, not that of the database. */
async function withExternalIds(
  tx: Tx,
  { organizationId, environment }: Tenant,
  externalIds: string[],
): Promise<string[]> {
  const wanted = externalIds.map(lowered);
  const rows = await tx.query<{ id: string; externalId: string }>(
    `SELECT c.id, c.external_id AS "externalId"
     FROM resources.client_names n JOIN resources.clients c ON c.id = n.client_id
     WHERE n.organization_id = $1 AND n.environment = $2 AND n.name = ANY($3::text[]) AND c.external_id IS NOT NULL`,
    [organizationId, environment, wanted],
  );
  return rows.filter((row) => wanted.includes(lowered(row.externalId))).map(({ id }) => id);
}

export async function openAlertCountOf(tx: Tx, { organizationId, environment, id }: ClientEntity): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM alerts_views.alerts
     WHERE organization_id = $1 AND environment = $2 AND client_id = $3 AND status <> 'resolved'`,
    [organizationId, environment, id],
  );
  return row?.n ?? 0;
}

/** Up to ten records of each kind that still need the client. */
export async function recordsUsing(tx: Tx, { organizationId, environment, id }: ClientEntity): Promise<Reference[]> {
  const using = (resource: string, noun: Noun, name: string, from: string, condition: string): Promise<Reference[]> =>
    referencesIn(
      tx,
      resource,
      noun,
      `SELECT id, ${name} AS name FROM ${from} WHERE organization_id = $1 AND environment = $2 AND ${condition}`,
      [organizationId, environment, id],
    );
  const open = `client_id = $3 AND status <> 'resolved'`;
  const present = 'client_id = $3 AND deleted_at IS NULL';
  return [
    ...(await using('alert', 'alert', 'title', 'alerts_views.alerts', open)),
    ...(await using('incident', 'incident', 'title', 'alerts_views.incidents', open)),
    ...(await using('integration', 'integration', 'name', 'resources.integrations', present)),
    ...(await using(
      'suppression_window',
      'suppressionWindow',
      'name',
      'resources.suppression_windows',
      '$3 = ANY(client_ids)',
    )),
  ];
}

/** Deletes the rows of clients that were deleted more than a day ago and that no record names, in all tenants. */
export const purgeDeletedClients = (tx: Tx): Promise<unknown> =>
  tx.query(
    `DELETE FROM resources.clients c WHERE c.deleted_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT 1 FROM alerts_views.alerts WHERE client_id = c.id)
       AND NOT EXISTS (SELECT 1 FROM alerts_views.incidents WHERE client_id = c.id)
       AND NOT EXISTS (SELECT 1 FROM resources.integrations WHERE client_id = c.id)`,
  );
