/** The event that began a chain of workflows. Releases before this one do not write the column. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CausedRuns1700000035000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workflows.runs ADD COLUMN root_event_id uuid;
      CREATE INDEX runs_of_root ON workflows.runs (root_event_id) WHERE root_event_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workflows.runs DROP COLUMN root_event_id');
  }
}
