/**
 * The looks for missing pages: one for each kind of what can be missing, every 20 seconds by the clock of the database,
 * whatever the number of replicas. A look is one transaction, which locks its row of `workflows.page_looks`. A replica
 * that dies in it has not looked, and the database ends the transaction of one that stands still; then another one looks.
 */
import type { Database, Tx } from '@ams/database';
import type { Seen } from '@ams/domain';

export type Missing = 'event' | 'run' | 'job' | 'notification';

/** With the pause between two turns of a replica it is 20 seconds: a page is found within 80 seconds. */
const everySeconds = 18;

const isDue = `looked_at <= clock_timestamp() - interval '${everySeconds} s'`;

export interface Look {
  /** What the last look has found. */
  seen: Seen;
  /** When the first release that looks was installed. */
  since: Date;
  /** What the last look has returned as `checkedTo`. */
  checkedTo: string | null;
  now: string;
}

/** What a look has found: what is missing, and what the next look must know. */
export interface Found<T> {
  missing: T[];
  seen?: Seen;
  /** A UUID, from which the next look goes on. */
  checkedTo?: string | null;
}

export async function dueLooks(database: Database): Promise<Missing[]> {
  const rows = await database.query<{ part: Missing }>(
    `SELECT part FROM workflows.page_looks WHERE ${isDue} ORDER BY part`,
  );
  return rows.map(({ part }) => part);
}

/** Nothing is missing when another replica looks now, or has looked. */
export const look = <T>(
  database: Database,
  part: Missing,
  find: (tx: Tx, look: Look) => Promise<Found<T>>,
): Promise<T[]> =>
  database.asService(async (tx) => {
    const [row] = await tx.query<Omit<Look, 'now'> & { now: Date }>(
      `SELECT seen, since, checked_to AS "checkedTo", clock_timestamp() AS now FROM workflows.page_looks
       WHERE part = $1 AND ${isDue} FOR UPDATE SKIP LOCKED`,
      [part],
    );
    if (!row) return [];
    const { missing, seen = {}, checkedTo = null } = await find(tx, { ...row, now: row.now.toISOString() });
    await tx.query('UPDATE workflows.page_looks SET looked_at = $2, seen = $3, checked_to = $4 WHERE part = $1', [
      part,
      row.now,
      JSON.stringify(seen),
      checkedTo,
    ]);
    return missing;
  });
