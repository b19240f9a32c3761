/**
 * Resolves alerts that received no event for the time that their integration sets. All times are by the clock of the
 * database. An event may be stored in NATS and not yet applied. So when the time of an alert is over, NATS is asked,
 * and the alert resolves only if all events of its partition are applied. While NATS is disconnected, no alert
 * resolves, because no sender can send.
 */
import { publicId } from '@ams/contracts';
import { alertRecordOf, alertColumns, type AlertRow } from '@ams/alerting';
import { type Database } from '@ams/database';
import { decideCommand } from '@ams/domain';
import { AlertChanges } from './alert-changes.js';

const atOnce = 500;

// The conditions use `now()`. The planner uses no index for clock_timestamp(), whose value may differ in each row.

/** The worker of a partition. */
interface AppliedPartition {
  /** Asks NATS now whether all events of the partition are applied. */
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
