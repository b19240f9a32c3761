/**
 * Domain events that the workflow engine could not process and set aside, as `alerts.set_aside` of the pipeline. Only
 * the service itself and operators use the table.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EventsSetAside1700000005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workflows.set_aside (
        -- The id of the event, so that an event that is delivered again has one row.
        id uuid PRIMARY KEY,
        subject text NOT NULL,
        stream_sequence bigint NOT NULL,
        organization_id uuid,
        environment text,
        payload text NOT NULL,
        error text NOT NULL,
        tries int NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        replayed_at timestamptz(3)
      );
      CREATE INDEX set_aside_waiting ON workflows.set_aside (created_at) WHERE replayed_at IS NULL;
      GRANT SELECT, INSERT, UPDATE, DELETE ON workflows.set_aside TO ams_workflow_engine;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE workflows.set_aside');
  }
}
