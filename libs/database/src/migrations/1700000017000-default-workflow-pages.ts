/**
 * Which organizations have the initial workflow of this release. resource-api replaces the one of an earlier release, if
 * nobody has changed it: the organization needs its catch-all policy first, and the change an entry in the audit log.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DefaultWorkflowPages1700000017000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE resources.defaults_made ADD COLUMN pages boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE resources.defaults_made DROP COLUMN pages');
  }
}
