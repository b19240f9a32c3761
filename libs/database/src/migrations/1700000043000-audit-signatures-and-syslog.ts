/**
 * Signatures of audit entries by the services that wrote them, messages with entries that `auth` has refused, and how far
 * each audit log was sent to syslog. Expand only: the services of the previous release insert entries without a
 * signature, and the hash of an entry, which they make too, does not cover it.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { narrow } from './narrowing.js';
import { protect } from './row-level-security.js';

const role = 'ams_auth';

export class AuditSignaturesAndSyslog1700000043000 implements MigrationInterface {
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

      -- The last sequence of each chain that the collector has confirmed.
      CREATE TABLE auth.audit_syslog_positions (
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        sequence bigint NOT NULL,
        sent_at timestamptz(3) NOT NULL,
        PRIMARY KEY (organization_id, environment)
      );
      -- Which replica sends, so that entries are not sent by all of them. One row.
      CREATE TABLE auth.audit_syslog_sender (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        holder uuid NOT NULL,
        until timestamptz NOT NULL
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON auth.set_aside TO ${role};
      GRANT SELECT, INSERT, UPDATE ON auth.audit_syslog_positions, auth.audit_syslog_sender TO ${role};
    `);
    await protect(runner, 'auth.audit_syslog_positions', [role]);
    await narrow(runner, 'auth.audit_syslog_positions', {});
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE auth.set_aside, auth.audit_syslog_positions, auth.audit_syslog_sender;
      ALTER TABLE auth.audit_log DROP COLUMN writer;
    `);
  }
}
