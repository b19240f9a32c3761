/**
 * What this code needs of TypeORM and its public interface does not give, in one place. The version is pinned, and
 * typeorm-adapter.spec.ts fails when a newer one changes it.
 */
import type { Pool, PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/** The pool of connections: for a single statement outside of a transaction, and for statements with names. */
export const poolOf = (source: DataSource): Pool => (source.driver as unknown as { master: Pool }).master;

/** The connection of a query runner. */
export const clientOf = async (runner: QueryRunner): Promise<PoolClient> => (await runner.connect()) as PoolClient;

/**
 * Says that the connection is in a transaction, which was begun by SQL. Without it TypeORM refuses row locks, and `save`
 * begins and commits a transaction of its own.
 */
export function markTransaction(runner: QueryRunner): void {
  (runner as { isTransactionActive: boolean }).isTransactionActive = true;
}

/** Gives the connection back to the pool, or closes it when it is broken. */
export async function release(runner: QueryRunner, broken?: Error): Promise<void> {
  if (!broken) return runner.release();
  await (runner as unknown as { releasePostgresConnection(error: Error): Promise<void> }).releasePostgresConnection(
    broken,
  );
}
