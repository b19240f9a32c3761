import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexes of what is open have a condition that only a search for all that is open repeats. While nothing is open,
 * such an index is the cheapest way to a row by its id, if its condition fits; a connection that keeps this plan reads
 * all that is open for each row later.
 */
export class IndexesOfOpenRows1700000048000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX workflows.runs_open;
      CREATE INDEX runs_open ON workflows.runs (previous_done_at) WHERE finished_at IS NULL;
      DROP INDEX workflows.notifications_open;
      CREATE INDEX notifications_open ON workflows.notifications (created_at)
        WHERE status = 'queued' AND attempts >= 0;
      DROP INDEX workflows.notifications_waiting;
      CREATE INDEX notifications_waiting ON workflows.notifications (organization_id, environment, created_at)
        WHERE status = 'queued' AND attempts >= 0;
      DROP INDEX workflows.page_requests_open;
      CREATE INDEX page_requests_open ON workflows.page_requests (asked_at) WHERE outcome IS NULL AND repairs >= 0;
      DROP INDEX workflows.page_requests_due;
      CREATE INDEX page_requests_due ON workflows.page_requests (organization_id, environment, asked_at)
        WHERE outcome IS NULL AND repairs >= 0
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX workflows.page_requests_due;
      CREATE INDEX page_requests_due ON workflows.page_requests (organization_id, environment, asked_at)
        WHERE outcome IS NULL;
      DROP INDEX workflows.page_requests_open;
      CREATE INDEX page_requests_open ON workflows.page_requests (asked_at) WHERE outcome IS NULL;
      DROP INDEX workflows.notifications_waiting;
      CREATE INDEX notifications_waiting ON workflows.notifications (organization_id, environment, created_at)
        WHERE status = 'queued';
      DROP INDEX workflows.notifications_open;
      CREATE INDEX notifications_open ON workflows.notifications (created_at) WHERE status = 'queued';
      DROP INDEX workflows.runs_open;
      CREATE INDEX runs_open ON workflows.runs (previous_done_at) WHERE status IN ('running', 'waiting')
    `);
  }
}
