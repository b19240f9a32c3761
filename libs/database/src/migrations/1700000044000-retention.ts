/**
 * Functions that drop old monthly partitions. Services may not delete entries of timelines and events themselves, and do
 * not own tables. Expand only: functions and grants. No function waits for long for a lock: the caller tries again later.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const pipeline = 'ams_alert_pipeline';
const engine = 'ams_workflow_engine';

/** Months that ended within these days are never dropped. */
const leastDays = 7;
/** A month is dropped when the records that are still there have at most this many entries in it. */
const mostOwners = 5000;
const mostEntries = 20_000;
const rowsOfStep = 5000;

export class Retention1700000044000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The monthly partitions (\`<table>_<YYYYMM>\`) that ended before a time, oldest first.
      CREATE FUNCTION public.months_before(parent regclass, before timestamptz)
      RETURNS TABLE (child regclass, ends timestamptz) LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
        SELECT month.oid::regclass, month.ends FROM (
          SELECT c.oid, (to_date(substring(c.relname FROM '_([0-9]{6})$'), 'YYYYMM') + interval '1 month') AT TIME ZONE 'UTC' AS ends
          FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid JOIN pg_class p ON p.oid = inhparent
          WHERE inhparent = parent AND c.relname ~ ('^' || p.relname || '_[0-9]{6}$')
        ) month WHERE month.ends <= before ORDER BY month.ends
      $$;

      CREATE FUNCTION public.drop_empty_months(parent regclass, before timestamptz) RETURNS int
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '1s' AS $$
      DECLARE
        month regclass;
        is_empty boolean;
        dropped int := 0;
      BEGIN
        FOR month IN SELECT child FROM public.months_before(parent, least(before, now() - interval '${leastDays} days')) LOOP
          EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s)', month) INTO is_empty;
          CONTINUE WHEN NOT is_empty;
          EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', parent);
          EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s)', month) INTO is_empty;
          CONTINUE WHEN NOT is_empty;
          EXECUTE format('DROP TABLE %s', month);
          dropped := dropped + 1;
        END LOOP;
        RETURN dropped;
      END $$;

      -- Drops the oldest month of events that ended before the time, else deletes some older events that have no month
      -- of their own.
      CREATE FUNCTION alerts.drop_old_events(before timestamptz, OUT months int, OUT deleted int)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '1s' AS $$
      DECLARE
        month regclass;
      BEGIN
        IF before > now() - interval '${leastDays} days' THEN
          RAISE EXCEPTION 'events of the last ${leastDays} days are kept';
        END IF;
        months := 0;
        deleted := 0;
        SELECT child INTO month FROM public.months_before('alerts.events', before) LIMIT 1;
        IF month IS NOT NULL THEN
          EXECUTE format('DROP TABLE %s', month);
          months := 1;
        ELSE
          DELETE FROM alerts.events_other WHERE id IN (
            SELECT id FROM alerts.events_other WHERE id < public.uuid_at(before) LIMIT ${rowsOfStep});
          GET DIAGNOSTICS deleted = ROW_COUNT;
        END IF;
      END $$;

      -- Drops one month of the timelines of alerts or of incidents that ended before the time. The entries of records
      -- that are still there are moved to the default partition, in the same transaction. A month in which they have
      -- too many entries is left: to move them would hold up those who write. Without such a month, entries of records
      -- that are gone are deleted from the default partition.
      CREATE FUNCTION alerts.drop_old_entries(noun text, before timestamptz, OUT months int, OUT deleted int)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '1s' AS $$
      DECLARE
        parent text := CASE noun WHEN 'alert' THEN 'alerts.timeline' WHEN 'incident' THEN 'alerts.incident_timeline' END;
        owner text := CASE noun WHEN 'alert' THEN 'alerts.alerts' WHEN 'incident' THEN 'alerts.incidents' END;
        month record;
        owners uuid[];
        n bigint;
      BEGIN
        IF parent IS NULL OR before > now() - interval '${leastDays} days' THEN
          RAISE EXCEPTION 'entries of the last ${leastDays} days are kept';
        END IF;
        months := 0;
        deleted := 0;
        FOR month IN SELECT * FROM public.months_before(parent::regclass, before) LOOP
          -- Records that may have entries in this month: they were made before its end. A day more, for clocks that differ.
          EXECUTE format('SELECT array(SELECT id FROM %s WHERE id < %L ORDER BY id LIMIT ${mostOwners + 1})', owner,
            public.uuid_at(month.ends + interval '1 day')) INTO owners;
          -- Later months would have no fewer.
          EXIT WHEN cardinality(owners) > ${mostOwners};
          EXECUTE format('SELECT count(*) FROM (SELECT FROM unnest($1) AS o(id),
            LATERAL (SELECT FROM %s WHERE %I = o.id LIMIT ${mostEntries + 1}) AS e LIMIT ${mostEntries + 1}) AS found',
            month.child, noun || '_id') INTO n USING owners;
          CONTINUE WHEN n > ${mostEntries};
          EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', parent);
          EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, month.child);
          -- OFFSET 0 keeps the order of the join: each record's entries are found by the index.
          EXECUTE format('INSERT INTO %s SELECT e.* FROM unnest($1) AS o(id),
            LATERAL (SELECT * FROM %s WHERE %I = o.id OFFSET 0) AS e', parent, month.child, noun || '_id') USING owners;
          EXECUTE format('DROP TABLE %s', month.child);
          months := 1;
          RETURN;
        END LOOP;
        EXECUTE format('DELETE FROM %1$s_other WHERE id IN (SELECT e.id FROM %1$s_other e WHERE e.id < %2$L
          AND NOT EXISTS (SELECT FROM %3$s o WHERE o.id = e.%4$I) LIMIT ${rowsOfStep})',
          parent, public.uuid_at(before), owner, noun || '_id');
        GET DIAGNOSTICS deleted = ROW_COUNT;
      END $$;

      REVOKE EXECUTE ON FUNCTION public.months_before, public.drop_empty_months, alerts.drop_old_events,
        alerts.drop_old_entries FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION public.drop_empty_months TO ${engine};
      GRANT EXECUTE ON FUNCTION alerts.drop_old_events, alerts.drop_old_entries TO ${pipeline};
      GRANT DELETE ON alerts.incidents TO ${pipeline};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE DELETE ON alerts.incidents FROM ${pipeline};
      DROP FUNCTION alerts.drop_old_entries, alerts.drop_old_events, public.drop_empty_months, public.months_before;
    `);
  }
}
