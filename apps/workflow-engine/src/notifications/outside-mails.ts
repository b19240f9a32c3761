/**
 * Mails to addresses that belong to no active member of the organization are limited for each day, so that nobody uses the
 * service to send mails to strangers. Messages to members are never counted and never skipped for this reason.
 */
import type { Channel, Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { leftOf, limitOf, type LimitOverrides } from '@ams/domain';
import type { NotificationEntity } from './notification.entity.js';

/** A notification that is going to be created. */
interface NewMail {
  id: string;
  channel: Channel;
  memberId: string | null;
  target: string;
  status: NotificationEntity['status'];
  reason: string | null;
}

const kind = 'outsideMailsPerDay';

/**
 * Makes those `skipped` that are over the limit of the organization. The count is a row that is locked until the end of
 * the transaction, so the limit is exact. A notification that exists already is not counted again.
 */
export async function skipOverLimit(tx: Tx, { organizationId }: Tenant, rows: readonly NewMail[]): Promise<void> {
  const queued = rows.filter((row) => row.channel === 'email' && row.memberId === null && row.status === 'queued');
  if (queued.length === 0) return;
  const members = await tx.query<{ email: string }>(
    `SELECT lower(email) AS email FROM auth_views.members
     WHERE organization_id = $1 AND status = 'active' AND lower(email) = ANY($2::text[])`,
    [organizationId, queued.map(({ target }) => target.toLowerCase())],
  );
  const inside = new Set(members.map(({ email }) => email));
  const outside = queued.filter(({ target }) => !inside.has(target.toLowerCase()));
  if (outside.length === 0) return;
  const [count] = await tx.query<{ used: number; day: string; limits: LimitOverrides | null }>(
    `INSERT INTO workflows.message_counts AS c (organization_id, kind, day, used)
     VALUES ($1, $2, (now() AT TIME ZONE 'UTC')::date, 0)
     ON CONFLICT (organization_id, kind, day) DO UPDATE SET used = c.used
     RETURNING used, day::text, (SELECT limits FROM auth_views.organizations WHERE id = $1) AS limits`,
    [organizationId, kind],
  );
  const { used, day, limits } = count as NonNullable<typeof count>;
  const existing = await tx.query<{ id: string }>('SELECT id FROM workflows.notifications WHERE id = ANY($1::uuid[])', [
    outside.map(({ id }) => id),
  ]);
  const known = new Set(existing.map(({ id }) => id));
  const fresh = outside.filter(({ id }) => !known.has(id));
  const left = leftOf(kind, used, limits);
  for (const row of fresh.slice(left)) {
    row.status = 'skipped';
    row.reason = `the organization may send ${limitOf(kind, limits)} mails a day to people who are no members`;
  }
  const counted = Math.min(left, fresh.length);
  if (counted === 0) return;
  await tx.query(
    `UPDATE workflows.message_counts SET used = used + $4 WHERE organization_id = $1 AND kind = $2 AND day = $3::date`,
    [organizationId, kind, day, counted],
  );
}
