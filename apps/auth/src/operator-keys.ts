/** API keys as an operator makes and revokes them. They do not count against the limit of the API. */
import { Fault, newApiKey, uuidOf, type ApiKey, type ApiKeyWithSecret } from '@ams/contracts';
import type { Database, Tx } from '@ams/database';
import type { NatsConnection } from '@ams/messaging';
import { roles, scopes } from '@ams/scopes';
import {
  changesOfCreation,
  insertKey,
  keyColumns,
  keyFromRow,
  requireFuture,
  type KeyRow,
  type NewKey,
} from './api-keys.js';
import { environmentFrom, instantFrom, nameFrom, roleFrom, scopesFrom } from './operator-input.js';
import { admin, enter, findOrganization, inOrganization, type Operator } from './operator.js';
import { markRevoked, tellGateways, waitForHolders } from './revocation.js';

/** The keys of an environment that are not revoked, the newest first. Throws NOT_FOUND. */
export async function listKeys(
  database: Database,
  wanted: { organization: string; environment?: string },
): Promise<ApiKey[]> {
  const environment = environmentFrom(wanted.environment ?? 'live');
  const { id } = await findOrganization(database, wanted.organization);
  const rows = await database.query<KeyRow>(
    `SELECT ${keyColumns} FROM auth.api_keys WHERE organization_id = $1 AND environment = $2 AND revoked_at IS NULL ORDER BY created_at DESC, id DESC`,
    [id, environment],
  );
  return rows.map(keyFromRow);
}

export const hasAllScopes = (key: ApiKey): boolean => scopes.every((scope) => key.scopes.includes(scope));

export async function createKey(
  tx: Tx,
  operator: Operator,
  values: Omit<NewKey, 'createdBy' | 'at'>,
): Promise<ApiKeyWithSecret> {
  const { organizationId, environment } = values;
  const key = newApiKey(environment);
  const created = await insertKey(tx, key, { ...values, createdBy: operator.actor, at: operator.at });
  await enter(tx, operator, {
    organizationId,
    environment,
    type: 'api_key.created',
    resource: { type: 'api_key', id: created.id },
    changes: changesOfCreation(created),
  });
  return { ...created, key };
}

export interface WantedKey {
  organization: string;
  name: string;
  /** Either the scopes themselves, or the role that has them. */
  may: { scopes: readonly string[] } | { role: string };
  /** `live` unless said. */
  environment?: string;
  /** A time or a date (the end of that day, UTC); in the future. */
  expiry?: string;
}

/** A new key with its secret, which is in this answer and nowhere else. Throws VALIDATION_ERROR and NOT_FOUND. */
export async function addKey(
  database: Database,
  { organization, name, may, environment, expiry }: WantedKey,
): Promise<ApiKeyWithSecret> {
  const values = {
    name: nameFrom(name, 'the name of the key'),
    environment: environmentFrom(environment ?? 'live'),
    scopes: 'role' in may ? roles[roleFrom(may.role)] : scopesFrom(may.scopes),
    expiresAt: expiry === undefined ? null : instantFrom(expiry),
  };
  return inOrganization(database, organization, async (holding) => {
    requireFuture(values.expiresAt, holding.operator.at);
    return createKey(holding.tx, holding.operator, { organizationId: holding.organization.id, ...values });
  });
}

export interface Revoked {
  key: ApiKey;
  /** How many gateways said that they know; 0 also when there was no broker to ask. */
  gatewaysTold: number;
  /** Whether all that the key had begun has ended. If not, a write of it may still come. */
  ended: boolean;
}

/** Revokes the key with the public id, as immediately as the API does. Throws NOT_FOUND when there is none, or not any more. */
export async function revokeKey(database: Database, broker: NatsConnection | null, id: string): Promise<Revoked> {
  const { organizationId, ...key } = await database.asService((tx) => mark(tx, id));
  const keyId = uuidOf('apiKey', key.id) as string;
  const [gatewaysTold, ended] = await Promise.all([
    broker === null ? 0 : tellGateways(broker, { keyId, sparedRequestId: null }).catch(() => 0),
    waitForHolders(database, { organizationId }, keyId).then(
      () => true,
      () => false,
    ),
  ]);
  return { key, gatewaysTold, ended };
}

/** Marks the key, and enters that; what is known of it. */
async function mark(tx: Tx, id: string): Promise<ApiKey & { organizationId: string }> {
  const [row] = await tx.query<KeyRow & { organization_id: string }>(
    `SELECT ${keyColumns}, organization_id FROM auth.api_keys WHERE id = $1`,
    [uuidOf('apiKey', id)],
  );
  if (!row) throw noKey(id);
  const tenant = { organizationId: row.organization_id, environment: row.environment };
  const at = await markRevoked(tx, tenant, row.id);
  if (!at) throw noKey(id);
  const key = keyFromRow(row);
  await enter(
    tx,
    { actor: admin, at },
    { ...tenant, type: 'api_key.revoked', resource: { type: 'api_key', id: key.id }, changes: [] },
  );
  return { ...key, organizationId: row.organization_id };
}

const noKey = (id: string): Fault =>
  new Fault('NOT_FOUND', { resource: 'api_key', id }, `There is no key with the id «${id}» that could be revoked.`);
