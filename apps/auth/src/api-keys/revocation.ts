/**
 * A revocation takes effect at once. First the key is marked as revoked: after that commit admission refuses it, and no
 * transaction can begin with it. Then every gateway is notified (it answers 401 to the requests of the key in flight),
 * and this service waits for the transactions that began with the key. Then the revocation is answered. After the
 * answer the key can neither change nor read anything.
 */
import { keyRevokedRequest, type RevokedNotice, type Tenant } from '@ams/contracts';
import { type Database, type Tx } from '@ams/database';
import { type RpcClient } from '@ams/messaging';
import { IsNull } from 'typeorm';
import { databaseNow } from '../database-now.js';
import { ApiKeyEntity } from './api-key.entity.js';

/**
 * Marks the key (a UUID). Returns the time, or `null` when there is no key that could be revoked. When two revocations
 * run at the same time, the second waits here for the first and returns `null`.
 */
export async function markRevoked(
  tx: Tx,
  { organizationId, environment }: Tenant,
  keyId: string,
): Promise<Date | null> {
  const keys = tx.repository(ApiKeyEntity);
  const key = await keys.findOne({
    where: { id: keyId, organizationId, environment, revokedAt: IsNull() },
    lock: { mode: 'for_no_key_update' },
  });
  if (!key) return null;
  const revokedAt = await databaseNow(tx);
  await keys.update({ id: keyId, organizationId, environment }, { revokedAt });
  return revokedAt;
}

/**
 * Marks the keys that the key has created, those that they have created, and so on, in both environments. Returns their
 * UUIDs. The caller holds the lock of the organization under which keys are created. Row-level security shows one
 * environment at a time: a test key creates no live key, so the test keys follow the live ones.
 */
export async function markDescendantsRevoked(tx: Tx, tenant: Tenant, keyId: string, at: Date): Promise<string[]> {
  const descendants: string[] = [];
  const revoked: string[] = [];
  for (const environment of tenant.environment === 'live' ? (['live', 'test'] as const) : (['test'] as const)) {
    const rows = await tx.inEnvironment(environment, () =>
      tx.query<{ id: string; revoked: boolean }>(
        `WITH RECURSIVE descendants AS (
           SELECT id FROM auth.api_keys WHERE organization_id = $1 AND environment = $2
             AND created_by->>'id' = ANY (SELECT 'key_' || replace(a::text, '-', '') FROM unnest($3::uuid[]) a)
           UNION
           SELECT key.id FROM auth.api_keys key
             JOIN descendants ON key.created_by->>'id' = 'key_' || replace(descendants.id::text, '-', '')
           WHERE key.organization_id = $1 AND key.environment = $2
         ), revoked AS (
           UPDATE auth.api_keys key SET revoked_at = $4
           WHERE key.id IN (SELECT id FROM descendants) AND key.organization_id = $1 AND key.environment = $2
             AND key.revoked_at IS NULL
           RETURNING key.id
         )
         SELECT descendants.id, revoked.id IS NOT NULL AS revoked FROM descendants LEFT JOIN revoked USING (id)`,
        [tenant.organizationId, environment, [keyId, ...descendants], at],
      ),
    );
    descendants.push(...rows.map(({ id }) => id));
    revoked.push(...rows.filter((row) => row.revoked).map(({ id }) => id));
  }
  return revoked;
}

/**
 * Settles when the gateways have confirmed, with their number. A gateway that does not confirm in time refuses the key
 * because the database does. Throws when NATS is disconnected or no gateway listens.
 */
export async function notifyGateways(rpc: RpcClient, notice: RevokedNotice): Promise<number> {
  const replies = await rpc.requestAll(keyRevokedRequest, notice, { stallMs: 50, maxWaitMs: 300 });
  return replies.length;
}

/** Settles when every transaction that began with the key has ended: each of them holds the row of the key. */
export async function waitForTransactionsOf(
  database: Database,
  { organizationId }: Pick<Tenant, 'organizationId'>,
  keyId: string,
): Promise<void> {
  const lock = 'SELECT FROM auth.api_keys WHERE id = $1 AND organization_id = $2 FOR UPDATE';
  await database.asService((tx) => tx.query(lock, [keyId, organizationId]));
}
