/**
 * Earlier and planned versions of schedules, several members on call at the same time, layers that stand for everybody,
 * and suppression windows that end by the clock. The newest version of a schedule stays in `resources.schedules`:
 * services of earlier releases read and write it.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { narrowed, ofSchedule } from './1700000012000-members-and-narrowed-keys.js';
import { narrow, widen } from './narrowing.js';
import { protect, tenantOf } from './row-level-security.js';

const resourceApi = 'ams_resource_api';
const pipeline = 'ams_alert_pipeline';
const engine = 'ams_workflow_engine';
const both = (role: string): string => `${role}, ${role}_principal`;

/** Adds columns at the end of a view, whatever columns other migrations have added. */
const extendView = (name: string, added: string): string => `
  DO $do$ BEGIN
    EXECUTE (
      SELECT format('CREATE OR REPLACE VIEW resources_views.${name} AS SELECT %s, ${added} FROM resources.${name}
          WHERE current_user NOT LIKE ''%%\\_principal'' OR (%s)',
        string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position), $sql$${tenantOf(`resources.${name}`)}$sql$)
      FROM information_schema.columns WHERE table_schema = 'resources_views' AND table_name = '${name}');
  END $do$`;

/** A view cannot lose columns, so it is created again without them. */
const reduceView = (name: string, removed: string[], readers: string): string => `
  DO $do$ DECLARE kept text; BEGIN
    SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) INTO kept
    FROM information_schema.columns WHERE table_schema = 'resources_views' AND table_name = '${name}'
      AND column_name NOT IN (${removed.map((column) => `'${column}'`).join(', ')});
    DROP VIEW resources_views.${name};
    EXECUTE format('CREATE VIEW resources_views.${name} AS SELECT %s FROM resources.${name}
      WHERE current_user NOT LIKE ''%%\\_principal'' OR (%s)', kept, $sql$${tenantOf(`resources.${name}`)}$sql$);
  END $do$;
  GRANT SELECT ON resources_views.${name} TO ${readers}`;

/** The tables whose views are created again, which lose the condition for narrowed keys by that. */
const changedViews = ['resources.suppression_windows', 'resources.schedules', 'resources.schedule_overrides'];

async function narrowAgain(runner: QueryRunner, tables: string[]): Promise<void> {
  for (const table of tables) await narrow(runner, table, narrowed[table] ?? {});
}

const everybody = `layers @> '[{"everybody": true}]'`;

export class ScheduleVersions1700000013000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE resources.schedules
        ADD COLUMN layer_mode text NOT NULL DEFAULT 'last' CHECK (layer_mode IN ('last', 'all')),
        ADD COLUMN planned_gaps jsonb NOT NULL DEFAULT '[]',
        -- The time from which the newest version counts. Null: it counts for all time before, too.
        ADD COLUMN effective_from timestamptz(3);
      CREATE INDEX schedules_everybody ON resources.schedules (organization_id) WHERE ${everybody};

      -- Every version but the newest. Each lasts until the next one begins.
      CREATE TABLE resources.schedule_versions (
        schedule_id uuid NOT NULL REFERENCES resources.schedules ON DELETE CASCADE,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        effective_from timestamptz(3),
        effective_until timestamptz(3) NOT NULL,
        timezone text NOT NULL,
        layer_mode text NOT NULL CHECK (layer_mode IN ('last', 'all')),
        layers jsonb NOT NULL,
        planned_gaps jsonb NOT NULL,
        PRIMARY KEY (schedule_id, effective_until),
        CHECK (effective_from < effective_until)
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON resources.schedule_versions TO ${both(resourceApi)};

      -- Null: the override takes the place of everybody who is on call.
      ALTER TABLE resources.schedule_overrides ADD COLUMN replaces_member_id uuid REFERENCES auth.members;

      -- Organizations whose members changed, or that have new schedules for everybody, since they were looked at.
      CREATE TABLE resources.everybody_changes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id uuid NOT NULL
      );
      GRANT SELECT, UPDATE, DELETE ON resources.everybody_changes TO ${resourceApi};
      CREATE FUNCTION resources.everybody_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, resources AS $$
      BEGIN
        INSERT INTO resources.everybody_changes (organization_id) VALUES (NEW.organization_id);
        RETURN NULL;
      END $$;
      CREATE TRIGGER everybody_joined AFTER INSERT ON auth.members FOR EACH ROW
        EXECUTE FUNCTION resources.everybody_changed();
      CREATE TRIGGER everybody_changed AFTER UPDATE ON auth.members FOR EACH ROW
        WHEN (OLD.role IS DISTINCT FROM NEW.role OR OLD.status IS DISTINCT FROM NEW.status)
        EXECUTE FUNCTION resources.everybody_changed();
      CREATE TRIGGER everybody_scheduled AFTER INSERT OR UPDATE OF layers ON resources.schedules FOR EACH ROW
        WHEN (NEW.${everybody}) EXECUTE FUNCTION resources.everybody_changed();
      CREATE TRIGGER everybody_scheduled AFTER INSERT ON resources.schedule_versions FOR EACH ROW
        WHEN (NEW.${everybody}) EXECUTE FUNCTION resources.everybody_changed();
    `);
    await protect(runner, 'resources.schedule_versions', [resourceApi]);
    await runner.query(`
      ALTER TABLE resources.suppression_windows
        ADD COLUMN until_time text,
        ADD COLUMN excluded_dates text[] NOT NULL DEFAULT '{}',
        DROP CONSTRAINT suppression_windows_check,
        ADD CONSTRAINT suppression_windows_duration
          CHECK (num_nonnulls(duration_seconds, until_time) = CASE WHEN rrule IS NULL THEN 0 ELSE 1 END)`);
    await runner.query(extendView('suppression_windows', 'until_time, excluded_dates'));
    await runner.query(extendView('schedules', 'layer_mode, planned_gaps, effective_from'));
    await runner.query(extendView('schedule_overrides', 'replaces_member_id'));
    await runner.query(`
      CREATE VIEW resources_views.schedule_versions AS
        SELECT schedule_id, organization_id, environment, effective_from, effective_until, timezone, layer_mode, layers,
          planned_gaps
        FROM resources.schedule_versions
        WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf('resources.schedule_versions')});
      GRANT SELECT ON resources_views.schedule_versions TO ${both(resourceApi)}, ${both(pipeline)}, ${both(engine)}`);
    await narrowAgain(runner, changedViews);
    await narrow(runner, 'resources.schedule_versions', ofSchedule);
    // The schedule that every organization started with had its first owner only. Nobody has changed these.
    await runner.query(`
      WITH unchanged AS (
        UPDATE resources.schedules SET layers = jsonb_set(layers, '{0,everybody}', 'true')
        WHERE version = 1 AND jsonb_array_length(layers) = 1 AND layers->0->>'id' = 'everybody'
          AND layers->0->>'name' = 'Everybody in turn' AND jsonb_array_length(layers->0->'members') = 1
        RETURNING id
      )
      DELETE FROM resources.schedule_members WHERE schedule_id IN (SELECT id FROM unchanged)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER everybody_joined ON auth.members;
      DROP TRIGGER everybody_changed ON auth.members;
      DROP TRIGGER everybody_scheduled ON resources.schedules;
      DROP TRIGGER everybody_scheduled ON resources.schedule_versions;
      DROP FUNCTION resources.everybody_changed;
      DROP TABLE resources.everybody_changes`);
    // The condition of this view reads that of suppression windows.
    await widen(runner, 'alerts.window_counts');
    await runner.query(`
      CREATE OR REPLACE VIEW alerts_views.window_counts AS SELECT organization_id, environment, window_id, n
      FROM alerts.window_counts WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf('alerts.window_counts')})`);
    const pagers = `${both(resourceApi)}, ${both(pipeline)}, ${both(engine)}`;
    await runner.query(reduceView('schedules', ['layer_mode', 'planned_gaps', 'effective_from'], pagers));
    await runner.query(reduceView('schedule_overrides', ['replaces_member_id'], pagers));
    await runner.query(
      reduceView('suppression_windows', ['until_time', 'excluded_dates'], `${both(pipeline)}, ${both(engine)}`),
    );
    await narrowAgain(runner, [...changedViews, 'alerts.window_counts']);
    await runner.query(`
      DELETE FROM resources.suppression_windows WHERE until_time IS NOT NULL;
      ALTER TABLE resources.suppression_windows
        DROP CONSTRAINT suppression_windows_duration,
        DROP COLUMN until_time, DROP COLUMN excluded_dates,
        ADD CONSTRAINT suppression_windows_check CHECK ((rrule IS NULL) = (duration_seconds IS NULL))`);
    await runner.query(`
      DROP VIEW resources_views.schedule_versions;
      DROP TABLE resources.schedule_versions;
      ALTER TABLE resources.schedule_overrides DROP COLUMN replaces_member_id;
      DROP INDEX resources.schedules_everybody;
      UPDATE resources.schedules SET layers = jsonb_set(layers, '{0}', (layers->0) - 'everybody') WHERE ${everybody};
      ALTER TABLE resources.schedules DROP COLUMN layer_mode, DROP COLUMN planned_gaps, DROP COLUMN effective_from`);
  }
}
