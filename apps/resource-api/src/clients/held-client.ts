/** A client that a record names in its `clientId`. */
import { invalid, uuidOf, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { ClientEntity } from './client.entity.js';

/**
 * The UUID of the client. Nobody can delete it before the transaction has ended: who tries waits, and then sees the record
 * that names it. Throws VALIDATION_ERROR when the tenant has no such client.
 */
export async function holdClient(
  tx: Tx,
  { organizationId, environment }: Tenant,
  clientId: string | null,
): Promise<string | null> {
  if (clientId === null) return null;
  const id = uuidOf('client', clientId);
  const held =
    id !== null &&
    (await tx
      .repository(ClientEntity)
      .findOne({ where: { id, organizationId, environment }, lock: { mode: 'pessimistic_read' } }));
  if (!held) throw invalid('clientId', 'exists', `there is no client with the id ${clientId}`);
  return id;
}
