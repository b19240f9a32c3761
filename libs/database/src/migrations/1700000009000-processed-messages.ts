/**
 * The messages of domain events that the workflow engine has processed, as far as NATS still has them. After a failover
 * with loss of data the engine sees here what it must process again. The pipeline, which purges the stream, reads it.
 * Ids of notifications are the same when their page is sent again, so their list is sorted by another time.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const engine = 'ams_workflow_engine';
const pipeline = 'ams_alert_pipeline';

const listIndex = (columns: string): string => `
  DROP INDEX workflows.notifications_list;
  CREATE INDEX notifications_list ON workflows.notifications (organization_id, environment, ${columns})`;

export class ProcessedMessages1700000009000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workflows.processed_messages (
        -- As NATS writes it. A stream that is created again begins with the first sequence.
        stream_created text NOT NULL,
        sequence bigint NOT NULL,
        PRIMARY KEY (stream_created, sequence)
      );
      GRANT SELECT, INSERT, DELETE ON workflows.processed_messages TO ${engine};
      -- One row. Earlier messages were processed by a release that did not record it.
      CREATE TABLE workflows.processing_recorded (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        since timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      INSERT INTO workflows.processing_recorded DEFAULT VALUES;
      GRANT SELECT ON workflows.processing_recorded TO ${engine};
      CREATE VIEW workflows_views.processed_messages AS
        SELECT stream_created, sequence FROM workflows.processed_messages;
      GRANT USAGE ON SCHEMA workflows_views TO ${pipeline};
      GRANT SELECT ON workflows_views.processed_messages TO ${pipeline};
    `);
    await runner.query(listIndex('created_at DESC, id DESC'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(listIndex('id DESC'));
    await runner.query(`
      DROP VIEW workflows_views.processed_messages;
      REVOKE USAGE ON SCHEMA workflows_views FROM ${pipeline};
      DROP TABLE workflows.processed_messages, workflows.processing_recorded`);
  }
}
