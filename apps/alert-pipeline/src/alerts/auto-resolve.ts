/**
 * Resolves alerts that received no event for the time that their integration sets. All times are of the clock of the
 * database. That no event came is known only when NATS says so: an alert resolves after an answer of NATS that was
 * requested after its time was over, and that knows no event of its partition that is not applied. While NATS is
 * disconnected, nobody can send, so nothing resolves.
 */
import { publicId } from '@ams/contracts';
import { alertRecordOf, alertColumns, type AlertRow } from '@ams/alerting';
import { type Database } from '@ams/database';
import { decideCommand } from '@ams/domain';
import { AlertChanges } from './alert-changes.js';

const atOnce = 500;

// The conditions use `now()`: for a comparison with clock_timestamp(), which may differ from row to row, the planner
// uses no index.

/** The worker of a partition. */
interface AppliedPartition {
  /** Whether NATS, asked now, has no event of the partition that is not applied. */
  hasAppliedAll(): Promise<boolean>;
}

/** Resolves the overdue alerts of these partitions. Returns their number. */
export async function resolveOverdue(database: Database, held: ReadonlyMap<number, AppliedPartition>): Promise<number> {
  if (held.size === 0) return 0;
  const due = await database.query<{ partition: number; asked: string }>(
    `SELECT DISTINCT partition, now()::text AS asked FROM alerts.alerts
     WHERE auto_resolve_at <= now() AND partition = ANY($1::smallint[])`,
    [[...held.keys()]],
  );
  const answers = await Promise.all(
    due.map(async ({ partition }) => ((await held.get(partition)?.hasAppliedAll()) ? [partition] : [])),
  );
  const partitions = answers.flat();
  if (partitions.length === 0) return 0;
  return database.asService(async (tx) => {
    const rows = await tx.query<AlertRow & { now: Date }>(
      `SELECT ${alertColumns}, clock_timestamp() AS now FROM alerts.alerts
       WHERE id IN (
           SELECT id FROM alerts.alerts WHERE auto_resolve_at <= $2::timestamptz AND partition = ANY($1::smallint[])
           ORDER BY auto_resolve_at LIMIT ${atOnce})
         AND auto_resolve_at <= $2::timestamptz AND status <> 'resolved'
       ORDER BY id FOR UPDATE SKIP LOCKED`,
      [partitions, due[0]?.asked],
    );
    const at = (rows[0]?.now ?? new Date(0)).toISOString();
    const changes = new AlertChanges(at);
    for (const row of rows) {
      const record = alertRecordOf(row);
      const actor = {
        type: 'integration' as const,
        id: publicId('integration', record.integrationId),
        name: record.integrationName,
      };
      const decision = decideCommand(record.state, { action: 'resolve', reason: 'timeout' }, at, actor);
      if (decision.kind === 'changed')
        changes.change(record, decision.alert, {
          type: decision.type,
          changes: decision.changes,
          actor,
          cause: { type: 'timeout', id: null },
          at,
        });
    }
    await changes.write(tx);
    return rows.length;
  });
}
