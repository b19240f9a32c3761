/**
 * Addresses and domains to which an organization may send mails, besides the addresses of its members. auth owns them.
 * The services that find recipients and send read the view. The addresses that are in use are verified. Expand only.
 */
import { newUuid } from '@ams/contracts';
import { mailRecipientKey } from '@ams/domain';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect, tenantOf } from './row-level-security.js';

const auth = 'ams_auth';
const readers = ['ams_resource_api', 'ams_alert_pipeline', 'ams_workflow_engine'];
const both = readers.flatMap((role) => [role, `${role}_principal`]).join(', ');

interface Used {
  organizationId: string;
  address: string;
}

const purposes = ['invitation', 'password_reset', 'welcome'];

const tokenChecks = (of: readonly string[], owner: string): string => `
  ALTER TABLE auth.account_tokens DROP CONSTRAINT account_tokens_purpose_check,
    DROP CONSTRAINT account_tokens_check,
    ADD CONSTRAINT account_tokens_purpose_check CHECK (purpose IN (${of.map((word) => `'${word}'`).join(', ')})),
    ADD CONSTRAINT account_tokens_check CHECK (CASE purpose
      WHEN 'password_reset' THEN account_id IS NOT NULL AND member_id IS NULL
      ${owner} ELSE account_id IS NULL AND member_id IS NOT NULL AND organization_id IS NOT NULL END)`;

const mailCheck = (columns: string): string => `
  ALTER TABLE auth.account_mails DROP CONSTRAINT account_mails_check,
    ADD CONSTRAINT account_mails_check CHECK (num_nonnulls(${columns}) = 1)`;

export class MailRecipients1700000041000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.mail_recipients (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL REFERENCES auth.organizations,
        kind text NOT NULL CHECK (kind IN ('address', 'domain')),
        -- As a person wrote it.
        value text NOT NULL,
        -- In the form in which it is compared.
        key text NOT NULL,
        status text NOT NULL CHECK (status IN ('pending', 'verified', 'bounced', 'complained')),
        -- Why mail to it has stopped.
        reason text,
        -- What the TXT record of a domain must contain. Everybody can read it in the DNS.
        token text,
        verified_by text CHECK (verified_by IN ('mail', 'dns', 'operator', 'earlier_use')),
        verified_at timestamptz(3),
        stopped_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT mail_recipients_domain_check CHECK ((kind = 'domain') = (token IS NOT NULL)
          AND (kind = 'address' OR status IN ('pending', 'verified'))),
        CONSTRAINT mail_recipients_state_check CHECK ((status IN ('bounced', 'complained')) = (stopped_at IS NOT NULL)
          AND (status <> 'verified' OR (verified_at IS NOT NULL AND verified_by IS NOT NULL)))
      );
      CREATE UNIQUE INDEX mail_recipients_key ON auth.mail_recipients (organization_id, kind, key);
      CREATE INDEX mail_recipients_list ON auth.mail_recipients (organization_id, created_at, id);
      GRANT SELECT, INSERT, UPDATE, DELETE ON auth.mail_recipients TO ${auth}, ${auth}_principal;

      ALTER TABLE auth.account_tokens ADD COLUMN recipient_id uuid REFERENCES auth.mail_recipients ON DELETE CASCADE;
      CREATE INDEX account_tokens_recipient ON auth.account_tokens (recipient_id) WHERE recipient_id IS NOT NULL;
      ALTER TABLE auth.account_mails ADD COLUMN recipient_id uuid REFERENCES auth.mail_recipients ON DELETE CASCADE;
      CREATE INDEX account_mails_recipient ON auth.account_mails (recipient_id) WHERE recipient_id IS NOT NULL;
    `);
    await runner.query(
      tokenChecks(
        [...purposes, 'recipient_verification'],
        `WHEN 'recipient_verification' THEN account_id IS NULL AND member_id IS NULL AND organization_id IS NOT NULL
           AND recipient_id IS NOT NULL`,
      ),
    );
    await runner.query(mailCheck('account_id, member_id, recipient_id'));
    await protect(runner, 'auth.mail_recipients', [auth]);
    // Not narrowed, as members and devices: pages of a narrowed key find their recipients with the view.
    await runner.query(`
      CREATE VIEW auth_views.mail_recipients AS
        SELECT organization_id, kind, key, status FROM auth.mail_recipients
        WHERE current_user NOT LIKE '%\\_principal' OR (${tenantOf('auth.mail_recipients')});
      GRANT SELECT ON auth_views.mail_recipients TO ${both};
    `);
    await verifyUsed(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM auth.account_tokens WHERE recipient_id IS NOT NULL;
      DELETE FROM auth.account_mails WHERE recipient_id IS NOT NULL;
    `);
    await runner.query(mailCheck('account_id, member_id'));
    await runner.query(tokenChecks(purposes, ''));
    await runner.query(`
      ALTER TABLE auth.account_tokens DROP COLUMN recipient_id;
      ALTER TABLE auth.account_mails DROP COLUMN recipient_id;
      DROP VIEW auth_views.mail_recipients;
      DROP TABLE auth.mail_recipients;
    `);
  }
}

/** What enabled workflows and escalation policies name. Addresses that labels of alerts name are not known here. */
async function verifyUsed(runner: QueryRunner): Promise<void> {
  const used = (await runner.query(`
    SELECT DISTINCT organization_id AS "organizationId", address #>> '{}' AS address FROM (
      SELECT organization_id, jsonb_path_query(steps, '$[*].params.targets[*] ? (@.type == "email").address') AS address
      FROM resources.workflows WHERE enabled
      UNION ALL
      SELECT organization_id, jsonb_path_query(levels, '$[*].targets[*] ? (@.type == "email").address')
      FROM resources.escalation_policies
    ) AS named WHERE organization_id IN (SELECT id FROM auth.organizations)`)) as Used[];
  for (const { organizationId, address } of used) {
    const key = mailRecipientKey('address', address);
    if (key === null) continue;
    await runner.query(
      `INSERT INTO auth.mail_recipients (id, organization_id, kind, value, key, status, verified_by, verified_at,
         created_at, updated_at) VALUES ($1, $2, 'address', $3, $4, 'verified', 'earlier_use', now(), now(), now())
       ON CONFLICT DO NOTHING`,
      [newUuid(), organizationId, address, key],
    );
  }
}
