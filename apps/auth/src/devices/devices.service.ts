/**
 * The operations on the devices of the member who is signed in, and the end of devices that push services do not know any
 * more. The tables have no grants for principals.
 */
import {
  Fault,
  invalid,
  maxDevices,
  newUuid,
  publicId,
  recordOfSubscription,
  uuidOf,
  type Device,
  type DeviceGone,
  type Input,
  type ListDevicesQuery,
  type NoQuery,
  type Page,
  type PostDevice,
  type PushSettings,
} from '@ams/contracts';
import { auditRecord, Database, page, selectOf, Where, withIdempotency, type Tx } from '@ams/database';
import { type PushSubscription } from '@ams/domain';
import { type SealedSecrets } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { createHash, ECDH } from 'node:crypto';
import { IsNull } from 'typeorm';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { databaseNow } from '../database-now.js';
import { inOwnAccount } from '../second-factors/own-account.js';
import { SecretKeys } from '../second-factors/secret-keys.js';
import { AuthSettings } from '../settings.js';
import { DeviceEntity } from './device.entity.js';
import { auditOfEnded, endDevices } from './ended-devices.js';

@Injectable()
export class DevicesService {
  constructor(
    private readonly database: Database,
    private readonly keys: SecretKeys,
    private readonly settings: AuthSettings,
  ) {}

  push(): PushSettings {
    return { publicKey: this.keys.sealed ? (this.settings.vapidPublicKey ?? null) : null };
  }

  list({ principal, query }: Input<ListDevicesQuery, undefined>): Promise<Page<Device>> {
    const { limit, cursor, ...filters } = query;
    return inOwnAccount(this.database, principal, ({ tx }) => {
      const where = new Where()
        .and('organization_id = ?', principal.organizationId)
        .and('member_id = ?', principal.id)
        .ofTimes('created_at', filters.createdSince, filters.createdUntil);
      return page<DeviceEntity, Device>(tx, {
        select: selectOf(tx, DeviceEntity, 'd'),
        from: 'auth.push_devices d',
        where,
        sort: { column: 'created_at', type: 'time', descending: filters.sort === '-createdAt' },
        id: 'id',
        limit,
        cursor,
        boundTo: ['devices', filters],
        total: () => count(tx, where),
        item: deviceOf,
      });
    });
  }

  /** Throws CONFLICT when push messages are not set up or the member has enough devices, and VALIDATION_ERROR. */
  add(input: Input<NoQuery, PostDevice>): Promise<Device> {
    const { principal, body } = input;
    const sealed = this.sealedSecrets();
    if (!isPoint(body.keys.p256dh)) throw invalid('keys.p256dh', 'point', 'keys.p256dh is no point of P-256');
    return inOwnAccount(this.database, principal, ({ tx, account }) =>
      withIdempotency(tx, 'auth', principal, input.idempotency, async () => {
        const at = await databaseNow(tx);
        const hash = createHash('sha256').update(body.endpoint).digest();
        // The browser shows one person's pages only. Other members of this person keep theirs.
        const others = await endDevices(tx, {
          where: `endpoint_hash = $3 AND member_id NOT IN (SELECT id FROM auth.members WHERE account_id = $4)`,
          params: [hash, account.id],
          reason: 'replaced',
          at,
        });
        await addAuditEntries(
          tx,
          others.map((device) => auditOfEnded(device, { actorName: 'auth', environment: 'live', at, input })),
        );
        const before = await tx
          .repository(DeviceEntity)
          .findOneBy({ endpointHash: hash, memberId: principal.id, endedAt: IsNull() });
        if (!before) await makeRoom(tx, principal.id);
        const id = before?.id ?? newUuid(at.getTime());
        const device: DeviceEntity = {
          id,
          organizationId: principal.organizationId,
          memberId: principal.id,
          name: body.name,
          service: new URL(body.endpoint).host,
          endpointHash: hash,
          subscription: sealed.seal(Buffer.from(JSON.stringify(subscriptionOf(body))), recordOfSubscription(id)),
          createdAt: before?.createdAt ?? at,
          endedAt: null,
          endReason: null,
        };
        await tx.repository(DeviceEntity).upsert(device, ['id']);
        await record(tx, input, { type: before ? 'device.updated' : 'device.added', before, after: device, at });
        return deviceOf(device);
      }),
    );
  }

  /** Throws NOT_FOUND. */
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    const { principal, params } = input;
    const publicForm = params['id'] ?? '';
    const id = uuidOf('device', publicForm);
    return inOwnAccount(this.database, principal, async ({ tx }) => {
      const devices = tx.repository(DeviceEntity);
      const own = { memberId: principal.id, organizationId: principal.organizationId };
      const device = id === null ? null : await devices.findOneBy({ id, ...own });
      if (!device) throw new Fault('NOT_FOUND', { resource: 'device', id: publicForm });
      await devices.delete({ id: device.id, ...own });
      await record(tx, input, { type: 'device.removed', before: device, after: null, at: await databaseNow(tx) });
    });
  }

  /** The push service does not know the device any more. Whether it ended now. */
  gone({ deviceId, organizationId, environment, requestId }: DeviceGone): Promise<boolean> {
    return this.database.asService(async (tx) => {
      const at = await databaseNow(tx);
      const ended = await endDevices(tx, {
        where: 'id = $3 AND organization_id = $4',
        params: [deviceId, organizationId],
        reason: 'gone',
        at,
      });
      const input = { requestId, ip: null, userAgent: null };
      await addAuditEntries(
        tx,
        ended.map((device) => auditOfEnded(device, { actorName: device.service, environment, at, input })),
      );
      return ended.length > 0;
    });
  }

  private sealedSecrets(): SealedSecrets {
    if (this.keys.sealed && this.settings.vapidPublicKey !== undefined) return this.keys.sealed;
    throw new Fault('CONFLICT', null, 'Push messages are not available: the operator has not set them up.');
  }
}

const deviceOf = (device: DeviceEntity): Device => ({
  id: publicId('device', device.id),
  name: device.name,
  service: device.service,
  fingerprint: device.endpointHash.toString('base64url').slice(0, fingerprintLength),
  createdAt: device.createdAt.toISOString(),
  endedAt: device.endedAt?.toISOString() ?? null,
  endReason: device.endReason,
});

const fingerprintLength = 16;

const subscriptionOf = ({ endpoint, keys: { p256dh, auth } }: PostDevice): PushSubscription => ({
  endpoint,
  keys: { p256dh, auth },
});

/** Messages to another key cannot be encrypted. */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(Buffer.from(p256dh, 'base64url'), 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** Ended devices make room, the oldest first. Throws CONFLICT. The account is locked. */
async function makeRoom(tx: Tx, memberId: string): Promise<void> {
  const present = await tx.repository(DeviceEntity).findBy({ memberId });
  if (present.length < maxDevices) return;
  const [oldest] = present
    .filter(({ endedAt }) => endedAt !== null)
    .sort((a, b) => Number(a.endedAt) - Number(b.endedAt));
  if (!oldest) throw new Fault('CONFLICT', null, `A member has at most ${maxDevices} devices: first remove one.`);
  await tx.repository(DeviceEntity).delete({ id: oldest.id });
}

async function count(tx: Tx, where: Where): Promise<number> {
  const sql = `SELECT count(*)::int AS total FROM auth.push_devices d WHERE ${where.toString()}`;
  const [row] = await tx.query<{ total: number }>(sql, where.params);
  return row?.total ?? 0;
}

/** Never the endpoint or a key. */
function record(
  tx: Tx,
  input: Input<NoQuery, unknown>,
  { type, before, after, at }: { type: string; before: DeviceEntity | null; after: DeviceEntity | null; at: Date },
): Promise<void> {
  const resource = { type: 'device', id: publicId('device', (after ?? before)?.id ?? '') };
  const changes = [{ field: 'name', before: before?.name ?? null, after: after?.name ?? null }];
  return addAuditEntries(tx, [auditRecord(input, { type, resource, changes, at })]);
}
