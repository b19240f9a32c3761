/** A client that a record names in its `clientId`. */
import { invalid, uuidOf, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { existingIds } from '../records/named-records.js';

/**
 * The UUID of the client. A deletion waits until the transaction has ended, and then sees the record that names it.
 * Throws VALIDATION_ERROR when the tenant has no such client.
 */
export async function holdClient(tx: Tx, tenant: Tenant, clientId: string | null): Promise<string | null> {
  if (clientId === null) return null;
  const held = await existingIds(tx, tenant, 'client', [clientId], { locked: true });
  if (!held.has(clientId)) throw invalid('clientId', 'exists', `there is no client with the id ${clientId}`);
  return uuidOf('client', clientId);
}
