/**
 * Teams, escalation policies and the settings of organizations. Other records may belong to a team, and the steps of
 * workflows may name a policy. Releases before this one do not write the new columns, so all have defaults.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect, tenantOf } from './row-level-security.js';

const auth = 'ams_auth';
const resourceApi = 'ams_resource_api';
const pipeline = 'ams_alert_pipeline';
const engine = 'ams_workflow_engine';

const both = (roles: readonly string[]): string => roles.flatMap((role) => [role, `${role}_principal`]).join(', ');

const tenantTables = [
  'resources.teams',
  'resources.team_members',
  'resources.escalation_policies',
  'resources.policy_references',
  'resources.organization_settings',
] as const;

/** Tables whose records may belong to a team. The row of a deleted integration stays, and must not keep a team. */
const ofTeams = ['integrations', 'workflows', 'schedules', 'suppression_windows', 'escalation_policies'] as const;

const view = (table: string, columns: string): string => `
  CREATE OR REPLACE VIEW ${table.replace('.', '_views.')} AS SELECT ${columns} FROM ${table}
  WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf(table)})`;

/** New views, by their tables. The services that page read them; resource-api shows with the same functions. */
const views: Record<string, string> = {
  'resources.teams': 'id, organization_id, environment, name, slug, policy_id',
  'resources.team_members': 'organization_id, environment, team_id, member_id, role, position',
  'resources.escalation_policies':
    'id, organization_id, environment, name, team_id, levels, repeat, ack_timeout_seconds, version',
  'resources.organization_settings':
    'organization_id, environment, catch_all_policy_id, high_urgency_severities, flap, default_window_seconds',
};

const integrationColumns = `id, organization_id, environment, name, type, client_id, settings, dedup_scope,
  auto_resolve_after_seconds, deleted_at, enabled, updated_at`;
const workflowColumns =
  'id, organization_id, environment, name, enabled, events, conditions, steps, created_at, version';

const referencesBefore = ['schedule_id', 'member_id'];

const workflowReferences = (columns: string[]): string => `
  ALTER TABLE resources.workflow_references
    DROP CONSTRAINT workflow_references_check,
    DROP CONSTRAINT workflow_references_workflow_id_schedule_id_member_id_key;
  ALTER TABLE resources.workflow_references
    ADD CONSTRAINT workflow_references_check CHECK (num_nonnulls(${columns.join(', ')}) = 1),
    ADD CONSTRAINT workflow_references_workflow_id_schedule_id_member_id_key
      UNIQUE NULLS NOT DISTINCT (workflow_id, ${columns.join(', ')})`;

export class TeamsAndPolicies1700000011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE resources.escalation_policies (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        name text NOT NULL,
        description text,
        levels jsonb NOT NULL,
        repeat int NOT NULL CHECK (repeat BETWEEN 0 AND 9),
        ack_timeout_seconds int CHECK (ack_timeout_seconds > 0),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        version int NOT NULL DEFAULT 1
      );
      CREATE INDEX escalation_policies_by_name ON resources.escalation_policies (organization_id, environment, name,
        id);
      CREATE INDEX escalation_policies_by_creation ON resources.escalation_policies (organization_id, environment,
        created_at DESC, id DESC);

      CREATE TABLE resources.teams (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        name text NOT NULL,
        slug text NOT NULL,
        description text,
        policy_id uuid REFERENCES resources.escalation_policies,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        version int NOT NULL DEFAULT 1,
        -- Labels of alerts name a team by its slug.
        CONSTRAINT teams_slug UNIQUE (organization_id, environment, slug)
      );
      CREATE INDEX teams_by_name ON resources.teams (organization_id, environment, name, id);
      CREATE INDEX teams_by_creation ON resources.teams (organization_id, environment, created_at DESC, id DESC);
      CREATE INDEX teams_policy ON resources.teams (policy_id) WHERE policy_id IS NOT NULL;
      CREATE TABLE resources.team_members (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        team_id uuid NOT NULL REFERENCES resources.teams ON DELETE CASCADE,
        member_id uuid NOT NULL REFERENCES auth.members,
        role text NOT NULL CHECK (role IN ('manager', 'responder')),
        -- The order in which they were sent.
        position int NOT NULL,
        PRIMARY KEY (team_id, member_id)
      );
      CREATE INDEX team_members_member ON resources.team_members (member_id);

      -- The schedules, members and teams that the levels of a policy refer to.
      CREATE TABLE resources.policy_references (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        policy_id uuid NOT NULL REFERENCES resources.escalation_policies ON DELETE CASCADE,
        schedule_id uuid REFERENCES resources.schedules,
        member_id uuid REFERENCES auth.members,
        team_id uuid REFERENCES resources.teams,
        UNIQUE NULLS NOT DISTINCT (policy_id, schedule_id, member_id, team_id),
        CHECK (num_nonnulls(schedule_id, member_id, team_id) = 1)
      );
      CREATE INDEX policy_references_schedule ON resources.policy_references (schedule_id)
        WHERE schedule_id IS NOT NULL;
      CREATE INDEX policy_references_member ON resources.policy_references (member_id) WHERE member_id IS NOT NULL;
      CREATE INDEX policy_references_team ON resources.policy_references (team_id) WHERE team_id IS NOT NULL;

      -- A tenant without a row has the defaults.
      CREATE TABLE resources.organization_settings (
        organization_id uuid NOT NULL REFERENCES auth.organizations,
        environment public.environment NOT NULL,
        catch_all_policy_id uuid REFERENCES resources.escalation_policies,
        high_urgency_severities text[] NOT NULL,
        flap jsonb NOT NULL,
        default_window_seconds int NOT NULL CHECK (default_window_seconds >= 0),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        version int NOT NULL DEFAULT 1,
        PRIMARY KEY (organization_id, environment)
      );
      CREATE INDEX organization_settings_catch_all ON resources.organization_settings (catch_all_policy_id)
        WHERE catch_all_policy_id IS NOT NULL;

      -- The steps of workflows may name policies.
      ALTER TABLE resources.workflow_references ADD COLUMN policy_id uuid REFERENCES resources.escalation_policies;
      ${workflowReferences([...referencesBefore, 'policy_id'])};
      CREATE INDEX workflow_references_policy ON resources.workflow_references (policy_id)
        WHERE policy_id IS NOT NULL;

      -- Whether the organization also has its initial policy. Organizations of earlier releases get it later.
      ALTER TABLE resources.defaults_made ADD COLUMN policies boolean NOT NULL DEFAULT false;

      GRANT SELECT, INSERT, UPDATE, DELETE ON ${tenantTables.join(', ')} TO ${both([resourceApi])};
      GRANT UPDATE ON resources.defaults_made TO ${resourceApi};
    `);
    for (const table of ofTeams) {
      const onDelete = table === 'integrations' ? 'ON DELETE SET NULL' : '';
      await runner.query(`
        ALTER TABLE resources.${table} ADD COLUMN team_id uuid REFERENCES resources.teams ${onDelete};
        CREATE INDEX ${table}_team ON resources.${table} (team_id) WHERE team_id IS NOT NULL`);
    }
    for (const table of tenantTables) await protect(runner, table, [resourceApi]);
    for (const [table, columns] of Object.entries(views)) {
      await runner.query(view(table, columns));
      await runner.query(
        `GRANT SELECT ON ${table.replace('.', '_views.')} TO ${both([resourceApi, pipeline, engine])}`,
      );
    }
    await runner.query(view('resources.integrations', `${integrationColumns}, team_id`));
    await runner.query(view('resources.workflows', `${workflowColumns}, team_id`));
    // Who would be paged is found by the functions that page: in the pipeline, and where resource-api shows it.
    await runner.query(`
      GRANT USAGE ON SCHEMA resources_views TO ${both([resourceApi, pipeline])};
      GRANT SELECT ON resources_views.schedules, resources_views.schedule_overrides
        TO ${both([resourceApi, pipeline])};
      -- auth reads them before it disables a member, or creates the first key of an organization.
      CREATE VIEW resources_views.policy_references AS
        SELECT organization_id, environment, policy_id, member_id FROM resources.policy_references
        WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf('resources.policy_references')});
      CREATE VIEW resources_views.defaults_made AS SELECT organization_id, policies FROM resources.defaults_made
        WHERE current_user NOT LIKE '%\\_principal';
      GRANT USAGE ON SCHEMA resources_views TO ${both([auth])};
      GRANT SELECT ON resources_views.defaults_made TO ${auth};
      GRANT SELECT ON resources_views.policy_references TO ${both([auth])};
      -- Without the levels, which have secrets.
      GRANT SELECT (id, organization_id, environment, name) ON resources_views.escalation_policies TO ${both([auth])}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW resources_views.defaults_made, resources_views.policy_references,
        ${Object.keys(views)
          .map((table) => table.replace('.', '_views.'))
          .join(', ')};
      REVOKE USAGE ON SCHEMA resources_views FROM ${both([auth])};
      REVOKE SELECT ON resources_views.schedules FROM ${both([resourceApi, pipeline])};
      REVOKE SELECT ON resources_views.schedule_overrides FROM ${both([pipeline])};
      -- Views cannot lose columns.
      DROP VIEW resources_views.integrations, resources_views.workflows`);
    await runner.query(view('resources.integrations', integrationColumns));
    await runner.query(view('resources.workflows', workflowColumns));
    await runner.query(`
      GRANT SELECT ON resources_views.integrations TO ${pipeline}, ${both([engine])};
      GRANT SELECT ON resources_views.workflows TO ${both([engine])};
      DELETE FROM resources.workflow_references WHERE policy_id IS NOT NULL;
      ${workflowReferences(referencesBefore)};
      ALTER TABLE resources.workflow_references DROP COLUMN policy_id;
      ALTER TABLE resources.defaults_made DROP COLUMN policies;
      REVOKE UPDATE ON resources.defaults_made FROM ${resourceApi}`);
    for (const table of ofTeams) await runner.query(`ALTER TABLE resources.${table} DROP COLUMN team_id`);
    await runner.query(`
      DROP TABLE resources.organization_settings, resources.policy_references, resources.team_members,
        resources.teams, resources.escalation_policies`);
  }
}
