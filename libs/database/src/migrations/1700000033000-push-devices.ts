/**
 * Devices: the browsers to which pages of a member are pushed. auth owns them. The services that find recipients and
 * send read the view, which has only those that have not ended.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect, tenantOf } from './row-level-security.js';

const auth = 'ams_auth';
const readers = ['ams_resource_api', 'ams_alert_pipeline', 'ams_workflow_engine'];
const both = readers.flatMap((role) => [role, `${role}_principal`]).join(', ');

const channels = ['email', 'slack', 'teams', 'mattermost', 'discord', 'webhook'];

const channelCheck = (allowed: readonly string[]): string => `
  ALTER TABLE workflows.notifications DROP CONSTRAINT notifications_channel_check,
    ADD CONSTRAINT notifications_channel_check CHECK (channel IN (${allowed.map((name) => `'${name}'`).join(', ')}))`;

export class PushDevices1700000033000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.push_devices (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL REFERENCES auth.organizations,
        member_id uuid NOT NULL REFERENCES auth.members,
        name text NOT NULL,
        -- The host of the push service.
        service text NOT NULL,
        -- SHA-256 of the endpoint.
        endpoint_hash bytea NOT NULL,
        -- Endpoint and keys, encrypted by the service with a key of the operator. Null: the device has ended.
        subscription bytea,
        created_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        end_reason text CHECK (end_reason IN ('gone', 'replaced')),
        CONSTRAINT push_devices_ended_check CHECK ((subscription IS NULL) = (ended_at IS NOT NULL)
          AND (ended_at IS NULL) = (end_reason IS NULL))
      );
      CREATE INDEX push_devices_member ON auth.push_devices (member_id, created_at, id);
      CREATE UNIQUE INDEX push_devices_endpoint ON auth.push_devices (endpoint_hash, member_id) WHERE ended_at IS NULL;
      GRANT SELECT, INSERT, UPDATE, DELETE ON auth.push_devices TO ${auth};
    `);
    await protect(runner, 'auth.push_devices', [auth]);
    await runner.query(`
      CREATE VIEW auth_views.push_devices AS
        SELECT id, organization_id, member_id, name, subscription, created_at FROM auth.push_devices
        WHERE ended_at IS NULL
          AND (current_user NOT LIKE '%\\_principal' OR (${tenantOf('auth.push_devices')}));
      GRANT SELECT ON auth_views.push_devices TO ${both};
    `);
    await runner.query(channelCheck([...channels.slice(0, 1), 'push', ...channels.slice(1)]));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM workflows.notifications WHERE channel = 'push'`);
    await runner.query(channelCheck(channels));
    await runner.query('DROP VIEW auth_views.push_devices');
    await runner.query('DROP TABLE auth.push_devices');
  }
}
