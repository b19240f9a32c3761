/** Keys are found by the key or member that created them. Expand only: an index. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyLineage1700000036000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX api_keys_created_by ON auth.api_keys (organization_id, (created_by->>'id'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX auth.api_keys_created_by');
  }
}
