/** Row-level security, the same for every table with tenants: the database also separates tenants. */
import type { QueryRunner } from 'typeorm';

/** The roles of the first services; later services are added in their own migrations. */
const firstRoles = ['ams_auth', 'ams_resource_api', 'ams_alert_pipeline'];

/** Tables of the organization: both environments share their rows. */
const ofOrganization: readonly string[] = [
  'auth.organizations',
  'auth.members',
  'auth.api_key_creations',
  'auth.account_mails',
  'auth.push_devices',
  'auth.mail_recipients',
  'workflows.message_counts',
  'alerts.incident_numbers',
];

/** The condition for the rows of the transaction's tenant. */
export const tenantOf = (table: string): string => {
  const environment = ofOrganization.includes(table)
    ? ''
    : `AND environment = current_setting('app.environment', true)`;
  const organization = table === 'auth.organizations' ? 'id' : 'organization_id';
  return `${organization} = nullif(current_setting('app.organization_id', true), '')::uuid ${environment}`;
};

/**
 * Row-level security: all rows for a service's own work (and for the owner of the tables, who runs hold_key and
 * key_is_live and need not be a superuser), one tenant for a transaction that serves a principal.
 */
export async function protect(runner: QueryRunner, table: string, roles: string[] = firstRoles): Promise<void> {
  await runner.query(`
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY service ON ${table} TO ${roles.join(', ')}, CURRENT_USER USING (true) WITH CHECK (true);
    CREATE POLICY tenant ON ${table} TO ${roles.map((role) => `${role}_principal`).join(', ')} USING
      (${tenantOf(table)});
  `);
}

/** Grants a later service access to a table of another service, with the same two roles. */
export async function admit(runner: QueryRunner, table: string, role: string): Promise<void> {
  const name = role.replace('ams_', '');
  await runner.query(`
    CREATE POLICY ${name} ON ${table} FOR SELECT TO ${role} USING (true);
    CREATE POLICY ${name}_principal ON ${table} FOR SELECT TO ${role}_principal USING (${tenantOf(table)});
  `);
}
