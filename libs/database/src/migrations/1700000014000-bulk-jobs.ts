/** Changes of many alerts that the pipeline makes in the background. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { clientIds, narrow, teamIds } from './narrowing.js';
import { protect } from './row-level-security.js';

const pipeline = 'ams_alert_pipeline';

export class BulkJobs1700000014000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE alerts.bulk_jobs (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        action text NOT NULL CHECK (action IN ('acknowledge', 'resolve')),
        note text,
        -- Who asked: the principal, the id of the request, the address and the program.
        caller jsonb NOT NULL,
        -- What the key is restricted to; null for a key of the whole environment.
        client_ids uuid[],
        team_ids uuid[],
        -- The alerts that the filter matched, in the order in which they are changed.
        alert_ids uuid[] NOT NULL,
        -- How many of them are done.
        position int NOT NULL DEFAULT 0,
        status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed')),
        succeeded int NOT NULL DEFAULT 0,
        failed int NOT NULL DEFAULT 0,
        failures jsonb NOT NULL DEFAULT '[]',
        -- Why the job ended before its end.
        error jsonb,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        started_at timestamptz(3),
        finished_at timestamptz(3),
        -- When its last part was done, or when the next attempt after an error is due.
        turn_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CHECK ((finished_at IS NULL) = (status IN ('queued', 'running'))),
        CHECK ((client_ids IS NULL) = (team_ids IS NULL))
      );
      CREATE INDEX bulk_jobs_open ON alerts.bulk_jobs (organization_id, created_at, id) WHERE finished_at IS NULL;
      CREATE INDEX bulk_jobs_finished ON alerts.bulk_jobs (finished_at) WHERE finished_at IS NOT NULL;
      GRANT SELECT, INSERT, UPDATE, DELETE ON alerts.bulk_jobs TO ${pipeline}, ${pipeline}_principal;
    `);
    await protect(runner, 'alerts.bulk_jobs', [pipeline]);
    await narrow(runner, 'alerts.bulk_jobs', {
      condition: `(client_ids <@ ${clientIds} AND team_ids <@ ${teamIds})`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE alerts.bulk_jobs');
  }
}
