/**
 * The messages of domain events that the workflow engine has processed, as far as NATS still has them. After a failover
 * with loss of data the engine sees here what it must process again. The pipeline, which purges the stream, reads it.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const engine = 'ams_workflow_engine';
const pipeline = 'ams_alert_pipeline';

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
      CREATE VIEW workflows_views.processed_messages AS
        SELECT stream_created, sequence FROM workflows.processed_messages;
      GRANT USAGE ON SCHEMA workflows_views TO ${pipeline};
      GRANT SELECT ON workflows_views.processed_messages TO ${pipeline};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW workflows_views.processed_messages;
      REVOKE USAGE ON SCHEMA workflows_views FROM ${pipeline};
      DROP TABLE workflows.processed_messages`);
  }
}
