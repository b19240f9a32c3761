/**
 * The order of webhooks looks for the runs of a schedule or a window, and the reconciler for runs and notifications
 * that have not ended: both read whole tables without these. Expand only: indexes.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OpenRuns1700000038000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX runs_of_subject ON workflows.runs (subject_id, id) WHERE subject_id IS NOT NULL;
      CREATE INDEX runs_open ON workflows.runs (previous_done_at) WHERE status IN ('running', 'waiting');
      CREATE INDEX notifications_open ON workflows.notifications (created_at) WHERE status = 'queued'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX workflows.notifications_open;
      DROP INDEX workflows.runs_open;
      DROP INDEX workflows.runs_of_subject
    `);
  }
}
