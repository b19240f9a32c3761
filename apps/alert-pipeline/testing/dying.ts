/** A process that dies between two statements of a transaction. */
import type { Database, Tx } from '@ams/database';

/**
 * Runs `work` as a transaction whose connection is lost before its `n`-th statement, or before COMMIT when it has fewer.
 * Null: it is not lost. Returns the number of statements.
 */
export async function runDying(
  database: Database,
  work: (tx: Tx) => Promise<unknown>,
  n: number | null,
): Promise<number> {
  let statements = 0;
  await database.asService(async (tx) => {
    const die = (): Promise<unknown> => tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
    await work({
      ...tx,
      query: async (...statement) => {
        if (++statements === n) await die();
        return tx.query(...statement);
      },
    });
    if (n !== null) await die();
  });
  return statements;
}
