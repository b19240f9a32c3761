/**
 * Calendar feeds of schedules and members; what was told last about who is on call in a schedule, and about the end of
 * a suppression window; runs of workflows about schedules and windows. Triggers note changes, so those that services of
 * the release before make are not missed.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofSchedule } from './1700000012000-members-and-narrowed-keys.js';
import { narrow } from './narrowing.js';
import { protect } from './row-level-security.js';

const resourceApi = 'ams_resource_api';

/**
 * A row for each record of `noun`, which is looked at when `look_at` has come: at once after each change of the record.
 */
const watchTable = (noun: 'schedule' | 'window', table: string, records: string): string => `
  CREATE TABLE ${table} (
    ${noun}_id uuid PRIMARY KEY REFERENCES ${records} ON DELETE CASCADE,
    organization_id uuid NOT NULL,
    environment public.environment NOT NULL,
    -- What was told last. Null: nothing yet.
    told jsonb,
    -- How many events there were.
    sequence int NOT NULL DEFAULT 0,
    look_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX ${table.split('.')[1]}_due ON ${table} (look_at);
  GRANT SELECT, UPDATE ON ${table} TO ${resourceApi};
  INSERT INTO ${table} (${noun}_id, organization_id, environment)
    SELECT id, organization_id, environment FROM ${records};
  CREATE FUNCTION resources.watch_${noun}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, resources AS $$
  BEGIN
    INSERT INTO ${table} (${noun}_id, organization_id, environment)
      VALUES (NEW.id, NEW.organization_id, NEW.environment)
      ON CONFLICT (${noun}_id) DO UPDATE SET look_at = clock_timestamp();
    RETURN NULL;
  END $$;
  CREATE TRIGGER watched AFTER INSERT OR UPDATE ON ${records} FOR EACH ROW EXECUTE FUNCTION resources.watch_${noun}()`;

export class FeedsAndHandoffs1700000021000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE resources.calendar_feeds (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        schedule_id uuid UNIQUE REFERENCES resources.schedules ON DELETE CASCADE,
        member_id uuid REFERENCES auth.members,
        token_hash text NOT NULL UNIQUE,
        created_by jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        UNIQUE (member_id, environment),
        CHECK (num_nonnulls(schedule_id, member_id) = 1)
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON resources.calendar_feeds TO ${resourceApi}, ${resourceApi}_principal;
    `);
    await runner.query(watchTable('schedule', 'resources.schedule_handoffs', 'resources.schedules'));
    await runner.query(watchTable('window', 'resources.window_endings', 'resources.suppression_windows'));
    for (const table of ['calendar_feeds', 'schedule_handoffs', 'window_endings'])
      await protect(runner, `resources.${table}`, [resourceApi]);
    // Feeds of members belong to the whole organization.
    await narrow(runner, 'resources.calendar_feeds', ofSchedule);
    await narrow(runner, 'resources.schedule_handoffs', ofSchedule);
    await narrow(runner, 'resources.window_endings', {
      through: [
        { relation: 'resources.suppression_windows', column: 'window_id', belonging: { clients: 'client_ids' } },
      ],
    });
    // The schedule or suppression window that the event of a run is about.
    await runner.query('ALTER TABLE workflows.runs ADD COLUMN subject_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM workflows.runs WHERE subject_id IS NOT NULL;
      ALTER TABLE workflows.runs DROP COLUMN subject_id;
      DROP TRIGGER watched ON resources.schedules;
      DROP TRIGGER watched ON resources.suppression_windows;
      DROP FUNCTION resources.watch_schedule;
      DROP FUNCTION resources.watch_window;
      DROP TABLE resources.calendar_feeds, resources.schedule_handoffs, resources.window_endings`);
  }
}
