/** How an operator creates and revokes API keys. These keys do not count against the limit of the API. */
import { Fault, uuidOf, type ApiKey, type ApiKeyWithSecret, type Tenant } from '@ams/contracts';
import { type Database, type Tx } from '@ams/database';
import { type RpcClient } from '@ams/messaging';
import { roles, scopes } from '@ams/scopes';
import { IsNull } from 'typeorm';
import { environmentFrom, instantFrom, nameFrom, roleFrom, scopesFrom } from '../operator/operator-input.js';
import { admin, inLockedOrganization, findOrganization, recordAudit, type Operator } from '../operator/operator.js';
import { waitForDefaults } from '../organizations/organization-defaults.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { apiKeyOf, changesOfCreation, insertApiKey, requireFuture, type NewApiKey } from './api-keys.js';
import { markRevoked, notifyGateways, waitForTransactionsOf } from './revocation.js';

/** The keys of an environment (`live` when left out) that are not revoked, newest first. Throws NOT_FOUND. */
export async function listKeys(
  database: Database,
  input: { organization: string; environment?: string },
): Promise<ApiKey[]> {
  const environment = environmentFrom(input.environment ?? 'live');
  return database.asService(async (tx) => {
    const { id: organizationId } = await findOrganization(tx, input.organization);
    const keys = await tx.repository(ApiKeyEntity).find({
      where: { organizationId, environment, revokedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return keys.map(apiKeyOf);
  });
}

export const hasAllScopes = (key: ApiKey): boolean => scopes.every((scope) => key.scopes.includes(scope));

export async function createApiKey(
  tx: Tx,
  operator: Operator,
  values: Omit<NewApiKey, 'createdBy' | 'at'>,
): Promise<ApiKeyWithSecret> {
  const { organizationId, environment } = values;
  const created = await insertApiKey(tx, { ...values, createdBy: operator.actor, at: operator.at });
  await recordAudit(tx, operator, {
    organizationId,
    environment,
    type: 'api_key.created',
    resource: { type: 'api_key', id: created.id },
    changes: changesOfCreation(created),
  });
  return created;
}

export interface ApiKeyInput {
  organization: string;
  name: string;
  /** Either the scopes themselves, or the role that has them. */
  may: { scopes: readonly string[] } | { role: string };
  /** `live` when left out. */
  environment?: string;
  /** A time or a date (the end of that day, UTC); in the future. */
  expiry?: string;
}

/**
 * A new key. Only this answer contains the key itself. Throws VALIDATION_ERROR and NOT_FOUND, and UNAVAILABLE while the
 * organization lacks its first records.
 */
export async function addKey(
  database: Database,
  { organization: slug, name, may, environment, expiry }: ApiKeyInput,
  waiting?: { withinMs?: number },
): Promise<ApiKeyWithSecret> {
  const values = {
    name: nameFrom(name, 'the name of the key'),
    environment: environmentFrom(environment ?? 'live'),
    scopes: 'role' in may ? roles[roleFrom(may.role)] : scopesFrom(may.scopes),
    expiresAt: expiry === undefined ? null : instantFrom(expiry),
  };
  const { id } = await database.asService((tx) => findOrganization(tx, slug));
  await waitForDefaults(database, id, waiting);
  return inLockedOrganization(database, slug, async ({ tx, organization, operator }) => {
    requireFuture(values.expiresAt, operator.at);
    return createApiKey(tx, operator, { organizationId: organization.id, ...values });
  });
}

export interface RevokedKey {
  key: ApiKey;
  /** How many gateways confirmed; 0 when NATS was disconnected. */
  gatewaysTold: number;
  /** Whether all transactions of the key have ended. If not, a write of the key may still be committed. */
  ended: boolean;
}

/** Revokes the key with the public id, see `revocation.ts`. `rpc`: `null` without NATS. Throws NOT_FOUND. */
export async function revokeKey(database: Database, rpc: RpcClient | null, id: string): Promise<RevokedKey> {
  const { record, key } = await database.asService((tx) => revoke(tx, id));
  const [gatewaysTold, ended] = await Promise.all([
    rpc === null ? 0 : notifyGateways(rpc, { keyId: record.id, sparedRequestId: null }).catch(() => 0),
    waitForTransactionsOf(database, record, record.id).then(
      () => true,
      () => false,
    ),
  ]);
  return { key, gatewaysTold, ended };
}

/** The operator gives only the id of the key; the organization and environment are read from its record. */
async function revoke(tx: Tx, id: string): Promise<{ record: ApiKeyEntity; key: ApiKey }> {
  const keyId = uuidOf('apiKey', id);
  const record = keyId ? await tx.repository(ApiKeyEntity).findOneBy({ id: keyId }) : null;
  if (!record) throw noKey(id);
  const { organizationId, environment }: Tenant = record;
  const at = await markRevoked(tx, { organizationId, environment }, record.id);
  if (!at) throw noKey(id);
  const key = apiKeyOf(record);
  const resource = { type: 'api_key', id: key.id };
  const entry = { organizationId, environment, type: 'api_key.revoked', resource, changes: [] };
  await recordAudit(tx, { actor: admin, at }, entry);
  return { record, key };
}

const noKey = (id: string): Fault =>
  new Fault('NOT_FOUND', { resource: 'api_key', id }, `There is no key with the id "${id}" that could be revoked.`);
