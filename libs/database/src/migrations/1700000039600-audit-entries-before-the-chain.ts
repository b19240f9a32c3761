/**
 * Entries that were stored before the chain are its first ones, in the order of their ids, so the first checkpoint
 * covers them too. In a transaction of its own: nobody waits while it reads the audit log.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const perRow = 500;

export class AuditEntriesBeforeTheChain1700000039600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH noted AS (
        SELECT unnest(entry_ids) AS id FROM auth.audit_waiting UNION ALL SELECT entry_id FROM auth.audit_links
      ), numbered AS (
        SELECT entry.id, entry.organization_id, entry.environment,
          (row_number() OVER (PARTITION BY entry.organization_id, entry.environment ORDER BY entry.id) - 1) / ${perRow}
            AS part
        FROM auth.audit_log entry LEFT JOIN noted ON noted.id = entry.id WHERE noted.id IS NULL
      )
      INSERT INTO auth.audit_waiting (organization_id, environment, entry_ids)
      SELECT organization_id, environment, array_agg(id ORDER BY id) FROM numbered
      GROUP BY organization_id, environment, part ORDER BY part
    `);
  }

  async down(): Promise<void> {
    // The tables are dropped by the migration before it.
  }
}
