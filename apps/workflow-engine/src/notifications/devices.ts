/** The devices of members, which auth owns: their subscriptions when a message is sent, and the report of one that is gone. */
import { deviceGoneRequest, type DeviceAddress, type DeviceGone } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { Logger, RpcClient } from '@ams/messaging';
import { Injectable } from '@nestjs/common';
import type { NotificationEntity } from './notification.entity.js';

const replyMs = 5000;

type Told = Pick<NotificationEntity, 'organizationId' | 'memberId'>;

/** A device of the member; null when it is not there or has ended. `deviceId` is a UUID. */
export async function deviceOf(
  queries: Pick<Tx, 'query'>,
  { organizationId, memberId }: Told,
  deviceId: string | null,
): Promise<{ id: string; name: string; subscription: Buffer } | null> {
  const [device] = await queries.query<{ id: string; name: string; subscription: Buffer }>(
    `SELECT id, name, subscription FROM auth_views.push_devices
     WHERE organization_id = $1 AND member_id = $2 AND id = $3`,
    [organizationId, memberId, deviceId],
  );
  return device ?? null;
}

@Injectable()
export class Devices {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly log: Logger,
  ) {}

  /** Sealed, in base64; null when the device is not there any more. */
  async subscriptionOf(notification: Told, { deviceId }: DeviceAddress): Promise<string | null> {
    const device = await this.database.asService((tx) => deviceOf(tx, notification, deviceId));
    return device && device.subscription.toString('base64');
  }

  /** When auth does not answer, the next message to the device finds the same. */
  async gone(device: DeviceGone): Promise<void> {
    try {
      await this.rpc.request(deviceGoneRequest, device, { timeoutMs: replyMs, requestId: device.requestId });
    } catch (error) {
      this.log.warn({ err: error, deviceId: device.deviceId }, 'auth was not told that a device is gone');
    }
  }
}
