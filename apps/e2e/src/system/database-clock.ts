/**
 * Another time for one service. The pipeline goes by the clock of the database, and asks for it without a schema:
 * functions of the same names that are found first are the clock. It runs on from where it is set, as clocks do.
 */
import type { System } from '../system.js';

export interface DatabaseClock {
  /** From now on it is this time for the service. */
  set(instant: string): Promise<void>;
}

export async function databaseClock(system: System, service: 'alert-pipeline'): Promise<DatabaseClock> {
  await system.sql(`
    CREATE SCHEMA test_clock;
    CREATE TABLE test_clock.shift (by interval NOT NULL);
    INSERT INTO test_clock.shift VALUES ('0');
    CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE SECURITY DEFINER AS
      'SELECT pg_catalog.clock_timestamp() + by FROM test_clock.shift';
    CREATE FUNCTION test_clock.now() RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER AS
      'SELECT pg_catalog.now() + by FROM test_clock.shift';
    GRANT USAGE ON SCHEMA test_clock TO PUBLIC;
    ALTER ROLE ams_${service.replaceAll('-', '_')} SET search_path = test_clock, pg_catalog, public;
  `);
  for (const replica of system.replicas(service)) await replica.restart();
  return {
    async set(instant) {
      await system.sql('UPDATE test_clock.shift SET by = $1::timestamptz - pg_catalog.clock_timestamp()', [instant]);
    },
  };
}
