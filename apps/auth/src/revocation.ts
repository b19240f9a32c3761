/**
 * A revocation is at once, in this order: the key is marked (from that commit on nobody is admitted with it and no
 * transaction can begin with it), every gateway is told (what the key has in flight answers 401), and the transactions
 * that it began before are waited for. Only then is the revocation answered: after the answer nothing happens by that key.
 */
import { revokedSubject, type RevokedNotice, type Tenant } from '@ams/contracts';
import type { Database, Tx } from '@ams/database';
import type { NatsConnection } from '@ams/messaging';

/** Marks the key (a UUID); the time of it, or `null` when there is none to revoke. Of two at once, one waits here for the other and finds none. */
export async function markRevoked(
  tx: Tx,
  { organizationId, environment }: Tenant,
  keyId: string,
): Promise<Date | null> {
  const [revoked] = await tx.query<{ revoked_at: Date }>(
    `UPDATE auth.api_keys SET revoked_at = clock_timestamp() WHERE id = $1 AND organization_id = $2 AND environment = $3 AND revoked_at IS NULL RETURNING revoked_at`,
    [keyId, organizationId, environment],
  );
  return revoked?.revoked_at ?? null;
}

/**
 * Settles when every gateway has said that it knows, with their number. Those that do not answer soon learn it from the
 * database. Throws when the broker cannot be asked, or knows no gateway.
 */
export async function tellGateways(broker: NatsConnection, notice: RevokedNotice): Promise<number> {
  const answers = await broker.requestMany(revokedSubject, JSON.stringify(notice), {
    strategy: 'stall',
    stall: 50,
    maxWait: 300,
  });
  let told = 0;
  for await (const _answer of answers) told++;
  return told;
}

/** Settles when no transaction that began with the key is still under way: such a one holds the key's row. */
export async function waitForHolders(
  database: Database,
  { organizationId }: Pick<Tenant, 'organizationId'>,
  keyId: string,
): Promise<void> {
  await database.asService((tx) =>
    tx.query('SELECT FROM auth.api_keys WHERE id = $1 AND organization_id = $2 FOR UPDATE', [keyId, organizationId]),
  );
}
