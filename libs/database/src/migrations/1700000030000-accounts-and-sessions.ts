/**
 * Accounts, with which people sign in, and their sessions. An account belongs to a person, not to an organization: its
 * members (`auth.members.account_id`) say to which organizations the person belongs. The new tables serve the sign-in
 * only. Transactions of principals cannot read them.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { narrow } from './narrowing.js';
import { protect } from './row-level-security.js';

const auth = 'ams_auth';

const services = ['ams_auth', 'ams_resource_api', 'ams_alert_pipeline', 'ams_workflow_engine'];
const allRoles = services.flatMap((role) => [role, `${role}_principal`]).join(', ');

const tables = ['accounts', 'sessions', 'account_tokens', 'account_mails', 'sign_in_attempts', 'member_windows'];

export class AccountsAndSessions1700000030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.accounts (
        id uuid PRIMARY KEY,
        email text NOT NULL,
        -- argon2id. Null: the person has no password (yet), and signs in in another way.
        password_hash text,
        password_changed_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      );
      CREATE UNIQUE INDEX accounts_email ON auth.accounts (lower(email));
      ALTER TABLE auth.members ADD COLUMN account_id uuid CONSTRAINT members_account_id_fkey REFERENCES auth.accounts;
      CREATE UNIQUE INDEX members_account ON auth.members (account_id, organization_id) WHERE account_id IS NOT NULL;

      CREATE TABLE auth.sessions (
        id uuid PRIMARY KEY,
        token_hash text NOT NULL UNIQUE,
        account_id uuid NOT NULL REFERENCES auth.accounts,
        -- As whom the person acts at present.
        member_id uuid NOT NULL REFERENCES auth.members,
        organization_id uuid NOT NULL REFERENCES auth.organizations,
        -- The password was right, and another factor is still asked for. Such a session has no rights.
        pending boolean NOT NULL DEFAULT false,
        ip text,
        user_agent text,
        created_at timestamptz(3) NOT NULL,
        last_seen_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3)
      ) WITH (fillfactor = 80);
      CREATE INDEX sessions_account ON auth.sessions (account_id, created_at DESC, id DESC) WHERE ended_at IS NULL;
      CREATE INDEX sessions_member ON auth.sessions (member_id) WHERE ended_at IS NULL;
      CREATE INDEX sessions_expiry ON auth.sessions (expires_at);

      -- Links that can be used once: an invitation, a new password, a sign-in that an operator made.
      CREATE TABLE auth.account_tokens (
        id uuid PRIMARY KEY,
        purpose text NOT NULL CHECK (purpose IN ('invitation', 'password_reset', 'welcome')),
        token_hash text NOT NULL UNIQUE,
        account_id uuid REFERENCES auth.accounts,
        member_id uuid REFERENCES auth.members,
        organization_id uuid REFERENCES auth.organizations,
        -- The address to which the link was sent. A link ends when the member has another address.
        email text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CHECK (CASE purpose WHEN 'password_reset' THEN account_id IS NOT NULL AND member_id IS NULL
          ELSE account_id IS NULL AND member_id IS NOT NULL AND organization_id IS NOT NULL END)
      );
      CREATE INDEX account_tokens_account ON auth.account_tokens (account_id) WHERE account_id IS NOT NULL;
      CREATE INDEX account_tokens_member ON auth.account_tokens (member_id) WHERE member_id IS NOT NULL;
      CREATE INDEX account_tokens_expiry ON auth.account_tokens (expires_at);

      -- Mails to be sent. A token is made when the mail is sent, so none is stored here.
      CREATE TABLE auth.account_mails (
        id uuid PRIMARY KEY,
        purpose text NOT NULL,
        account_id uuid REFERENCES auth.accounts,
        member_id uuid REFERENCES auth.members,
        organization_id uuid REFERENCES auth.organizations,
        email text NOT NULL,
        -- The name of who caused the mail, for its text.
        requested_by text,
        created_at timestamptz(3) NOT NULL,
        attempts int NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        CHECK (num_nonnulls(account_id, member_id) = 1)
      );
      CREATE INDEX account_mails_due ON auth.account_mails (next_attempt_at);

      -- Attempts to sign in that failed or are in progress, by account and by network address.
      CREATE TABLE auth.sign_in_attempts (
        subject text PRIMARY KEY,
        started_at timestamptz NOT NULL,
        used int NOT NULL
      ) WITH (fillfactor = 50);

      -- As auth.request_windows, for the requests of a member with sessions.
      CREATE TABLE auth.member_windows (
        member_id uuid PRIMARY KEY,
        started_at timestamptz NOT NULL,
        used int NOT NULL
      ) WITH (fillfactor = 50);

      GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables.map((table) => `auth.${table}`).join(', ')} TO ${auth};

      -- Whoever invites a member adds a mail.
      GRANT INSERT ON auth.account_mails TO ${auth}_principal;

      -- Whether the session is valid and its member active; locks both, so that neither ends before this transaction.
      CREATE FUNCTION auth.hold_session(session uuid, member uuid, organization uuid) RETURNS boolean LANGUAGE sql
        VOLATILE SECURITY DEFINER SET search_path = pg_catalog, auth AS $$
        SELECT count(*) = 1 FROM (
          SELECT 1 FROM auth.sessions s JOIN auth.members m ON m.id = s.member_id
          WHERE s.id = session AND s.member_id = member AND s.organization_id = organization AND s.ended_at IS NULL
            AND NOT s.pending AND s.expires_at > clock_timestamp() AND m.status = 'active'
          FOR KEY SHARE OF s FOR SHARE OF m
        ) AS held
      $$;
      -- Whether the session is valid now.
      CREATE FUNCTION auth.session_is_live(session uuid, member uuid) RETURNS boolean LANGUAGE sql VOLATILE
        SECURITY DEFINER SET search_path = pg_catalog, auth AS $$
        SELECT EXISTS (SELECT 1 FROM auth.sessions s JOIN auth.members m ON m.id = s.member_id
          WHERE s.id = session AND s.member_id = member AND s.ended_at IS NULL AND NOT s.pending
            AND s.expires_at > clock_timestamp() AND m.status = 'active')
      $$;
      -- The last check before a commit.
      CREATE FUNCTION auth.require_live_session(session uuid, member uuid) RETURNS void LANGUAGE plpgsql VOLATILE
        SECURITY DEFINER SET search_path = pg_catalog, auth AS $$
      BEGIN
        IF NOT auth.session_is_live(session, member) THEN
          RAISE EXCEPTION 'the session is not live' USING ERRCODE = 'AK401';
        END IF;
      END $$;
      REVOKE EXECUTE ON FUNCTION auth.hold_session, auth.session_is_live, auth.require_live_session FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION auth.hold_session, auth.session_is_live, auth.require_live_session TO ${allRoles};
    `);
    await protect(runner, 'auth.account_mails', [auth]);
    await narrow(runner, 'auth.account_mails', {});
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION auth.require_live_session;
      DROP FUNCTION auth.session_is_live;
      DROP FUNCTION auth.hold_session;
      DROP TABLE ${[...tables]
        .reverse()
        .filter((table) => table !== 'accounts')
        .map((table) => `auth.${table}`)
        .join(', ')};
      ALTER TABLE auth.members DROP COLUMN account_id;
      DROP TABLE auth.accounts`);
  }
}
