/**
 * The first schema. Each owning service has one schema and two roles: `<service>` for its own work on all tenants,
 * `<service>_principal` for transactions that serve a principal. Row-level security shows the second role only the rows
 * of the organization and environment that the transaction set (`app.organization_id`, `app.environment`).
 *
 * Large tables are partitioned by time through their UUIDv7 keys: the id of a row determines its month.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './row-level-security.js';

const tenantTables = [
  'auth.organizations',
  'auth.members',
  'auth.api_keys',
  'auth.api_key_creations',
  'auth.audit_log',
  'resources.integrations',
  'resources.integration_activity',
  'resources.deliveries',
  'alerts.alerts',
  'alerts.events',
  'alerts.timeline',
  'alerts.counts',
] as const;

export class Foundation1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE SCHEMA auth;
      CREATE SCHEMA resources;
      CREATE SCHEMA alerts;
      CREATE DOMAIN public.environment AS text CHECK (VALUE IN ('live', 'test'));

      -- The smallest UUIDv7 of an instant, for bounds of partitions and of queries by time.
      CREATE FUNCTION public.uuid_at(instant timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT (lpad(to_hex((extract(epoch FROM instant) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
      $$;

      -- Creates missing monthly partitions of a table from the month of \`since\` on.
      CREATE FUNCTION public.ensure_partitions(parent regclass, since timestamptz, months int) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
      DECLARE
        begins timestamptz := date_trunc('month', since AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
        ends timestamptz;
        child text;
        space text;
        base text;
      BEGIN
        SELECT n.nspname, c.relname INTO space, base FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE c.oid = parent AND c.relkind = 'p';
        IF base IS NULL THEN RAISE EXCEPTION 'not a partitioned table: %', parent; END IF;
        FOR i IN 1..months LOOP
          ends := ((begins AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
          child := base || '_' || to_char(begins AT TIME ZONE 'UTC', 'YYYYMM');
          IF to_regclass(format('%I.%I', space, child)) IS NULL THEN
            BEGIN
              EXECUTE format('CREATE TABLE %I.%I PARTITION OF %s FOR VALUES FROM (%L) TO (%L)', space, child, parent,
                public.uuid_at(begins), public.uuid_at(ends));
            EXCEPTION
              WHEN duplicate_table OR unique_violation THEN NULL; -- another replica was faster
              WHEN check_violation THEN RAISE WARNING 'the default partition of % holds rows of %: they stay there',
                parent, to_char(begins AT TIME ZONE 'UTC', 'YYYY-MM');
            END;
          END IF;
          begins := ends;
        END LOOP;
      END $$;

      ------------------------------------------------------------------ auth
      CREATE TABLE auth.organizations (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        slug text NOT NULL UNIQUE,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        version int NOT NULL DEFAULT 1
      );
      CREATE TABLE auth.members (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL REFERENCES auth.organizations,
        name text NOT NULL,
        email text NOT NULL,
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'responder', 'viewer')),
        status text NOT NULL CHECK (status IN ('active', 'invited', 'disabled')),
        timezone text NOT NULL DEFAULT 'UTC',
        contact_methods jsonb NOT NULL DEFAULT '[]',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        version int NOT NULL DEFAULT 1
      );
      CREATE UNIQUE INDEX members_email ON auth.members (organization_id, lower(email));

      CREATE TABLE auth.api_keys (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL REFERENCES auth.organizations,
        environment public.environment NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
        key_prefix text NOT NULL,
        key_hash text NOT NULL UNIQUE,
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        created_by jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        revoked_at timestamptz(3)
      ) WITH (fillfactor = 80);
      CREATE INDEX api_keys_list ON auth.api_keys (organization_id, environment, created_at DESC, id DESC)
        WHERE revoked_at IS NULL;

      -- Keys created through the API, for the limit of ten a day; a row stays when its key is revoked.
      CREATE TABLE auth.api_key_creations (
        organization_id uuid NOT NULL REFERENCES auth.organizations,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX api_key_creations_recent ON auth.api_key_creations (organization_id, created_at);

      -- The rate-limit window of each organization: when it began, and the number of requests in it.
      CREATE TABLE auth.request_windows (
        organization_id uuid PRIMARY KEY,
        started_at timestamptz NOT NULL,
        used int NOT NULL
      ) WITH (fillfactor = 50);

      CREATE TABLE auth.audit_log (
        id uuid NOT NULL PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        type text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        actor_type text NOT NULL,
        actor_id text,
        actor_name text NOT NULL,
        ip text,
        user_agent text,
        request_id text,
        resource_type text,
        resource_id text,
        changes jsonb
      ) PARTITION BY RANGE (id);
      CREATE TABLE auth.audit_log_other PARTITION OF auth.audit_log DEFAULT;
      CREATE INDEX audit_log_list ON auth.audit_log (organization_id, environment, id DESC);
      CREATE INDEX audit_log_actor ON auth.audit_log (organization_id, environment, actor_id, id DESC);
      CREATE INDEX audit_log_resource ON auth.audit_log (organization_id, environment, resource_id, id DESC);

      -- Most entries are uses of keys: queries for other types must not read them.
      CREATE INDEX audit_log_type ON auth.audit_log (organization_id, environment, type, id DESC)
        WHERE type <> 'api_key.used';

      -- Whether the key is valid; locks it, so that it cannot be revoked before this transaction ends.
      CREATE FUNCTION auth.hold_key(key uuid) RETURNS boolean LANGUAGE sql VOLATILE SECURITY DEFINER
        SET search_path = pg_catalog, auth AS $$
        SELECT count(*) = 1 FROM (
          SELECT 1 FROM auth.api_keys WHERE id = key AND revoked_at IS NULL AND (expires_at IS NULL
            OR expires_at > clock_timestamp()) FOR KEY SHARE
        ) AS held
      $$;
      -- The last check before a commit: a transaction of a key that was revoked meanwhile fails here.
      CREATE FUNCTION auth.require_live_key(key uuid) RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER
        SET search_path = pg_catalog, auth AS $$
      BEGIN
        IF NOT auth.key_is_live(key) THEN RAISE EXCEPTION 'the key is not live' USING ERRCODE = 'AK401'; END IF;
      END $$;
      -- Whether the key is valid now.
      CREATE FUNCTION auth.key_is_live(key uuid) RETURNS boolean LANGUAGE sql VOLATILE SECURITY DEFINER
        SET search_path = pg_catalog, auth AS $$
        SELECT EXISTS (SELECT 1 FROM auth.api_keys WHERE id = key AND revoked_at IS NULL AND (expires_at IS NULL
          OR expires_at > clock_timestamp()))
      $$;

      ------------------------------------------------------------------ resources
      CREATE TABLE resources.integrations (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        name text NOT NULL,
        type text NOT NULL,
        enabled boolean NOT NULL DEFAULT true,
        client_id uuid,
        token_hash text NOT NULL UNIQUE,
        token_hint text NOT NULL,
        previous_token_hash text UNIQUE,
        previous_token_expires_at timestamptz(3),
        settings jsonb NOT NULL,
        dedup_scope text NOT NULL CHECK (dedup_scope IN ('integration', 'organization')),
        auto_resolve_after_seconds int CHECK (auto_resolve_after_seconds > 0),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        deleted_at timestamptz(3),
        version int NOT NULL DEFAULT 1
      );
      CREATE INDEX integrations_list ON resources.integrations (organization_id, environment, created_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX integrations_name ON resources.integrations (organization_id, environment, name, id)
        WHERE deleted_at IS NULL;

      CREATE TABLE resources.integration_activity (
        integration_id uuid PRIMARY KEY REFERENCES resources.integrations,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        last_event_at timestamptz(3),
        limited_count bigint NOT NULL DEFAULT 0,
        limited_at timestamptz(3)
      ) WITH (fillfactor = 70);

      CREATE TABLE resources.deliveries (
        id uuid NOT NULL PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        integration_id uuid NOT NULL,
        received_at timestamptz(3) NOT NULL,
        outcome text NOT NULL,
        status smallint NOT NULL,
        content_type text,
        payload text,
        items jsonb NOT NULL,
        note text,
        request_id text NOT NULL
      );
      CREATE INDEX deliveries_list ON resources.deliveries (integration_id, id DESC);

      -- The position in each stream, written in the transaction that applies its messages.
      CREATE TABLE resources.positions (
        stream text PRIMARY KEY,
        stream_created text NOT NULL,
        position bigint NOT NULL
      );

      ------------------------------------------------------------------ alerts
      CREATE TABLE alerts.alerts (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        integration_id uuid NOT NULL,
        integration_name text NOT NULL,
        dedup_scope text NOT NULL,
        partition smallint NOT NULL,
        fingerprint text NOT NULL,
        fingerprint_source text NOT NULL CHECK (fingerprint_source IN ('explicit', 'generated')),
        title text NOT NULL,
        description text,
        severity smallint NOT NULL CHECK (severity BETWEEN 0 AND 4),
        status text NOT NULL CHECK (status IN ('firing', 'acknowledged', 'suppressed', 'resolved')),
        source text,
        labels jsonb NOT NULL,
        annotations jsonb NOT NULL,
        client_id uuid,
        incident_id uuid,
        assignee_id uuid,
        first_occurred_at timestamptz(3) NOT NULL,
        last_occurred_at timestamptz(3) NOT NULL,
        occurrence_count int NOT NULL CHECK (occurrence_count > 0),
        previous_alert_id uuid,
        acknowledged_at timestamptz(3),
        acknowledged_by jsonb,
        resolved_at timestamptz(3),
        resolved_by jsonb,
        resolve_reason text CHECK (resolve_reason IN ('ingest', 'api', 'workflow', 'incident', 'timeout')),
        suppression jsonb,
        auto_resolve_after_seconds int,
        auto_resolve_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        version int NOT NULL,
        CHECK ((status = 'resolved') = (resolved_at IS NOT NULL)),
        CHECK ((status = 'suppressed') = (suppression IS NOT NULL))
      ) WITH (fillfactor = 85);
      -- At most one open alert for each fingerprint and scope.
      CREATE UNIQUE INDEX alerts_open ON alerts.alerts (organization_id, environment, fingerprint, dedup_scope)
        WHERE status <> 'resolved';
      CREATE INDEX alerts_fingerprint ON alerts.alerts (organization_id, environment, fingerprint, created_at DESC);
      CREATE INDEX alerts_by_occurrence ON alerts.alerts (organization_id, environment, last_occurred_at DESC, id DESC);
      -- The alerts of each status and severity in order: a filter on either merges a few of these ranges, and so does
      -- the order by severity.
      CREATE INDEX alerts_by_state ON alerts.alerts (organization_id, environment, status, severity DESC,
        last_occurred_at DESC, id DESC);
      CREATE INDEX alerts_by_creation ON alerts.alerts (organization_id, environment, created_at DESC, id DESC);
      CREATE INDEX alerts_by_source ON alerts.alerts (organization_id, environment, source, last_occurred_at DESC, id
        DESC) WHERE source IS NOT NULL;
      CREATE INDEX alerts_by_integration ON alerts.alerts (integration_id, last_occurred_at DESC, id DESC);
      CREATE INDEX alerts_by_client ON alerts.alerts (client_id, last_occurred_at DESC, id DESC)
        WHERE client_id IS NOT NULL;
      CREATE INDEX alerts_by_incident ON alerts.alerts (incident_id, last_occurred_at DESC, id DESC)
        WHERE incident_id IS NOT NULL;
      CREATE INDEX alerts_by_assignee ON alerts.alerts (assignee_id, last_occurred_at DESC, id DESC)
        WHERE assignee_id IS NOT NULL;
      CREATE INDEX alerts_labels ON alerts.alerts USING gin (labels jsonb_path_ops);
      CREATE INDEX alerts_title ON alerts.alerts USING gin (title gin_trgm_ops);
      CREATE INDEX alerts_auto_resolve ON alerts.alerts (auto_resolve_at) WHERE auto_resolve_at IS NOT NULL;

      -- Every event after mapping, with its outcome. Immutable.
      CREATE TABLE alerts.events (
        id uuid NOT NULL PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        integration_id uuid NOT NULL,
        alert_id uuid,
        outcome text NOT NULL,
        received_at timestamptz(3) NOT NULL,
        event jsonb NOT NULL
      ) PARTITION BY RANGE (id);
      CREATE TABLE alerts.events_other PARTITION OF alerts.events DEFAULT;
      CREATE INDEX events_alert ON alerts.events (alert_id, id) WHERE alert_id IS NOT NULL;

      CREATE TABLE alerts.timeline (
        id uuid NOT NULL PRIMARY KEY,
        alert_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        type text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        actor jsonb NOT NULL,
        cause jsonb NOT NULL,
        changes jsonb NOT NULL,
        note text,
        -- The order of the entries of one alert: its version after the change.
        alert_version int NOT NULL
      ) PARTITION BY RANGE (id);
      CREATE TABLE alerts.timeline_other PARTITION OF alerts.timeline DEFAULT;
      CREATE INDEX timeline_alert ON alerts.timeline (alert_id, alert_version, id);

      -- The number of alerts, for \`meta.total\`. One row for each partition, so that partitions do not wait for each
      -- other.
      CREATE TABLE alerts.counts (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        partition smallint NOT NULL,
        integration_id uuid NOT NULL,
        status text NOT NULL,
        severity smallint NOT NULL,
        n bigint NOT NULL,
        PRIMARY KEY (organization_id, environment, partition, integration_id, status, severity)
      ) WITH (fillfactor = 60);

      -- The position of each partition of the ingest stream, and the replica that has its lease.
      CREATE TABLE alerts.partitions (
        partition smallint PRIMARY KEY,
        stream_created text NOT NULL DEFAULT '',
        position bigint NOT NULL DEFAULT 0,
        holder uuid,
        held_until timestamptz NOT NULL DEFAULT '-infinity'
      );
      CREATE TABLE alerts.replicas (
        id uuid PRIMARY KEY,
        seen_at timestamptz NOT NULL
      );

      -- Messages that could not be processed and were set aside; they can be read and replayed.
      CREATE TABLE alerts.set_aside (
        id uuid PRIMARY KEY,
        partition smallint NOT NULL,
        stream_sequence bigint NOT NULL,
        organization_id uuid,
        environment text,
        payload text NOT NULL,
        error text NOT NULL,
        tries int NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        replayed_at timestamptz(3)
      );
      CREATE INDEX set_aside_waiting ON alerts.set_aside (created_at) WHERE replayed_at IS NULL;
    `);
    for (const schema of ['auth', 'resources', 'alerts']) {
      await runner.query(`
        -- Messages of committed transactions; the relay publishes and then deletes them.
        CREATE TABLE ${schema}.outbox (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          subject text NOT NULL,
          message_id text NOT NULL,
          payload json NOT NULL
        ) WITH (autovacuum_vacuum_scale_factor = 0.01);
        -- Responses to requests with an Idempotency-Key, encrypted with a key derived from the caller's credential.
        CREATE TABLE ${schema}.idempotency (
          organization_id uuid NOT NULL,
          environment public.environment NOT NULL,
          principal_id uuid NOT NULL,
          key text NOT NULL,
          fingerprint text NOT NULL,
          answer bytea,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          PRIMARY KEY (principal_id, key)
        );
        CREATE INDEX idempotency_age ON ${schema}.idempotency (created_at);
      `);
    }
    for (const table of ['auth.audit_log', 'alerts.events', 'alerts.timeline']) {
      await runner.query(`SELECT public.ensure_partitions('${table}', now() - interval '1 day', 4)`);
    }

    const services = { ams_auth: 'auth', ams_resource_api: 'resources', ams_alert_pipeline: 'alerts' };
    for (const [role, schema] of Object.entries(services)) {
      await runner.query(`
        GRANT USAGE ON SCHEMA ${schema} TO ${role}, ${role}_principal;
        GRANT USAGE ON SCHEMA public TO ${role}, ${role}_principal;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}, ${role}_principal;
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}, ${role}_principal;
        GRANT EXECUTE ON FUNCTION public.ensure_partitions TO ${role};
      `);
    }
    await runner.query(`
      -- The audit log is append-only for every role.
      REVOKE UPDATE, DELETE ON auth.audit_log FROM ams_auth, ams_auth_principal;
      REVOKE UPDATE, DELETE ON alerts.events, alerts.timeline FROM ams_alert_pipeline, ams_alert_pipeline_principal;
      -- Tables that transactions of principals do not need.
      REVOKE ALL ON auth.request_windows FROM ams_auth_principal;
      -- Keys are checked in the transaction that has the effect.
      GRANT USAGE ON SCHEMA auth TO ams_resource_api, ams_resource_api_principal, ams_alert_pipeline,
        ams_alert_pipeline_principal;
      REVOKE EXECUTE ON FUNCTION auth.hold_key, auth.key_is_live, auth.require_live_key, public.ensure_partitions
        FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION auth.hold_key, auth.key_is_live, auth.require_live_key TO
        ams_auth, ams_auth_principal, ams_resource_api, ams_resource_api_principal, ams_alert_pipeline,
          ams_alert_pipeline_principal;
      -- The resource API serves reads of alerts.
      GRANT USAGE ON SCHEMA alerts TO ams_resource_api, ams_resource_api_principal;
      GRANT SELECT ON alerts.alerts, alerts.events, alerts.timeline, alerts.counts
        TO ams_resource_api, ams_resource_api_principal;
    `);
    // Partitions are accessed only through their parent, which has the policies and is append-only.
    const roles = Object.keys(services).flatMap((role) => [role, `${role}_principal`]);
    await runner.query(`
      DO $do$ DECLARE child regclass; BEGIN
        FOR child IN SELECT inhrelid::regclass FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
          WHERE relispartition AND relkind = 'r' LOOP
          EXECUTE format('REVOKE ALL ON %s FROM ${roles.join(', ')}', child);
        END LOOP;
      END $do$;
    `);
    for (const schema of ['auth', 'resources', 'alerts']) await protect(runner, `${schema}.idempotency`);
    for (const table of tenantTables) await protect(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP SCHEMA alerts CASCADE; DROP SCHEMA resources CASCADE; DROP SCHEMA auth CASCADE;
      DROP FUNCTION public.ensure_partitions; DROP FUNCTION public.uuid_at; DROP DOMAIN public.environment;
    `);
  }
}
