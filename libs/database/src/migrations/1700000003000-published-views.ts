/**
 * Data that services read from other services. The owner of a schema publishes views of its tables in `<schema>_views`.
 * A view has the name of its table and only the columns that are used. Other services read only these views: their
 * grants and policies on the tables end here.
 *
 * A view reads its table as the owner of the database, to whom the policies of the table show everything. So the view
 * contains the condition of those policies: `current_user` in a view is the role that runs the query, and a role
 * `<service>_principal` sees the one tenant that its transaction set.
 *
 * The views are not `security_barrier`. A barrier protects against functions in untrusted SQL, and only our services
 * write SQL here. With a barrier, conditions of a query on labels and titles could not use their indexes.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { admit, tenantOf } from './row-level-security.js';

const resourceApi = 'ams_resource_api';
const pipeline = 'ams_alert_pipeline';
const engine = 'ams_workflow_engine';

interface View {
  columns: string;
  /** Owners read their own views in statements that they share with other services. */
  readers: readonly string[];
}

/** By their tables. */
const views: Record<string, View> = {
  'auth.organizations': { columns: 'id, name', readers: [resourceApi, engine] },
  'auth.members': {
    columns: 'id, organization_id, name, email, role, status, timezone, contact_methods, created_at',
    readers: [resourceApi, pipeline, engine],
  },
  'alerts.alerts': {
    columns: `id, organization_id, environment, integration_id, integration_name, dedup_scope, partition, fingerprint,
      fingerprint_source, title, description, severity, status, source, labels, annotations, client_id, incident_id,
      assignee_id, first_occurred_at, last_occurred_at, occurrence_count, previous_alert_id, acknowledged_at,
      acknowledged_by, resolved_at, resolved_by, resolve_reason, suppression, auto_resolve_after_seconds,
      auto_resolve_at, created_at, updated_at, version`,
    readers: [resourceApi, pipeline, engine],
  },
  'alerts.events': {
    columns: 'id, organization_id, environment, alert_id, outcome, received_at, event',
    readers: [engine],
  },
  'alerts.timeline': {
    columns:
      'id, alert_id, organization_id, environment, type, occurred_at, actor, cause, changes, note, alert_version',
    readers: [resourceApi, engine],
  },
  'alerts.counts': {
    columns: 'organization_id, environment, integration_id, status, severity, n',
    readers: [resourceApi],
  },
  'alerts.incidents': {
    columns: `id, organization_id, environment, number, title, summary, severity, status, client_id, assignee_ids,
      workflow_id, group_key, auto_resolve, alert_count, open_alert_count, last_alert_at, opened_by, triggered_at,
      acknowledged_at, acknowledged_by, resolved_at, resolved_by, created_at, updated_at, version`,
    readers: [resourceApi, pipeline, engine],
  },
  'alerts.incident_timeline': {
    columns:
      'id, incident_id, organization_id, environment, type, occurred_at, actor, cause, changes, note, incident_version',
    readers: [resourceApi],
  },
  'alerts.window_counts': { columns: 'organization_id, environment, window_id, n', readers: [resourceApi] },
  'resources.clients': {
    columns: 'id, organization_id, environment, name, slug, external_id, deleted_at',
    readers: [pipeline, engine],
  },
  'resources.client_names': {
    columns: 'organization_id, environment, name, client_id',
    readers: [pipeline, engine],
  },
  'resources.integrations': {
    columns: `id, organization_id, environment, name, type, client_id, settings, dedup_scope,
      auto_resolve_after_seconds, deleted_at`,
    readers: [engine],
  },
  'resources.suppression_windows': {
    columns: `id, organization_id, environment, name, enabled, matchers, client_ids, integration_ids,
      except_severities, match_all, starts_at, ends_at, timezone, rrule, duration_seconds, on_end, version`,
    readers: [pipeline, engine],
  },
  'resources.workflows': {
    columns: 'id, organization_id, environment, name, enabled, events, conditions, steps, created_at, version',
    readers: [engine],
  },
  'resources.schedules': {
    columns: 'id, organization_id, environment, name, timezone, layers',
    readers: [engine],
  },
  'resources.schedule_overrides': {
    columns: 'id, organization_id, environment, schedule_id, member_id, starts_at, ends_at, created_at',
    readers: [resourceApi, engine],
  },
  // The admin command reads it before it disables a member. It connects as the owner of the database.
  'resources.schedule_members': {
    columns: 'organization_id, environment, schedule_id, member_id',
    readers: [],
  },
  'resources.workflow_references': {
    columns: 'organization_id, environment, workflow_id, member_id',
    readers: [],
  },
  'workflows.runs': {
    columns: 'id, organization_id, environment, workflow_id, created_at',
    readers: [resourceApi],
  },
};

const schemas = ['auth', 'alerts', 'resources', 'workflows'];

/** The grants that end here: the tables that each service could read in other schemas. */
const before: Record<string, { schemas: string; tables: readonly string[] }> = {
  [resourceApi]: {
    schemas: 'alerts, workflows',
    tables: [
      'alerts.alerts',
      'alerts.events',
      'alerts.timeline',
      'alerts.counts',
      'alerts.incidents',
      'alerts.incident_timeline',
      'alerts.window_counts',
      'auth.members',
      'auth.organizations',
      'workflows.runs',
    ],
  },
  [pipeline]: {
    schemas: 'resources',
    tables: ['resources.clients', 'resources.client_names', 'resources.suppression_windows', 'auth.members'],
  },
  [engine]: {
    schemas: 'resources, alerts',
    tables: [
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
    ],
  },
};

/** The policies that `admit` created. */
const admitted: readonly (readonly [table: string, role: string])[] = [
  ...(before[engine]?.tables ?? []).map((table) => [table, engine] as const),
  ['workflows.runs', resourceApi],
];

const owners = { auth: 'ams_auth', resources: resourceApi, alerts: pipeline };

const both = (roles: readonly string[]): string => roles.flatMap((role) => [role, `${role}_principal`]).join(', ');

/** Recreates the policies of every table of a schema, for the given roles and the owner of the table. */
const setPolicyRoles = (schema: string, roles: readonly string[]): string => `
  DO $do$ DECLARE protected record; BEGIN
    FOR protected IN SELECT p.tablename, t.tableowner FROM pg_policies p JOIN pg_tables t USING (schemaname, tablename)
      WHERE p.schemaname = '${schema}' AND p.policyname = 'service' LOOP
      EXECUTE format('ALTER POLICY service ON ${schema}.%I TO ${roles.join(', ')}, %I',
        protected.tablename, protected.tableowner);
      EXECUTE format('ALTER POLICY tenant ON ${schema}.%I TO ${roles.map((role) => `${role}_principal`).join(', ')}',
        protected.tablename);
    END LOOP;
  END $do$`;

export class PublishedViews1700000003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const schema of schemas) await runner.query(`CREATE SCHEMA ${schema}_views`);
    for (const [table, { columns, readers }] of Object.entries(views)) {
      const view = table.replace('.', '_views.');
      await runner.query(`
        CREATE VIEW ${view} AS SELECT ${columns} FROM ${table}
        WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf(table)})`);
      if (readers.length === 0) continue;
      await runner.query(`
        GRANT USAGE ON SCHEMA ${view.split('.')[0]} TO ${both(readers)};
        GRANT SELECT ON ${view} TO ${both(readers)}`);
    }
    for (const [role, { schemas: foreign, tables }] of Object.entries(before)) {
      await runner.query(`
        REVOKE ALL ON ${tables.join(', ')} FROM ${both([role])};
        REVOKE USAGE ON SCHEMA ${foreign} FROM ${both([role])}`);
    }
    for (const [table, role] of admitted) {
      const policy = role.replace('ams_', '');
      await runner.query(`DROP POLICY ${policy} ON ${table}; DROP POLICY ${policy}_principal ON ${table}`);
    }
    for (const [schema, role] of Object.entries(owners)) await runner.query(setPolicyRoles(schema, [role]));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const schema of Object.keys(owners)) await runner.query(setPolicyRoles(schema, Object.values(owners)));
    for (const [table, role] of admitted) await admit(runner, table, role);
    for (const [role, { schemas: foreign, tables }] of Object.entries(before)) {
      await runner.query(`
        GRANT USAGE ON SCHEMA ${foreign} TO ${both([role])};
        GRANT SELECT ON ${tables.join(', ')} TO ${both([role])}`);
    }
    for (const schema of schemas) await runner.query(`DROP SCHEMA ${schema}_views CASCADE`);
  }
}
