/** Incidents that were merged into another one. Releases before this one do not write the column. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofNotifications } from './1700000012000-members-and-narrowed-keys.js';
import { narrow, viewCondition } from './narrowing.js';

const readers = ['ams_resource_api', 'ams_alert_pipeline', 'ams_workflow_engine'];
const byClient = { client: 'client_id' };
const columns = `id, organization_id, environment, number, title, summary, severity, status, client_id, assignee_ids,
  workflow_id, group_key, auto_resolve, alert_count, open_alert_count, last_alert_at, opened_by, triggered_at,
  acknowledged_at, acknowledged_by, resolved_at, resolved_by, created_at, updated_at, version, severity_by, urgency,
  policy_id, escalation, paging, snoozed_until, due_at`;

const view = (shown: string): string => `
  CREATE OR REPLACE VIEW alerts_views.incidents AS SELECT ${shown} FROM alerts.incidents
  WHERE ${viewCondition('alerts.incidents', byClient)}`;

export class MergedIncidents1700000034000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE alerts.incidents
        ADD COLUMN merged_into uuid REFERENCES alerts.incidents ON DELETE SET NULL,
        ADD CONSTRAINT incidents_merged_are_resolved CHECK (merged_into IS NULL OR status = 'resolved');
      CREATE INDEX incidents_merged ON alerts.incidents (merged_into) WHERE merged_into IS NOT NULL;
      -- For alerts of a group whose incident was merged.
      CREATE INDEX incidents_merged_group ON alerts.incidents (organization_id, environment, group_key)
        WHERE merged_into IS NOT NULL;
      ${view(`${columns}, merged_into`)};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- It reads the view.
      DROP POLICY narrowed ON workflows.notifications;
      DROP VIEW alerts_views.incidents;
      ALTER TABLE alerts.incidents DROP COLUMN merged_into;
      ${view(columns)};
      GRANT SELECT ON alerts_views.incidents TO ${readers.flatMap((role) => [role, `${role}_principal`]).join(', ')};
    `);
    await narrow(runner, 'workflows.notifications', ofNotifications);
  }
}
