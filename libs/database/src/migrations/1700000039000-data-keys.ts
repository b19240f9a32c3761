/** The data key of each tenant, sealed by a master key of the operator. It seals the secrets of the tenant's records. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect, tenantOf } from './row-level-security.js';

const resourceApi = 'ams_resource_api';
const engine = 'ams_workflow_engine';

export class DataKeys1700000039000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE resources.data_keys (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        sealed bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (organization_id, environment)
      );
      GRANT SELECT, INSERT ON resources.data_keys TO ${resourceApi}, ${resourceApi}_principal;
    `);
    await protect(runner, 'resources.data_keys', [resourceApi]);
    // The engine hands the sealed key to the notifier, and cannot open it.
    await runner.query(`
      CREATE VIEW resources_views.data_keys AS SELECT organization_id, environment, sealed FROM resources.data_keys
        WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf('resources.data_keys')});
      GRANT SELECT ON resources_views.data_keys TO ${engine};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW resources_views.data_keys; DROP TABLE resources.data_keys`);
  }
}
