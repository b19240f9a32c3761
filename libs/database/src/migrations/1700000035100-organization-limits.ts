/** What an operator has set as limits of an organization, and what it has sent today. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect, tenantOf } from './row-level-security.js';

const engine = 'ams_workflow_engine';
const readers = ['ams_resource_api', engine].flatMap((role) => [role, `${role}_principal`]).join(', ');

const organizationsView = (columns: string): string => `
  CREATE OR REPLACE VIEW auth_views.organizations AS SELECT ${columns} FROM auth.organizations
  WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf('auth.organizations')})`;

export class OrganizationLimits1700000035100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.organizations ADD COLUMN limits jsonb NOT NULL DEFAULT '{}';
      ${organizationsView('id, name, limits')};
      CREATE TABLE workflows.message_counts (
        organization_id uuid NOT NULL,
        kind text NOT NULL,
        day date NOT NULL,
        used int NOT NULL,
        PRIMARY KEY (organization_id, kind, day)
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON workflows.message_counts TO ${engine}, ${engine}_principal;
    `);
    await protect(runner, 'workflows.message_counts', [engine]);
    await runner.query(`
      CREATE VIEW workflows_views.message_counts AS SELECT organization_id, kind, day, used
      FROM workflows.message_counts
      WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf('workflows.message_counts')});
      GRANT USAGE ON SCHEMA workflows_views TO ams_resource_api, ams_resource_api_principal;
      GRANT SELECT ON workflows_views.message_counts TO ams_resource_api, ams_resource_api_principal;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW workflows_views.message_counts;
      REVOKE USAGE ON SCHEMA workflows_views FROM ams_resource_api, ams_resource_api_principal;
      DROP TABLE workflows.message_counts;
      DROP VIEW auth_views.organizations;
      ${organizationsView('id, name')};
      GRANT SELECT ON auth_views.organizations TO ${readers};
      ALTER TABLE auth.organizations DROP COLUMN limits;
    `);
  }
}
