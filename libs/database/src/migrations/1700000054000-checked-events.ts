/** Up to which entry of the timelines the engine has looked for events that were lost (lost-events.ts). */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CheckedEvents1700000054000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workflows.page_looks ADD COLUMN checked_to uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workflows.page_looks DROP COLUMN checked_to');
  }
}
