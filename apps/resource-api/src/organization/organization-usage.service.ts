/** What an organization uses of its limits, in the environment of the caller. */
import type { Input, LimitUsage, NoQuery, OrganizationUsage, Tenant } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { limitKinds, limitOf, resetsAt, type MessageKind } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { limitsOf, recordCounts } from '../records/record-room.js';

@Injectable()
export class OrganizationUsageService {
  constructor(private readonly database: Database) {}

  get({ principal }: Input<NoQuery, undefined>): Promise<OrganizationUsage> {
    return this.database.readAs(principal, async (tx) => {
      const limits = await limitsOf(tx, principal);
      const { now, sent } = await sentToday(tx, principal);
      const used = { ...(await recordCounts(tx, principal)), outsideMailsPerDay: sent.get('outsideMailsPerDay') ?? 0 };
      const usage = limitKinds.map((kind): LimitUsage => {
        return { kind, used: used[kind], limit: limitOf(kind, limits), resetsAt: resetsAt(kind, now) };
      });
      return { environment: principal.environment, usage };
    });
  }
}

/** `now` in milliseconds, by the clock that counts. */
async function sentToday(
  tx: Tx,
  { organizationId }: Tenant,
): Promise<{ now: number; sent: ReadonlyMap<MessageKind, number> }> {
  const rows = await tx.query<{ now: Date; kind: MessageKind | null; used: number | null }>(
    `SELECT t.now, c.kind, c.used FROM (SELECT now() AS now) AS t
     LEFT JOIN workflows_views.message_counts c ON c.organization_id = $1 AND c.day = (t.now AT TIME ZONE 'UTC')::date`,
    [organizationId],
  );
  const sent = new Map(rows.flatMap(({ kind, used }) => (kind === null ? [] : [[kind, used ?? 0] as const])));
  return { now: rows[0]?.now.getTime() ?? 0, sent };
}
