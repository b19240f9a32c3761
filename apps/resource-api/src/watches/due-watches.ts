/**
 * Rows of `resources.schedule_handoffs` and `resources.window_endings` that are due. Each is locked by one replica until
 * its transaction ends, and the event is written to the outbox in the same transaction. So each change is told once,
 * with any number of replicas and when one dies or stands still.
 */
import type { Database, Tx } from '@ams/database';

export const watchesAtOnce = 50;

export interface DueWatch<Told> {
  /** The UUID of the schedule or window. */
  id: string;
  told: Told | null;
  sequence: number;
}

/** A row after its decision. */
export interface WatchUpdate<Told> {
  id: string;
  told: Told | null;
  sequence: number;
  /** RFC 3339; null: not before the record changes. */
  lookAt: string | null;
}

export type WatchTable = 'resources.schedule_handoffs' | 'resources.window_endings';

const idColumn = { 'resources.schedule_handoffs': 'schedule_id', 'resources.window_endings': 'window_id' } as const;

/** Whether a row is due. One statement without a transaction: mostly none is. */
export const isAnyDue = async (database: Database, table: WatchTable): Promise<boolean> =>
  (await database.query(`SELECT FROM ${table} WHERE look_at <= now() LIMIT 1`)).length > 0;

export const dueWatches = <Told>(tx: Tx, table: WatchTable): Promise<DueWatch<Told>[]> =>
  tx.query<DueWatch<Told>>(
    `SELECT ${idColumn[table]} AS id, told, sequence FROM ${table} WHERE look_at <= clock_timestamp()
     ORDER BY look_at LIMIT ${watchesAtOnce} FOR UPDATE SKIP LOCKED`,
  );

export const updateWatches = <Told>(
  tx: Tx,
  table: WatchTable,
  updates: readonly WatchUpdate<Told>[],
): Promise<unknown> =>
  tx.query(
    `UPDATE ${table} w SET told = u.told, sequence = u.sequence, look_at = coalesce(u."lookAt", 'infinity')
     FROM json_to_recordset($1::json) AS u(id uuid, told jsonb, sequence int, "lookAt" timestamptz)
     WHERE w.${idColumn[table]} = u.id`,
    [JSON.stringify(updates)],
  );

/** When to decide again about a record about which no decision could be made. */
export const afterFailure = (at: Date): string => new Date(at.getTime() + 600_000).toISOString();
