/**
 * Resolves alerts that received no event for the time that their integration sets. Only partitions without a backlog
 * are read: a stored event may keep the alert open.
 */
import { publicId } from '@ams/contracts';
import { alertRecordOf, alertColumns, type AlertRow } from '@ams/alerting';
import { type Database } from '@ams/database';
import { decideCommand } from '@ams/domain';
import { AlertChanges } from './alert-changes.js';

const atOnce = 500;

// The conditions use `now()`: for a comparison with clock_timestamp(), which may differ from row to row, the planner
// uses no index.

/** Resolves the overdue alerts of these partitions. Returns their number. */
export async function resolveOverdue(database: Database, partitions: number[]): Promise<number> {
  if (partitions.length === 0) return 0;
  const [due] = await database.query<{ due: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM alerts.alerts WHERE auto_resolve_at <= now()) AS due`,
  );
  if (!due?.due) return 0;
  return database.asService(async (tx) => {
    const rows = await tx.query<AlertRow & { now: Date }>(
      `SELECT ${alertColumns}, clock_timestamp() AS now FROM alerts.alerts
       WHERE id IN (
           SELECT id FROM alerts.alerts WHERE auto_resolve_at <= now() AND partition = ANY($1::smallint[])
           ORDER BY auto_resolve_at LIMIT ${atOnce})
         AND auto_resolve_at <= now() AND status <> 'resolved'
       ORDER BY id FOR UPDATE SKIP LOCKED`,
      [partitions],
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
