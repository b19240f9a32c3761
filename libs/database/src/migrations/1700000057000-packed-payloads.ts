/**
 * Long payloads of senders are stored as the ingest gateway has packed them. They are compressed already, so PostgreSQL
 * does not try to compress them again.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PackedPayloads1700000057000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE resources.requests ADD COLUMN packed_payload bytea');
    await runner.query('ALTER TABLE resources.requests ALTER packed_payload SET STORAGE EXTERNAL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE resources.requests DROP COLUMN packed_payload');
  }
}
