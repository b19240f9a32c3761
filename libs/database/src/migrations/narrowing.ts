/**
 * Narrowed keys in the database. A transaction of a key that is restricted to clients or teams sets their UUIDs in
 * `app.client_ids` and `app.team_ids`, and sees only rows that belong to one of them. All other transactions do not set
 * them and see the whole tenant.
 *
 * A table gets a restrictive policy named `narrowed` for the role of principals, and its published view the same
 * condition. A test compares the tables that have neither with a list.
 */
import type { QueryRunner } from 'typeorm';
import { tenantOf } from './row-level-security.js';

const setting = (name: string): string => `coalesce(current_setting('app.${name}', true), '')`;
const ids = (name: string): string => `nullif(current_setting('app.${name}', true), '')::uuid[]`;

export const clientIds = ids('client_ids');
export const teamIds = ids('team_ids');

/** The transaction is not narrowed. */
const isWhole = `${setting('client_ids')} = ''`;

/**
 * Whether the arrays of a key are those of the transaction. So a service that does not know narrowed keys cannot serve
 * one: its transaction fails as if the key were revoked.
 */
export const isNarrowedTo = (clients: string, teams: string): string =>
  `(${clients} IS NULL OR (${clients} = ${clientIds} AND ${teams} = ${teamIds}))`;

/** How the rows of a table belong to clients and teams. Several ways are alternatives; without one, to nobody. */
export interface Belonging {
  /** The column with the UUID of the client. */
  client?: string;
  /** The column with UUIDs of clients: all of them must be among those of the key. An empty list is nobody's. */
  clients?: string;
  /** The column with the UUID of the team. */
  team?: string;
  /** A row belongs to whom the row of another table or view belongs that its column names. */
  through?: { relation: string; column: string; belonging: Belonging; unless?: string }[];
  /** A condition of its own. */
  condition?: string;
}

function belongs(table: string, { client, clients, team, through = [], condition }: Belonging): string {
  const ways = [
    ...(client ? [`${table}.${client} = ANY (${clientIds})`] : []),
    ...(clients ? [`(${table}.${clients} <> '{}' AND ${table}.${clients} <@ ${clientIds})`] : []),
    ...(team ? [`${table}.${team} = ANY (${teamIds})`] : []),
    ...through.map(
      ({ relation, column, belonging, unless }) =>
        `(${unless ? `${table}.${unless} IS NULL AND ` : ''}EXISTS (SELECT FROM ${relation} AS owner
          WHERE owner.id = ${table}.${column} AND (${belongs('owner', belonging)})))`,
    ),
    ...(condition ? [condition] : []),
  ];
  return ways.join(' OR ') || 'false';
}

/** The condition of a published view: the whole for services, one tenant and what belongs to the key for principals. */
export const viewCondition = (table: string, belonging: Belonging): string =>
  `current_user NOT LIKE '%\\_principal' OR ((${tenantOf(table)})
    AND (${isWhole} OR ${belongs(table.split('.')[1] as string, belonging)}))`;

/** Sets the policy of the table and the condition of its view, also when they exist. */
export async function narrow(runner: QueryRunner, table: string, belonging: Belonging): Promise<void> {
  const [schema, name] = table.split('.') as [string, string];
  const [tenant] = (await runner.query(
    `SELECT array_to_string(roles, ', ') AS roles FROM pg_policies
     WHERE schemaname = $1 AND tablename = $2 AND policyname = 'tenant'`,
    [schema, name],
  )) as { roles: string }[];
  if (!tenant) throw new Error(`${table} has no policy for tenants`);
  await runner.query(`
    DROP POLICY IF EXISTS narrowed ON ${table};
    CREATE POLICY narrowed ON ${table} AS RESTRICTIVE TO ${tenant.roles} USING (${isWhole}
      OR ${belongs(name, belonging)})`);
  const view = await columnsOf(runner, `${schema}_views`, name);
  if (view.length > 0)
    await runner.query(`
      CREATE OR REPLACE VIEW ${schema}_views.${name} AS SELECT ${view.join(', ')} FROM ${table}
      WHERE ${viewCondition(table, belonging)}`);
}

/** What `narrow` did to the table; the condition of its view stays. */
export const widen = (runner: QueryRunner, table: string): Promise<unknown> =>
  runner.query(`DROP POLICY narrowed ON ${table}`);

async function columnsOf(runner: QueryRunner, schema: string, view: string): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND c.relname = $2 AND c.relkind = 'v'
       AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [schema, view],
  )) as { name: string }[];
  return rows.map(({ name }) => name);
}
