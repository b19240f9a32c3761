/**
 * Workflow runs with their decisions and notifications. Delays are jobs of graphile-worker, which migrates its own
 * tables in a separate schema (`workflow_jobs`), as the role of the engine.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { admit, protect } from './row-level-security.js';

const role = 'ams_workflow_engine';
const tenantTables = [
  'workflows.runs',
  'workflows.considered',
  'workflows.deliveries',
  'workflows.idempotency',
] as const;
/** Tables of other services that the engine reads: recipients, and the alerts and incidents. */
const read = [
  'resources.workflows',
  'resources.schedules',
  'resources.schedule_overrides',
  'resources.clients',
  'resources.client_names',
  'resources.integrations',
  'resources.suppression_windows',
  'resources.deliveries',
  'alerts.alerts',
  'alerts.events',
  'alerts.timeline',
  'alerts.incidents',
  'alerts.incident_timeline',
  'auth.members',
  'auth.organizations',
] as const;

/**
 * They serve members who act through links: their transactions check the member, as those of API keys check the key.
 */
const actingRoles = ['ams_auth', 'ams_resource_api', 'ams_alert_pipeline', role].map(
  (service) => `${service}_principal`,
);

export class WorkflowEngine1700000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SCHEMA workflows;
      CREATE TABLE workflows.runs (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        workflow_id uuid NOT NULL,
        workflow_name text NOT NULL,
        workflow_version int NOT NULL,
        -- The event's id: a workflow runs only once for an event, also when the event is delivered again.
        event_id uuid NOT NULL,
        event_type text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        depth smallint NOT NULL,
        alert_id uuid,
        incident_id uuid,
        status text NOT NULL CHECK (status IN ('running', 'waiting', 'completed', 'failed')),
        trace jsonb NOT NULL,
        steps jsonb NOT NULL,
        next_step smallint NOT NULL DEFAULT 0,
        results jsonb NOT NULL DEFAULT '[]',
        joined boolean NOT NULL DEFAULT false,
        previous_done_at timestamptz(3) NOT NULL,
        due_at timestamptz(3),
        error text,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        UNIQUE (workflow_id, event_id),
        CHECK ((status IN ('completed', 'failed')) = (finished_at IS NOT NULL))
      ) WITH (fillfactor = 70);
      CREATE INDEX runs_of_workflow ON workflows.runs (workflow_id, id DESC);
      CREATE INDEX runs_of_alert ON workflows.runs (alert_id, id) WHERE alert_id IS NOT NULL;
      CREATE INDEX runs_of_incident ON workflows.runs (incident_id, id) WHERE incident_id IS NOT NULL;
      CREATE INDEX runs_by_age ON workflows.runs (finished_at) WHERE finished_at IS NOT NULL;

      -- The decision about each workflow for each event.
      CREATE TABLE workflows.considered (
        event_id uuid NOT NULL PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        event_type text NOT NULL,
        alert_id uuid,
        incident_id uuid,
        occurred_at timestamptz(3) NOT NULL,
        workflows jsonb NOT NULL
      ) PARTITION BY RANGE (event_id);
      CREATE TABLE workflows.considered_other PARTITION OF workflows.considered DEFAULT;
      CREATE INDEX considered_alert ON workflows.considered (alert_id, event_id) WHERE alert_id IS NOT NULL;
      CREATE INDEX considered_incident ON workflows.considered (incident_id, event_id) WHERE incident_id IS NOT NULL;

      -- One row for each recipient of a step. The id is derived from run, step and target, so that nobody is notified
      -- twice.
      CREATE TABLE workflows.deliveries (
        id uuid NOT NULL PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        run_id uuid,
        step_id text,
        workflow_id uuid,
        workflow_name text,
        alert_id uuid,
        incident_id uuid,
        member_id uuid,
        channel text NOT NULL CHECK (channel IN ('email', 'slack', 'teams', 'mattermost', 'discord', 'webhook')),
        -- The displayed target; the real address is in \`destination\`, which is never displayed.
        target text NOT NULL,
        destination jsonb NOT NULL,
        notice jsonb NOT NULL,
        stop_when text[] NOT NULL,
        why text NOT NULL,
        status text NOT NULL CHECK (status IN ('queued', 'sent', 'failed', 'captured', 'skipped')),
        reason text,
        attempts smallint NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      ) PARTITION BY RANGE (id);
      CREATE TABLE workflows.deliveries_other PARTITION OF workflows.deliveries DEFAULT;
      CREATE INDEX deliveries_list ON workflows.deliveries (organization_id, environment, id DESC);
      CREATE INDEX deliveries_alert ON workflows.deliveries (alert_id, id DESC) WHERE alert_id IS NOT NULL;
      CREATE INDEX deliveries_incident ON workflows.deliveries (incident_id, id DESC) WHERE incident_id IS NOT NULL;

      -- The running engines, by their graphile-worker ids.
      CREATE TABLE workflows.replicas (
        id text PRIMARY KEY,
        seen_at timestamptz NOT NULL
      );
      CREATE TABLE workflows.outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        subject text NOT NULL,
        message_id text NOT NULL,
        payload json NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0.01);
      CREATE TABLE workflows.idempotency (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        principal_id uuid NOT NULL,
        key text NOT NULL,
        fingerprint text NOT NULL,
        answer bytea,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (principal_id, key)
      );
      CREATE INDEX idempotency_age ON workflows.idempotency (created_at);
      SELECT public.ensure_partitions('workflows.considered', now() - interval '1 day', 4);
      SELECT public.ensure_partitions('workflows.deliveries', now() - interval '1 day', 4);

      -- Whether the member may act. Locks the member until this transaction ends. Disabling the member waits for the
      -- lock, so a second check before the commit is not needed.
      CREATE FUNCTION auth.hold_member(member uuid, organization uuid) RETURNS boolean LANGUAGE sql VOLATILE
        SECURITY DEFINER SET search_path = pg_catalog, auth AS $$
        SELECT count(*) = 1 FROM (SELECT 1 FROM auth.members WHERE id = member AND organization_id = organization
          AND status = 'active' FOR SHARE) AS held
      $$;
      REVOKE EXECUTE ON FUNCTION auth.hold_member FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION auth.hold_member TO ${actingRoles.join(', ')};

      GRANT USAGE ON SCHEMA workflows, resources, alerts, auth, public TO ${role}, ${role}_principal;
      GRANT SELECT, INSERT, UPDATE, DELETE ON workflows.runs, workflows.considered, workflows.deliveries,
        workflows.outbox, workflows.idempotency TO ${role}, ${role}_principal;
      GRANT SELECT, INSERT, UPDATE, DELETE ON workflows.replicas TO ${role};
      -- The record of a workflow shows when it ran last.
      GRANT USAGE ON SCHEMA workflows TO ams_resource_api, ams_resource_api_principal;
      GRANT SELECT ON workflows.runs TO ams_resource_api, ams_resource_api_principal;
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA workflows TO ${role}, ${role}_principal;
      GRANT EXECUTE ON FUNCTION public.ensure_partitions TO ${role};
      GRANT EXECUTE ON FUNCTION auth.hold_key, auth.key_is_live, auth.require_live_key TO ${role}, ${role}_principal;
      GRANT SELECT ON ${read.join(', ')} TO ${role}, ${role}_principal;
      DO $do$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${role}', current_database()); END $do$;
    `);
    for (const table of tenantTables) await protect(runner, table, [role]);
    for (const table of read) await admit(runner, table, role);
    await admit(runner, 'workflows.runs', 'ams_resource_api');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of read)
      await runner.query(
        `DROP POLICY workflow_engine ON ${table}; DROP POLICY workflow_engine_principal ON ${table}; REVOKE ALL ON
            ${table} FROM ${role}, ${role}_principal`,
      );
    await runner.query(
      'DROP FUNCTION auth.hold_member; DROP SCHEMA IF EXISTS workflow_jobs CASCADE; DROP SCHEMA workflows CASCADE',
    );
  }
}
