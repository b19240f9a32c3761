/**
 * The two things that this code needs of TypeORM and that its public interface does not give, in one place. The version is
 * pinned, and typeorm-adapter.spec.ts fails when a newer one changes them.
 */
import type { Pool, PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/** The pool of connections: for a single statement outside of a transaction, and for statements with names. */
export const poolOf = (source: DataSource): Pool => (source.driver as unknown as { master: Pool }).master;

/** The connection of a query runner. */
export const clientOf = async (runner: QueryRunner): Promise<PoolClient> => (await runner.connect()) as PoolClient;

/** Gives the connection back to the pool, or closes it when it is broken. */
export async function release(runner: QueryRunner, broken?: Error): Promise<void> {
  if (!broken) return runner.release();
  await (runner as unknown as { releasePostgresConnection(error: Error): Promise<void> }).releasePostgresConnection(
    broken,
  );
}
