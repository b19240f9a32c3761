/**
 * The roles of the services. Roles belong to the whole cluster, so the migration command creates them, not a migration.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

export const serviceRoles = {
  auth: 'ams_auth',
  'resource-api': 'ams_resource_api',
  'alert-pipeline': 'ams_alert_pipeline',
  'workflow-engine': 'ams_workflow_engine',
} as const;
export type DatabaseService = keyof typeof serviceRoles;

/**
 * The pipeline finds every row by key. A connection plans each statement once, possibly while the tables are empty, so
 * plans that read a whole table must be excluded.
 */
const settings: Partial<Record<DatabaseService, string>> = {
  'alert-pipeline': ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']
    .map((name) => `ALTER ROLE ${serviceRoles['alert-pipeline']} SET ${name} = off;`)
    .join(' '),
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Another transaction changed or created the same role at the same time. PostgreSQL has no SQLSTATE of its own for
 * "tuple concurrently updated".
 */
const isConcurrentChange = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return code === '23505' || code === '42710' || /tuple concurrently (updated|deleted)/.test(message ?? '');
};

/**
 * Creates the roles, or sets their passwords. Roles belong to the whole cluster, but advisory locks to one database. So
 * a change is repeated when it fails because a migration of another database changes the same role.
 */
export async function ensureRoles(client: Client, passwords: Record<DatabaseService, string>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await setRoles(client, passwords);
    } catch (error) {
      await client.query('ROLLBACK');
      if (!isConcurrentChange(error) || attempt === 30) throw error;
      await pause(Math.random() * 20 * attempt);
    }
  }
}

/**
 * Whether a service can become its principal role without being a member that has its rights (PostgreSQL 16). A member
 * is subject to the policies of both roles, and PostgreSQL plans the conditions of both in each statement of the service.
 */
async function knowsSetOnly(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ knows: boolean }>(
    `SELECT current_setting('server_version_num')::int >= 160000 AS knows`,
  );
  return rows[0]?.knows ?? false;
}

async function setRoles(client: Client, passwords: Record<DatabaseService, string>): Promise<void> {
  await client.query('BEGIN');
  await client.query("SELECT pg_advisory_xact_lock(hashtext('ams roles'))");
  const setOnly = await knowsSetOnly(client);
  for (const [service, role] of Object.entries(serviceRoles)) {
    const password = quoted(passwords[service as DatabaseService]);
    await client.query(`
      DO $do$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}_principal')
          THEN CREATE ROLE ${role}_principal NOLOGIN NOBYPASSRLS; END IF;
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}')
          THEN CREATE ROLE ${role} LOGIN NOBYPASSRLS; END IF;
      END $do$;
      ALTER ROLE ${role} PASSWORD ${password};
      ${setOnly ? `GRANT ${role}_principal TO ${role} WITH INHERIT FALSE, SET TRUE` : `GRANT ${role}_principal TO ${role}`};
      ${settings[service as DatabaseService] ?? ''}
    `);
  }
  await client.query('COMMIT');
}
