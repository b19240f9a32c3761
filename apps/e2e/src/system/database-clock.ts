/**
 * Changes the time for one service. The pipeline uses the clock of the database and calls its functions without a
 * schema. So functions of the same names in a schema that is searched first replace the clock. It continues from the
 * time that is set.
 */
import type { System } from '../system.js';

export interface DatabaseClock {
  /** Sets the present time of the service. */
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
