/**
 * Escalations of incidents, the pages that they make, and the ledger of alerts that ask for somebody. Releases before
 * this one do not write the new columns, so all have defaults.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofNotifications } from './1700000012000-members-and-narrowed-keys.js';
import { narrow } from './narrowing.js';
import { protect, tenantOf } from './row-level-security.js';

const pipeline = 'ams_alert_pipeline';
const engine = 'ams_workflow_engine';

const both = (roles: readonly string[]): string => roles.flatMap((role) => [role, `${role}_principal`]).join(', ');

const view = (table: string, columns: string): string => `
  CREATE OR REPLACE VIEW ${table.replace('.', '_views.')} AS SELECT ${columns} FROM ${table}
  WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf(table)})`;

const incidentColumns = `id, organization_id, environment, number, title, summary, severity, status, client_id,
  assignee_ids, workflow_id, group_key, auto_resolve, alert_count, open_alert_count, last_alert_at, opened_by,
  triggered_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by, created_at, updated_at, version`;
const newIncidentColumns = ['severity_by', 'urgency', 'policy_id', 'escalation', 'paging', 'snoozed_until', 'due_at'];

const pageColumns = `id, organization_id, environment, incident_id, alert_id, kind, stage, episode, round, level,
  policy_id, policy_name, why, recipients, created_at`;

export class Paging1700000016000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE alerts.incidents
        ADD COLUMN severity_by text NOT NULL DEFAULT 'alerts' CHECK (severity_by IN ('alerts', 'person')),
        ADD COLUMN urgency text NOT NULL DEFAULT 'high' CHECK (urgency IN ('high', 'low')),
        ADD COLUMN policy_id uuid,
        ADD COLUMN escalation jsonb NOT NULL DEFAULT
          '{"state": "stopped", "episode": 0, "round": 0, "level": 0, "nextAt": null, "told": []}',
        -- Null for an incident that pages nobody.
        ADD COLUMN paging jsonb,
        ADD COLUMN snoozed_until timestamptz(3),
        ADD COLUMN due_at timestamptz(3);
      UPDATE alerts.incidents SET urgency = 'low' WHERE severity < 3;
      UPDATE alerts.incidents SET severity_by = 'person' WHERE workflow_id IS NULL;
      CREATE INDEX incidents_due ON alerts.incidents (due_at) WHERE due_at IS NOT NULL;
      -- At most one open incident for each group and client of a workflow.
      DROP INDEX alerts.incidents_open_group;
      CREATE UNIQUE INDEX incidents_open_group ON alerts.incidents
        (workflow_id, group_key, coalesce(client_id, '00000000-0000-0000-0000-000000000000'))
        WHERE status <> 'resolved' AND group_key IS NOT NULL AND workflow_id IS NOT NULL;
      -- The same for alerts for which no workflow runs. Incidents of a deleted workflow have none either.
      CREATE UNIQUE INDEX incidents_open_without_workflow ON alerts.incidents
        (organization_id, environment, group_key, coalesce(client_id, '00000000-0000-0000-0000-000000000000'))
        WHERE status <> 'resolved' AND workflow_id IS NULL AND group_key LIKE 'catch-all %';
      ${view('alerts.incidents', [incidentColumns, ...newIncidentColumns].join(', '))};

      -- What an incident tells people: one row for each level, or notice.
      CREATE TABLE alerts.pages (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        incident_id uuid NOT NULL REFERENCES alerts.incidents ON DELETE CASCADE,
        alert_id uuid,
        kind text NOT NULL,
        stage text NOT NULL,
        episode int NOT NULL,
        round int NOT NULL,
        level int NOT NULL,
        policy_id uuid,
        policy_name text,
        why text NOT NULL,
        -- With their addresses, which may contain secrets.
        recipients jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL
      );
      -- Nobody is told twice of one level of one round.
      CREATE UNIQUE INDEX pages_level ON alerts.pages (incident_id, episode, stage, round, level)
        WHERE kind IN ('level', 'owners');
      CREATE INDEX pages_incident ON alerts.pages (incident_id, created_at);
      CREATE INDEX pages_created ON alerts.pages (created_at);
      GRANT SELECT, INSERT, DELETE ON alerts.pages TO ${both([pipeline])};
    `);
    await protect(runner, 'alerts.pages', [pipeline]);
    await runner.query(`
      ${view('alerts.pages', pageColumns)};
      GRANT SELECT ON alerts_views.pages TO ${both([engine])};
      GRANT SELECT ON resources_views.schedules, resources_views.schedule_overrides TO ${both([pipeline])};

      -- Alerts that ask for somebody, and how that ended.
      CREATE TABLE workflows.page_requests (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        alert_id uuid NOT NULL,
        -- The event by which the alert asked.
        event_id uuid NOT NULL,
        -- Null: no workflow matched, and the catch-all policy of the organization is asked.
        workflow_id uuid,
        workflow_name text,
        incident_id uuid,
        outcome text CHECK (outcome IN ('told', 'joined', 'acknowledged', 'resolved', 'suppressed', 'fallback',
          'nobody')),
        reason text,
        notification_ids uuid[] NOT NULL DEFAULT '{}',
        asked_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        -- How often the reconciler has put it on the path again.
        repairs int NOT NULL DEFAULT 0,
        repaired_at timestamptz(3),
        UNIQUE NULLS NOT DISTINCT (event_id, workflow_id)
      );
      CREATE INDEX page_requests_list ON workflows.page_requests (organization_id, environment, asked_at DESC, id DESC);
      CREATE INDEX page_requests_alert ON workflows.page_requests (alert_id);
      CREATE INDEX page_requests_incident ON workflows.page_requests (incident_id) WHERE incident_id IS NOT NULL;
      CREATE INDEX page_requests_open ON workflows.page_requests (asked_at) WHERE outcome IS NULL;
      GRANT SELECT, INSERT, UPDATE, DELETE ON workflows.page_requests TO ${both([engine])};
      ALTER TABLE workflows.notifications ADD COLUMN page_id uuid;
      CREATE INDEX notifications_page ON workflows.notifications (page_id) WHERE page_id IS NOT NULL;
    `);
    await protect(runner, 'workflows.page_requests', [engine]);
    const ofIncident = { relation: 'alerts.incidents', column: 'incident_id', belonging: { client: 'client_id' } };
    await narrow(runner, 'alerts.incidents', { client: 'client_id' });
    await narrow(runner, 'alerts.pages', { through: [ofIncident] });
    await narrow(runner, 'workflows.page_requests', {
      through: [{ relation: 'alerts_views.alerts', column: 'alert_id', belonging: { client: 'client_id' } }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE workflows.page_requests;
      ALTER TABLE workflows.notifications DROP COLUMN page_id;
      REVOKE SELECT ON resources_views.schedules, resources_views.schedule_overrides FROM ${both([pipeline])};
      DROP VIEW alerts_views.pages;
      DROP TABLE alerts.pages;
      -- It reads the view.
      DROP POLICY narrowed ON workflows.notifications;
      DROP VIEW alerts_views.incidents;
      DROP INDEX alerts.incidents_open_group, alerts.incidents_open_without_workflow;
      ALTER TABLE alerts.incidents ${newIncidentColumns.map((name) => `DROP COLUMN ${name}`).join(', ')};
      CREATE UNIQUE INDEX incidents_open_group ON alerts.incidents (workflow_id, group_key)
        WHERE status <> 'resolved' AND group_key IS NOT NULL;
      ${view('alerts.incidents', incidentColumns)};
      GRANT SELECT ON alerts_views.incidents TO ${both(['ams_resource_api', pipeline, engine])};
    `);
    await narrow(runner, 'alerts.incidents', { client: 'client_id' });
    await narrow(runner, 'workflows.notifications', ofNotifications);
  }
}
