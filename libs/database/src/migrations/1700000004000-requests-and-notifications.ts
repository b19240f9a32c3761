/**
 * Two tables were named `deliveries`. Requests of senders become `resources.requests`, sent messages become
 * `workflows.notifications`. Only names change: rows, policies and grants stay unchanged.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Renaming {
  schema: string;
  from: string;
  to: string;
}

const renamings: readonly Renaming[] = [
  { schema: 'resources', from: 'deliveries', to: 'requests' },
  { schema: 'workflows', from: 'deliveries', to: 'notifications' },
];

const reversed = ({ schema, from, to }: Renaming): Renaming => ({ schema, from: to, to: from });

export class RequestsAndNotifications1700000004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const renaming of renamings) await rename(runner, renaming);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const renaming of renamings) await rename(runner, reversed(renaming));
  }
}

/**
 * Renames the table, its partitions (`<table>_<month>`: `public.ensure_partitions` looks for partitions by this name),
 * and the constraints and indexes of all of them. Renaming the index of a constraint renames the constraint, and
 * renaming a constraint of a partitioned table renames it in the partitions.
 */
async function rename(runner: QueryRunner, { schema, from, to }: Renaming): Promise<void> {
  await runner.query(`
    DO $do$
    DECLARE
      named record;
      new_name text;
    BEGIN
      FOR named IN
        SELECT c.oid, c.relname AS name FROM pg_class c
        WHERE c.relnamespace = '${schema}'::regnamespace AND c.relkind IN ('r', 'p')
          AND (c.oid = '${schema}.${from}'::regclass
            OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '${schema}.${from}'::regclass))
      LOOP
        new_name := regexp_replace(named.name, '^${from}', '${to}');
        EXECUTE format('ALTER TABLE ${schema}.%I RENAME TO %I', named.name, new_name);
      END LOOP;
      FOR named IN
        SELECT i.relname AS name FROM pg_class t JOIN pg_index x ON x.indrelid = t.oid
          JOIN pg_class i ON i.oid = x.indexrelid
        WHERE t.relnamespace = '${schema}'::regnamespace AND t.relname ~ '^${to}(_|$)' AND i.relname ~ '^${from}_'
      LOOP
        new_name := regexp_replace(named.name, '^${from}', '${to}');
        EXECUTE format('ALTER INDEX ${schema}.%I RENAME TO %I', named.name, new_name);
      END LOOP;
      FOR named IN
        SELECT t.relname AS of_table, k.conname AS name FROM pg_class t JOIN pg_constraint k ON k.conrelid = t.oid
        WHERE t.relnamespace = '${schema}'::regnamespace AND t.relname ~ '^${to}(_|$)'
          AND k.conname ~ '^${from}_' AND k.coninhcount = 0
      LOOP
        new_name := regexp_replace(named.name, '^${from}', '${to}');
        EXECUTE format('ALTER TABLE ${schema}.%I RENAME CONSTRAINT %I TO %I', named.of_table, named.name, new_name);
      END LOOP;
    END $do$`);
  await runner.query(`ALTER VIEW IF EXISTS ${schema}_views.${from} RENAME TO ${to}`);
}
