/**
 * Members that the API writes; keys that are restricted to clients and teams; audit entries of a key on behalf of a
 * member. Services of the release before run on this schema, but a narrowed key is not valid in them.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { clientIds, isNarrowedTo, narrow, teamIds, widen, type Belonging } from './narrowing.js';
import { tenantOf } from './row-level-security.js';

const ofAlert = (relation: string, column = 'alert_id') => ({ relation, column, belonging: { client: 'client_id' } });
const ofIntegration = {
  through: [{ relation: 'resources.integrations', column: 'integration_id', belonging: { client: 'client_id' } }],
};

export const ofSchedule = {
  through: [{ relation: 'resources.schedules', column: 'schedule_id', belonging: { team: 'team_id' } }],
};

/** A notification belongs to whom its alert belongs, or its incident. */
export const ofNotifications: Belonging = {
  through: [
    ofAlert('alerts_views.alerts'),
    { ...ofAlert('alerts_views.incidents', 'incident_id'), unless: 'alert_id' },
  ],
};

/** A table that is not named here, and has no entry in the list of the test, fails the test. */
export const narrowed: Record<string, Belonging> = {
  'alerts.alerts': { client: 'client_id' },
  'alerts.events': { through: [ofAlert('alerts.alerts')] },
  'alerts.timeline': { through: [ofAlert('alerts.alerts')] },
  'alerts.incidents': { client: 'client_id' },
  'alerts.incident_timeline': { through: [ofAlert('alerts.incidents', 'incident_id')] },
  // Counters are by integration, and the alerts of one may belong to several clients.
  'alerts.counts': {},
  'alerts.window_counts': {
    through: [
      { relation: 'resources_views.suppression_windows', column: 'window_id', belonging: { clients: 'client_ids' } },
    ],
  },
  'alerts.window_watch': {},
  'alerts.heartbeats': {},
  'resources.clients': { client: 'id' },
  'resources.client_names': { client: 'client_id' },
  'resources.integrations': { client: 'client_id', team: 'team_id' },
  'resources.integration_activity': ofIntegration,
  'resources.requests': ofIntegration,
  'resources.suppression_windows': { clients: 'client_ids' },
  'resources.teams': { team: 'id' },
  'resources.team_members': { team: 'team_id' },
  'resources.escalation_policies': { team: 'team_id' },
  'resources.policy_references': {
    through: [{ relation: 'resources.escalation_policies', column: 'policy_id', belonging: { team: 'team_id' } }],
  },
  'resources.organization_settings': {},
  'resources.schedules': { team: 'team_id' },
  'resources.schedule_overrides': ofSchedule,
  'resources.schedule_members': ofSchedule,
  'resources.workflows': { team: 'team_id' },
  'resources.workflow_references': {},
  'workflows.runs': {},
  'workflows.considered': {},
  'workflows.notifications': ofNotifications,
  'auth.api_keys': { condition: `(client_ids <@ ${clientIds} AND team_ids <@ ${teamIds})` },
  'auth.audit_log': {},
};

const auth = 'ams_auth, ams_auth_principal';

const memberColumns = 'id, organization_id, name, email, role, status, timezone, contact_methods, created_at';

const membersView = (columns: string): string => `
  CREATE OR REPLACE VIEW auth_views.members AS SELECT ${columns} FROM auth.members
  WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf('auth.members')})`;

/** `valid`: a condition on the row of the key besides its revocation and expiry. */
const keyFunctions = (valid: string): string => `
  CREATE OR REPLACE FUNCTION auth.hold_key(key uuid) RETURNS boolean LANGUAGE sql VOLATILE SECURITY DEFINER
    SET search_path = pg_catalog, auth AS $$
    SELECT count(*) = 1 FROM (
      SELECT 1 FROM auth.api_keys WHERE id = key AND revoked_at IS NULL AND (expires_at IS NULL
        OR expires_at > clock_timestamp()) ${valid} FOR KEY SHARE
    ) AS held
  $$;
  CREATE OR REPLACE FUNCTION auth.key_is_live(key uuid) RETURNS boolean LANGUAGE sql VOLATILE SECURITY DEFINER
    SET search_path = pg_catalog, auth AS $$
    SELECT EXISTS (SELECT 1 FROM auth.api_keys WHERE id = key AND revoked_at IS NULL AND (expires_at IS NULL
      OR expires_at > clock_timestamp()) ${valid})
  $$`;

/** A member who is invited is notified, and may act by the links in those messages. */
const holdMember = (may: string): string => `
  CREATE OR REPLACE FUNCTION auth.hold_member(member uuid, organization uuid) RETURNS boolean LANGUAGE sql VOLATILE
    SECURITY DEFINER SET search_path = pg_catalog, auth AS $$
    SELECT count(*) = 1 FROM (SELECT 1 FROM auth.members WHERE id = member AND organization_id = organization
      AND ${may} FOR SHARE) AS held
  $$`;

export class MembersAndNarrowedKeys1700000012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.members ADD COLUMN external_id text;
      CREATE UNIQUE INDEX members_external_id ON auth.members (organization_id, external_id)
        WHERE external_id IS NOT NULL;
      ALTER TABLE auth.api_keys ADD COLUMN client_ids uuid[], ADD COLUMN team_ids uuid[],
        ADD CONSTRAINT api_keys_restriction_check CHECK ((client_ids IS NULL) = (team_ids IS NULL)
          AND cardinality(client_ids) + cardinality(team_ids) > 0);
      -- The key by which a member acted.
      ALTER TABLE auth.audit_log ADD COLUMN actor_via jsonb;
      -- A key that is restricted to clients names those that exist.
      GRANT USAGE ON SCHEMA resources_views TO ${auth};
      GRANT SELECT ON resources_views.clients TO ${auth};
    `);
    await runner.query(membersView(`${memberColumns}, external_id, updated_at, version`));
    await runner.query(holdMember("status <> 'disabled'"));
    await runner.query(keyFunctions(`AND ${isNarrowedTo('client_ids', 'team_ids')}`));
    // The views of suppression windows, alerts and incidents first: conditions of others read them.
    for (const [table, belonging] of Object.entries(narrowed)) await narrow(runner, table, belonging);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(narrowed)) await widen(runner, table);
    await runner.query(keyFunctions(''));
    await runner.query(holdMember("status = 'active'"));
    await runner.query('DROP VIEW auth_views.members');
    await runner.query(membersView(memberColumns));
    const readers = ['ams_resource_api', 'ams_alert_pipeline', 'ams_workflow_engine'];
    const roles = readers.flatMap((role) => [role, `${role}_principal`]).join(', ');
    await runner.query(`
      GRANT SELECT ON auth_views.members TO ${roles};
      REVOKE SELECT ON resources_views.clients FROM ${auth};
      REVOKE USAGE ON SCHEMA resources_views FROM ${auth};
      ALTER TABLE auth.audit_log DROP COLUMN actor_via;
      ALTER TABLE auth.api_keys DROP COLUMN client_ids, DROP COLUMN team_ids;
      ALTER TABLE auth.members DROP COLUMN external_id`);
  }
}
