/**
 * What was last read of the whole service, and since when its parts have their states; and indexes for what of an
 * organization waits. Expand only: a table and indexes.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Status1700000042000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workflows.service_status (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        -- Null until the first reading.
        read_at timestamptz,
        -- The readings with their ages at this time, and the states with their beginnings.
        readings jsonb NOT NULL DEFAULT '{}',
        states jsonb NOT NULL DEFAULT '{}'
      );
      INSERT INTO workflows.service_status DEFAULT VALUES;
      GRANT SELECT, UPDATE ON workflows.service_status TO ams_workflow_engine;
      CREATE INDEX page_requests_due ON workflows.page_requests (organization_id, environment, asked_at)
        WHERE outcome IS NULL;
      CREATE INDEX notifications_waiting ON workflows.notifications (organization_id, environment, created_at)
        WHERE status = 'queued';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX workflows.notifications_waiting;
      DROP INDEX workflows.page_requests_due;
      DROP TABLE workflows.service_status;
    `);
  }
}
