/**
 * Domain events that wait for a turn of their organization (ADR 76). As `workflows.set_aside`, only the service itself
 * and operators use the table.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WaitingEvents1700000053000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workflows.waiting_events (
        position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- That of the event, so that an event that is delivered again has one row.
        id uuid NOT NULL UNIQUE,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        lane smallint NOT NULL,
        payload text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX waiting_events_lanes ON workflows.waiting_events (organization_id, lane, position);
      GRANT SELECT, INSERT, DELETE ON workflows.waiting_events TO ams_workflow_engine;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE workflows.waiting_events');
  }
}
