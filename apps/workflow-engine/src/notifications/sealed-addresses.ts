/**
 * Sealed addresses. resource-api seals them and the notifier opens them: the engine stores them and hands the sealed
 * data key of the tenant over, and can open neither.
 */
import { sealAddressRequest, type Destination, type SealedDataKey, type Tenant } from '@ams/contracts';
import { Database } from '@ams/database';
import { replacedInDestination, secretsFound } from '@ams/domain';
import { RpcClient } from '@ams/messaging';
import type { NotificationEntity } from './notification.entity.js';

const replyMs = 5000;

type Sent = Pick<NotificationEntity, 'organizationId' | 'environment' | 'destination'>;

/** The data key for a destination that is sealed; null for others, and when the tenant has none. */
export async function dataKeyFor(
  database: Pick<Database, 'query'>,
  { organizationId, environment, destination }: Sent,
): Promise<SealedDataKey | null> {
  if (!('sealedFor' in destination)) return null;
  const [found] = await database.query<{ sealed: Buffer }>(
    'SELECT sealed FROM resources_views.data_keys WHERE organization_id = $1 AND environment = $2',
    [organizationId, environment],
  );
  return found ? { organizationId, environment, dataKey: found.sealed.toString('base64') } : null;
}

/** The destination of a message to an address that the caller has sent. Throws UNAVAILABLE without resource-api. */
export async function sealedDestination(
  rpc: RpcClient,
  { organizationId, environment }: Tenant,
  destination: Destination,
  { record, requestId }: { record: string; requestId: string },
): Promise<Destination> {
  if (secretsFound((replace) => replacedInDestination(destination, replace)).plain === 0) return destination;
  const request = { organizationId, environment, record, destination };
  const reply = await rpc.request(sealAddressRequest, request, { timeoutMs: replyMs, requestId });
  return reply.destination;
}
