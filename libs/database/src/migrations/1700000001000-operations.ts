/**
 * Clients, schedules, suppression windows, workflows, incidents. Lists of references to other records have a table with
 * foreign keys, so that no record in use can be deleted by any service.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './row-level-security.js';

const tenantTables = [
  'resources.clients',
  'resources.client_names',
  'resources.schedules',
  'resources.schedule_overrides',
  'resources.schedule_members',
  'resources.suppression_windows',
  'resources.workflows',
  'resources.workflow_references',
  'alerts.incidents',
  'alerts.incident_numbers',
  'alerts.incident_timeline',
  'alerts.window_counts',
  'alerts.window_watch',
] as const;

export class Operations1700000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ------------------------------------------------------------------ resources
      -- A deleted client stays until the pipeline has removed it from resolved alerts.
      CREATE TABLE resources.clients (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        name text NOT NULL,
        slug text NOT NULL,
        external_id text,
        description text,
        aliases text[] NOT NULL,
        contacts jsonb NOT NULL,
        timezone text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        deleted_at timestamptz(3),
        version int NOT NULL DEFAULT 1
      );
      CREATE INDEX clients_by_name ON resources.clients (organization_id, environment, name, id)
        WHERE deleted_at IS NULL;
      CREATE INDEX clients_by_creation ON resources.clients (organization_id, environment, created_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX clients_deleted ON resources.clients (deleted_at) WHERE deleted_at IS NOT NULL;
      -- Slug, external id and aliases in lower case: they identify a client in labels, so no two clients share one.
      CREATE TABLE resources.client_names (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        name text NOT NULL,
        client_id uuid NOT NULL REFERENCES resources.clients ON DELETE CASCADE,
        PRIMARY KEY (organization_id, environment, name)
      );
      CREATE INDEX client_names_client ON resources.client_names (client_id);
      ALTER TABLE resources.integrations ADD FOREIGN KEY (client_id) REFERENCES resources.clients;
      CREATE INDEX integrations_client ON resources.integrations (client_id) WHERE client_id IS NOT NULL;

      -- The API that received a payload, and the mapping input that is not in the body.
      ALTER TABLE resources.deliveries
        ADD COLUMN api text NOT NULL DEFAULT 'webhook' CHECK (api IN ('webhook', 'pagerduty', 'opsgenie')),
        ADD COLUMN operation text CHECK (operation IN ('create', 'close', 'acknowledge', 'update')),
        ADD COLUMN alert_key text,
        ADD CHECK (operation IS NULL OR api = 'opsgenie'),
        ADD CHECK (operation IS NOT NULL OR api <> 'opsgenie' OR payload IS NULL),
        ADD CHECK (alert_key IS NOT NULL OR operation IS NULL OR operation = 'create');

      CREATE TABLE resources.schedules (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        name text NOT NULL,
        description text,
        timezone text NOT NULL,
        layers jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        version int NOT NULL DEFAULT 1
      );
      CREATE INDEX schedules_by_name ON resources.schedules (organization_id, environment, name, id);
      CREATE INDEX schedules_by_creation ON resources.schedules (organization_id, environment, created_at DESC, id
        DESC);
      CREATE TABLE resources.schedule_overrides (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        schedule_id uuid NOT NULL REFERENCES resources.schedules ON DELETE CASCADE,
        member_id uuid NOT NULL REFERENCES auth.members,
        starts_at timestamptz(3) NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        reason text,
        created_by jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CHECK (ends_at > starts_at)
      );
      CREATE INDEX schedule_overrides_schedule ON resources.schedule_overrides (schedule_id, ends_at);
      CREATE INDEX schedule_overrides_member ON resources.schedule_overrides (member_id);
      -- The members in the layers of a schedule.
      CREATE TABLE resources.schedule_members (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        schedule_id uuid NOT NULL REFERENCES resources.schedules ON DELETE CASCADE,
        member_id uuid NOT NULL REFERENCES auth.members,
        PRIMARY KEY (schedule_id, member_id)
      );
      CREATE INDEX schedule_members_member ON resources.schedule_members (member_id);

      CREATE TABLE resources.suppression_windows (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        name text NOT NULL,
        reason text,
        enabled boolean NOT NULL,
        matchers jsonb NOT NULL,
        client_ids uuid[] NOT NULL,
        integration_ids uuid[] NOT NULL,
        except_severities text[] NOT NULL,
        match_all boolean NOT NULL,
        starts_at timestamptz(3) NOT NULL,
        ends_at timestamptz(3),
        timezone text NOT NULL,
        rrule text,
        duration_seconds int,
        on_end text NOT NULL CHECK (on_end IN ('resume', 'resolve')),
        created_by jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        version int NOT NULL DEFAULT 1,
        CHECK ((rrule IS NULL) = (duration_seconds IS NULL)),
        CHECK (rrule IS NOT NULL OR ends_at > starts_at)
      );
      CREATE INDEX suppression_windows_list ON resources.suppression_windows (organization_id, environment, created_at
        DESC, id DESC);

      CREATE TABLE resources.workflows (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        name text NOT NULL,
        description text,
        enabled boolean NOT NULL,
        events text[] NOT NULL CHECK (cardinality(events) > 0),
        conditions jsonb,
        steps jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        version int NOT NULL DEFAULT 1
      );
      CREATE INDEX workflows_by_name ON resources.workflows (organization_id, environment, name, id);
      CREATE INDEX workflows_by_creation ON resources.workflows (organization_id, environment, created_at DESC, id
        DESC);
      -- The schedules and members that the steps of a workflow refer to.
      CREATE TABLE resources.workflow_references (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        workflow_id uuid NOT NULL REFERENCES resources.workflows ON DELETE CASCADE,
        schedule_id uuid REFERENCES resources.schedules,
        member_id uuid REFERENCES auth.members,
        UNIQUE NULLS NOT DISTINCT (workflow_id, schedule_id, member_id),
        CHECK (num_nonnulls(schedule_id, member_id) = 1)
      );
      CREATE INDEX workflow_references_schedule ON resources.workflow_references (schedule_id)
        WHERE schedule_id IS NOT NULL;
      CREATE INDEX workflow_references_member ON resources.workflow_references (member_id) WHERE member_id IS NOT NULL;
      -- The organizations that already received their initial schedule and workflow.
      CREATE TABLE resources.defaults_made (organization_id uuid PRIMARY KEY REFERENCES auth.organizations);

      ------------------------------------------------------------------ alerts
      CREATE INDEX alerts_open_by_client ON alerts.alerts (client_id) WHERE client_id IS NOT NULL
        AND status <> 'resolved';
      CREATE TABLE alerts.incidents (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        number int NOT NULL,
        title text NOT NULL,
        summary text,
        severity smallint NOT NULL CHECK (severity BETWEEN 0 AND 4),
        status text NOT NULL CHECK (status IN ('triggered', 'acknowledged', 'resolved')),
        client_id uuid,
        assignee_ids uuid[] NOT NULL,
        workflow_id uuid REFERENCES resources.workflows ON DELETE SET NULL,
        group_key text,
        auto_resolve boolean NOT NULL,
        alert_count int NOT NULL CHECK (alert_count >= 0),
        open_alert_count int NOT NULL CHECK (open_alert_count BETWEEN 0 AND alert_count),
        last_alert_at timestamptz(3),
        -- The alert that opened or reopened it: only the workflow run for that alert pages people.
        opened_by uuid,
        triggered_at timestamptz(3) NOT NULL,
        acknowledged_at timestamptz(3),
        acknowledged_by jsonb,
        resolved_at timestamptz(3),
        resolved_by jsonb,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        version int NOT NULL,
        UNIQUE (organization_id, number),
        CHECK ((status = 'resolved') = (resolved_at IS NOT NULL))
      ) WITH (fillfactor = 85);
      -- At most one open incident for each group of a workflow.
      CREATE UNIQUE INDEX incidents_open_group ON alerts.incidents (workflow_id, group_key) WHERE status <> 'resolved'
        AND group_key IS NOT NULL;
      CREATE INDEX incidents_list ON alerts.incidents (organization_id, environment, created_at DESC, id DESC);
      CREATE INDEX incidents_by_severity ON alerts.incidents (organization_id, environment, severity DESC, id DESC);
      CREATE INDEX incidents_workflow ON alerts.incidents (workflow_id) WHERE workflow_id IS NOT NULL;
      CREATE INDEX incidents_client ON alerts.incidents (client_id) WHERE client_id IS NOT NULL;
      CREATE INDEX incidents_title ON alerts.incidents USING gin (title gin_trgm_ops);
      ALTER TABLE alerts.alerts ADD FOREIGN KEY (incident_id) REFERENCES alerts.incidents;
      CREATE TABLE alerts.incident_numbers (
        organization_id uuid PRIMARY KEY,
        last int NOT NULL
      ) WITH (fillfactor = 50);
      CREATE TABLE alerts.incident_timeline (
        id uuid NOT NULL PRIMARY KEY,
        incident_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        type text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        actor jsonb NOT NULL,
        cause jsonb NOT NULL,
        changes jsonb NOT NULL,
        note text,
        incident_version int NOT NULL
      ) PARTITION BY RANGE (id);
      CREATE TABLE alerts.incident_timeline_other PARTITION OF alerts.incident_timeline DEFAULT;
      CREATE INDEX incident_timeline_incident ON alerts.incident_timeline (incident_id, incident_version, id);
      SELECT public.ensure_partitions('alerts.incident_timeline', now() - interval '1 day', 4);

      -- How many alerts each window suppressed; one row for each partition, so that partitions do not wait for each
      -- other.
      CREATE TABLE alerts.window_counts (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        window_id uuid NOT NULL,
        partition smallint NOT NULL,
        n bigint NOT NULL,
        PRIMARY KEY (window_id, partition)
      ) WITH (fillfactor = 60);
      -- When the pipeline must process a window: when an occurrence begins or ends, and immediately after a change.
      CREATE TABLE alerts.window_watch (
        window_id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        -- Incremented by each change of the window, to detect that an older version was processed.
        generation int NOT NULL DEFAULT 1,
        look_at timestamptz NOT NULL DEFAULT '-infinity',
        -- The next start or end of an occurrence; '-infinity' after a change of the window, 'infinity' when there is
        -- none.
        boundary timestamptz NOT NULL DEFAULT '-infinity',
        -- The number of repeated checks since the last boundary, because a transaction that began before it may end
        -- after it.
        rechecks smallint NOT NULL DEFAULT 0
      ) WITH (fillfactor = 70);
      CREATE INDEX window_watch_due ON alerts.window_watch (look_at) WHERE look_at < 'infinity';
      CREATE FUNCTION alerts.watch_window() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, alerts AS $$
      DECLARE changed resources.suppression_windows := coalesce(NEW, OLD);
      BEGIN
        INSERT INTO alerts.window_watch (window_id, organization_id, environment)
          VALUES (changed.id, changed.organization_id, changed.environment)
        ON CONFLICT (window_id) DO UPDATE
          SET generation = window_watch.generation + 1, look_at = '-infinity', boundary = '-infinity', rechecks = 0;
        RETURN NULL;
      END $$;
      CREATE TRIGGER watch AFTER INSERT OR UPDATE OR DELETE ON resources.suppression_windows FOR EACH ROW
        EXECUTE FUNCTION alerts.watch_window();

      -- The given members of an organization that may be referred to. It locks them, so that none can be disabled
      -- before this transaction ends. Those in \`present\` are referred to already.
      CREATE FUNCTION auth.hold_members(organization uuid, ids uuid[], present uuid[]) RETURNS SETOF uuid
      LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, auth AS $$
        SELECT id FROM auth.members WHERE organization_id = organization AND id = ANY(ids) AND (status <> 'disabled'
          OR id = ANY(present)) ORDER BY id FOR SHARE
      $$;
      REVOKE EXECUTE ON FUNCTION auth.hold_members FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION auth.hold_members TO ams_resource_api, ams_resource_api_principal;

      ------------------------------------------------------------------ rights
      GRANT SELECT, INSERT, UPDATE, DELETE ON resources.clients, resources.client_names, resources.schedules,
        resources.schedule_overrides, resources.schedule_members,
        resources.suppression_windows, resources.workflows, resources.workflow_references
          TO ams_resource_api, ams_resource_api_principal;
      GRANT SELECT, INSERT ON resources.defaults_made TO ams_resource_api;
      GRANT SELECT, INSERT, UPDATE ON alerts.incidents, alerts.incident_timeline, alerts.incident_numbers
        TO ams_alert_pipeline, ams_alert_pipeline_principal;
      REVOKE UPDATE ON alerts.incident_timeline FROM ams_alert_pipeline, ams_alert_pipeline_principal;
      GRANT SELECT, INSERT, UPDATE, DELETE ON alerts.window_counts TO ams_alert_pipeline, ams_alert_pipeline_principal;
      GRANT SELECT, INSERT, UPDATE, DELETE ON alerts.window_watch TO ams_alert_pipeline;
      REVOKE ALL ON alerts.incident_timeline_other FROM PUBLIC;
      -- The resource API serves reads of incidents, and shows which members are on call.
      GRANT SELECT ON alerts.incidents, alerts.incident_timeline, alerts.window_counts
        TO ams_resource_api, ams_resource_api_principal;
      GRANT SELECT ON auth.members, auth.organizations TO ams_resource_api, ams_resource_api_principal;
      -- The pipeline reads windows, clients and members from their tables, so a change applies to the next event.
      GRANT USAGE ON SCHEMA resources TO ams_alert_pipeline, ams_alert_pipeline_principal;
      GRANT SELECT ON resources.clients, resources.client_names, resources.suppression_windows
        TO ams_alert_pipeline, ams_alert_pipeline_principal;
      GRANT SELECT ON auth.members TO ams_alert_pipeline, ams_alert_pipeline_principal;
    `);
    for (const table of tenantTables) await protect(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE alerts.alerts DROP CONSTRAINT alerts_incident_id_fkey;
      DROP INDEX alerts.alerts_open_by_client;
      ALTER TABLE resources.integrations DROP CONSTRAINT integrations_client_id_fkey;
      ALTER TABLE resources.deliveries DROP COLUMN api, DROP COLUMN operation, DROP COLUMN alert_key;
      DROP TABLE alerts.window_watch, alerts.window_counts, alerts.incident_timeline, alerts.incident_numbers,
        alerts.incidents;
      DROP FUNCTION auth.hold_members;
      DROP TRIGGER watch ON resources.suppression_windows;
      DROP FUNCTION alerts.watch_window;
      DROP TABLE resources.workflow_references, resources.workflows, resources.suppression_windows,
        resources.schedule_members, resources.schedule_overrides, resources.schedules,
        resources.client_names, resources.clients, resources.defaults_made;
      REVOKE ALL ON auth.members, auth.organizations FROM ams_resource_api, ams_resource_api_principal;
      REVOKE ALL ON auth.members FROM ams_alert_pipeline, ams_alert_pipeline_principal;
    `);
  }
}
