/**
 * Internals of TypeORM that this code uses, in one place. The version is pinned, and typeorm-adapter.spec.ts fails when
 * a newer version changes them.
 */
import type { Pool, PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/** The connection pool: for a single statement outside a transaction, and for named statements. */
export const poolOf = (source: DataSource): Pool => (source.driver as unknown as { master: Pool }).master;

/** The connection of a query runner. */
export const clientOf = async (runner: QueryRunner): Promise<PoolClient> => (await runner.connect()) as PoolClient;

/**
 * Marks the connection as being in a transaction that was begun by SQL. Without it, TypeORM rejects row locks, and
 * `save` begins and commits its own transaction.
 */
export function markTransaction(runner: QueryRunner): void {
  (runner as { isTransactionActive: boolean }).isTransactionActive = true;
}

/** Returns the connection to the pool, or closes it when it is broken. */
export async function release(runner: QueryRunner, broken?: Error): Promise<void> {
  if (!broken) return runner.release();
  await (runner as unknown as { releasePostgresConnection(error: Error): Promise<void> }).releasePostgresConnection(
    broken,
  );
}
