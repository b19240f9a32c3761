/**
 * Heartbeats of senders, and since when the ingest gateways receive without an interruption. The request log knows the
 * operation `edit`.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect, tenantOf } from './row-level-security.js';

const pipeline = 'ams_alert_pipeline';

const integrationsView = (columns: string): string => `
  CREATE OR REPLACE VIEW resources_views.integrations AS SELECT ${columns} FROM resources.integrations
  WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf('resources.integrations')})`;

const columns = `id, organization_id, environment, name, type, client_id, settings, dedup_scope,
  auto_resolve_after_seconds, deleted_at`;

const operations = (words: string[]): string => `
  ALTER TABLE resources.requests DROP CONSTRAINT requests_operation_check;
  ALTER TABLE resources.requests ADD CONSTRAINT requests_operation_check
    CHECK (operation IN (${words.map((word) => `'${word}'`).join(', ')}))`;

const operationsBefore = ['create', 'close', 'acknowledge', 'update'];

export class Heartbeats1700000008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE alerts.heartbeats (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        integration_id uuid NOT NULL,
        name text NOT NULL,
        -- The partition of its events: the replica that applies the pings also decides that one did not arrive.
        partition smallint NOT NULL,
        interval_seconds int NOT NULL CHECK (interval_seconds > 0),
        enabled boolean NOT NULL,
        settings jsonb NOT NULL,
        -- What its alert gets from the integration.
        sender jsonb NOT NULL,
        last_ping_at timestamptz(3),
        -- The interval begins here; null before the first ping.
        waiting_since timestamptz(3),
        expired_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (organization_id, environment, integration_id, name)
      );
      CREATE INDEX heartbeats_waiting ON alerts.heartbeats (partition)
        WHERE enabled AND expired_at IS NULL AND waiting_since IS NOT NULL;
      GRANT SELECT, INSERT, UPDATE, DELETE ON alerts.heartbeats TO ${pipeline};

      -- One row. No ping was lost between the two times, as far as the ingest gateways know.
      CREATE TABLE alerts.reception (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        receiving_since timestamptz NOT NULL,
        seen_at timestamptz NOT NULL
      );
      GRANT SELECT, INSERT, UPDATE ON alerts.reception TO ${pipeline};
    `);
    await protect(runner, 'alerts.heartbeats', [pipeline]);
    await runner.query(integrationsView(`${columns}, enabled, updated_at`));
    await runner.query(`
      GRANT USAGE ON SCHEMA resources_views TO ${pipeline};
      GRANT SELECT ON resources_views.integrations TO ${pipeline}`);
    await runner.query(operations([...operationsBefore, 'edit']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM resources.requests WHERE operation = 'edit'`);
    await runner.query(operations(operationsBefore));
    await runner.query(`REVOKE SELECT ON resources_views.integrations FROM ${pipeline}`);
    await runner.query('DROP TABLE alerts.heartbeats; DROP TABLE alerts.reception');
    // A view cannot lose columns.
    await runner.query('DROP VIEW resources_views.integrations');
    await runner.query(integrationsView(columns).replace('CREATE OR REPLACE', 'CREATE'));
    await runner.query(
      'GRANT SELECT ON resources_views.integrations TO ams_workflow_engine, ams_workflow_engine_principal',
    );
  }
}
