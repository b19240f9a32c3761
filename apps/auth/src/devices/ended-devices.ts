/** Devices that end without their member: their entries stay, so that the member sees why. */
import { newUuid, publicId, type AuditRecord, type DeviceEnd } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { type Environment } from '@ams/scopes';

export interface EndedDevice {
  id: string;
  organizationId: string;
  memberId: string;
  name: string;
  service: string;
}

/** `where` has the parameters from $3 on. The endpoint and the keys are deleted. */
export const endDevices = (
  tx: Pick<Tx, 'query'>,
  { where, params, reason, at }: { where: string; params: unknown[]; reason: DeviceEnd; at: Date },
): Promise<EndedDevice[]> =>
  tx.query<EndedDevice>(
    `UPDATE auth.push_devices SET subscription = NULL, ended_at = $1, end_reason = $2
     WHERE ended_at IS NULL AND ${where}
     RETURNING id, organization_id AS "organizationId", member_id AS "memberId", name, service`,
    [at, reason, ...params],
  );

interface Ended {
  /** Who says that the device has ended. */
  actorName: string;
  environment: Environment;
  at: Date;
  input: { requestId: string; ip: string | null; userAgent: string | null };
}

/** In the organization of the device. Who caused it there may belong to another one, and is not named. */
export const auditOfEnded = (
  { id, organizationId, memberId, name }: EndedDevice,
  { actorName, environment, at, input: { requestId } }: Ended,
): AuditRecord => ({
  id: newUuid(at.getTime()),
  organizationId,
  environment,
  type: 'device.ended',
  occurredAt: at.toISOString(),
  actor: { type: 'service', id: null, name: actorName },
  ip: null,
  userAgent: null,
  requestId,
  resource: { type: 'device', id: publicId('device', id) },
  changes: [
    { field: 'name', before: name, after: null },
    { field: 'userId', before: publicId('member', memberId), after: null },
  ],
});
