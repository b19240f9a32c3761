/**
 * A row of an outbox that NATS can never accept is set aside: it stays in the table with the error. Each queue of an
 * outbox has an index, so that the rows of a queue that waits do not slow the other one down.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const schemas = ['auth', 'resources', 'alerts', 'workflows'] as const;

export class OutboxSetAside1700000006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const schema of schemas) {
      await runner.query(`
        ALTER TABLE ${schema}.outbox
          ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
          ADD COLUMN set_aside_at timestamptz,
          ADD COLUMN error text,
          ADD CHECK ((set_aside_at IS NULL) = (error IS NULL));
        CREATE INDEX outbox_events ON ${schema}.outbox (id) WHERE subject <> 'evt.audit' AND set_aside_at IS NULL;
        CREATE INDEX outbox_audit ON ${schema}.outbox (id) WHERE subject = 'evt.audit' AND set_aside_at IS NULL;
        CREATE INDEX outbox_set_aside ON ${schema}.outbox (id) WHERE set_aside_at IS NOT NULL;
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const schema of schemas)
      await runner.query(`
        DROP INDEX ${schema}.outbox_events, ${schema}.outbox_audit, ${schema}.outbox_set_aside;
        ALTER TABLE ${schema}.outbox DROP COLUMN created_at, DROP COLUMN set_aside_at, DROP COLUMN error;
      `);
  }
}
