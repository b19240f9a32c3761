/**
 * Outgoing webhooks tell the state at their event, in order for each subject and target. Runs and notifications of an
 * earlier release have no stored state: they are sent as before. A run also records that a step of it told nobody.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MessagesInOrder1700000015000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workflows.runs
        -- The alert or incident of the event, as it was then. Only in runs that post it to webhooks.
        ADD COLUMN event_data jsonb,
        ADD COLUMN subject_version int,
        -- Why the messages of a step told nobody, when this fails the run.
        ADD COLUMN message_error text;
      ALTER TABLE workflows.notifications
        ADD COLUMN event_data jsonb,
        ADD COLUMN subject_version int,
        -- The subject and the target. Of two notifications with the same key, that of the lower version is sent first.
        ADD COLUMN order_key text,
        ADD COLUMN waits_in_order boolean NOT NULL DEFAULT false;
      CREATE INDEX notifications_in_order ON workflows.notifications (order_key, subject_version)
        WHERE status = 'queued' AND order_key IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX workflows.notifications_in_order;
      ALTER TABLE workflows.notifications DROP COLUMN event_data, DROP COLUMN subject_version, DROP COLUMN order_key,
        DROP COLUMN waits_in_order;
      ALTER TABLE workflows.runs DROP COLUMN event_data, DROP COLUMN subject_version, DROP COLUMN message_error;
    `);
  }
}
