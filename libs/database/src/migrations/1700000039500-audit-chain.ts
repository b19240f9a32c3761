/**
 * The hash chain of the audit log. Expand only: entries are inserted as before, also by the services of the previous
 * release. A trigger notes the entries of each statement, and `auth` links them to the chain of their organization and
 * environment. Nobody who adds an entry waits for a lock of the chain.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { narrow } from './narrowing.js';
import { protect } from './row-level-security.js';

const role = 'ams_auth';
const tables = ['auth.audit_waiting', 'auth.audit_chains', 'auth.audit_links', 'auth.audit_checkpoints'];

/** Entries younger than this are never dropped. */
const leastDays = 30;

export class AuditChain1700000039500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Entries that are stored and not yet linked: one row for each statement and chain.
      CREATE TABLE auth.audit_waiting (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        entry_ids uuid[] NOT NULL,
        added_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX audit_waiting_chains ON auth.audit_waiting (organization_id, environment, id);

      -- The end of each chain. Its row is the lock of the chain.
      CREATE TABLE auth.audit_chains (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        sequence bigint NOT NULL,
        hash bytea NOT NULL CHECK (octet_length(hash) = 32),
        -- Of the newest checkpoint.
        signed_sequence bigint NOT NULL DEFAULT 0 CHECK (signed_sequence <= sequence),
        signed_at timestamptz(3),
        kept_since timestamptz(3),
        PRIMARY KEY (organization_id, environment)
      );

      CREATE TABLE auth.audit_links (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        sequence bigint NOT NULL CHECK (sequence > 0),
        entry_id uuid NOT NULL UNIQUE,
        entry_hash bytea NOT NULL CHECK (octet_length(entry_hash) = 32),
        hash bytea NOT NULL CHECK (octet_length(hash) = 32),
        PRIMARY KEY (organization_id, environment, sequence)
      );

      -- One checkpoint for each chain and day (UTC): a later one of the day replaces it, and covers what it covered.
      CREATE TABLE auth.audit_checkpoints (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        day date NOT NULL,
        sequence bigint NOT NULL,
        hash bytea NOT NULL,
        kept_since timestamptz(3),
        signed_at timestamptz(3) NOT NULL,
        key_id text NOT NULL,
        signature text NOT NULL,
        PRIMARY KEY (organization_id, environment, day)
      );

      CREATE FUNCTION auth.note_audit_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, auth AS $$
      BEGIN
        INSERT INTO auth.audit_waiting (organization_id, environment, entry_ids)
        SELECT organization_id, environment, array_agg(id ORDER BY id) FROM stored
        GROUP BY organization_id, environment ORDER BY organization_id, environment;
        RETURN NULL;
      END $$;
      CREATE TRIGGER note_audit_entries AFTER INSERT ON auth.audit_log REFERENCING NEW TABLE AS stored
        FOR EACH STATEMENT EXECUTE FUNCTION auth.note_audit_entries();

      -- Drops the monthly partitions that end before the time, and older entries that have no partition of their own.
      -- It does not wait for long readers: the caller tries again later.
      CREATE FUNCTION auth.drop_audit_entries(before timestamptz) RETURNS int LANGUAGE plpgsql VOLATILE SECURITY DEFINER
        SET search_path = pg_catalog, auth SET lock_timeout = '2s' AS $$
      DECLARE
        child regclass;
        dropped int := 0;
      BEGIN
        IF before > now() - interval '${leastDays} days' THEN
          RAISE EXCEPTION 'entries of the last ${leastDays} days are kept';
        END IF;
        FOR child IN SELECT inhrelid::regclass FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
          WHERE inhparent = 'auth.audit_log'::regclass AND relname ~ '^audit_log_[0-9]{6}$'
            AND (to_date(right(relname, 6), 'YYYYMM') + interval '1 month') AT TIME ZONE 'UTC' <= before LOOP
          EXECUTE format('DROP TABLE %s', child);
          dropped := dropped + 1;
        END LOOP;
        DELETE FROM auth.audit_log_other WHERE id < public.uuid_at(date_trunc('month', before, 'UTC'));
        RETURN dropped;
      END $$;

      REVOKE EXECUTE ON FUNCTION auth.note_audit_entries, auth.drop_audit_entries FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION auth.drop_audit_entries TO ${role};
      GRANT SELECT, DELETE ON auth.audit_waiting TO ${role};
      GRANT SELECT, INSERT, UPDATE ON auth.audit_chains TO ${role};
      GRANT SELECT, INSERT, DELETE ON auth.audit_links TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON auth.audit_checkpoints TO ${role};
      GRANT SELECT ON auth.audit_links, auth.audit_checkpoints TO ${role}_principal;
    `);
    for (const table of tables) await protect(runner, table, [role]);
    for (const table of tables) await narrow(runner, table, {});
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER note_audit_entries ON auth.audit_log;
      DROP FUNCTION auth.note_audit_entries, auth.drop_audit_entries;
      DROP TABLE ${tables.join(', ')};
    `);
  }
}
