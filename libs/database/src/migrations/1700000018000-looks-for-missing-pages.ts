/** When the services last looked for missing pages, and indexes for these looks. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const pipeline = 'ams_alert_pipeline';
const engine = 'ams_workflow_engine';

const looks = (schema: string, role: string, parts: readonly string[]): string => `
  CREATE TABLE ${schema}.page_looks (
    part text PRIMARY KEY,
    looked_at timestamptz NOT NULL DEFAULT '-infinity',
    -- What the last look found: ids, and when they were found first.
    seen jsonb NOT NULL DEFAULT '{}',
    since timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  INSERT INTO ${schema}.page_looks (part) SELECT unnest(ARRAY[${parts.map((part) => `'${part}'`).join(', ')}]);
  GRANT SELECT, UPDATE ON ${schema}.page_looks TO ${role};`;

export class LooksForMissingPages1700000018000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${looks('workflows', engine, ['event', 'run', 'job', 'notification'])}
      ${looks('alerts', pipeline, ['escalation'])}
      -- The entries by which an alert asks for somebody.
      CREATE INDEX timeline_asking ON alerts.timeline (alert_id, id)
        WHERE type IN ('alert.created', 'alert.resumed', 'alert.severityChanged');
      CREATE INDEX incidents_open ON alerts.incidents (updated_at) WHERE status <> 'resolved';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX alerts.incidents_open;
      DROP INDEX alerts.timeline_asking;
      DROP TABLE alerts.page_looks;
      DROP TABLE workflows.page_looks;
    `);
  }
}
