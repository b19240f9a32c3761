/**
 * Signatures of audit entries by the services that wrote them, and messages with entries that `auth` has refused. Expand
 * only: the services of the previous release insert entries without a signature, and the hash of an entry, which they
 * make too, does not cover it.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditWriters1700000043000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- {service, keyId, signature}
      ALTER TABLE auth.audit_log ADD COLUMN writer jsonb;

      -- Only the service itself and operators use it, as workflows.set_aside.
      CREATE TABLE auth.set_aside (
        -- Derived from the content, so that an entry that is delivered again has one row.
        id uuid PRIMARY KEY,
        stream_sequence bigint NOT NULL,
        organization_id uuid,
        environment text,
        -- One entry as JSON, or what could not be read as one.
        payload text NOT NULL,
        error text NOT NULL,
        tries int NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        replayed_at timestamptz(3)
      );
      CREATE INDEX set_aside_waiting ON auth.set_aside (created_at) WHERE replayed_at IS NULL;
      GRANT SELECT, INSERT, UPDATE, DELETE ON auth.set_aside TO ams_auth;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.set_aside; ALTER TABLE auth.audit_log DROP COLUMN writer');
  }
}
