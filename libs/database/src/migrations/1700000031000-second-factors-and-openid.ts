/**
 * Second factors, passkeys and identities of an OpenID provider. They belong to accounts, and serve the sign-in only:
 * transactions of principals cannot read these tables.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const auth = 'ams_auth';

const tables = [
  'totp_secrets',
  'recovery_codes',
  'passkeys',
  'passkey_challenges',
  'openid_identities',
  'openid_sign_ins',
  'openid_teams',
].map((table) => `auth.${table}`);

export class SecondFactorsAndOpenId1700000031000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.totp_secrets (
        account_id uuid PRIMARY KEY REFERENCES auth.accounts ON DELETE CASCADE,
        -- Encrypted by the service, with a key of the operator. Null: no app is set up.
        secret bytea,
        -- The last time step whose code was used. Codes of this step and of earlier ones are not valid.
        last_step bigint,
        confirmed_at timestamptz(3),
        -- A secret that no code has confirmed yet.
        new_secret bytea,
        new_secret_at timestamptz(3),
        CHECK ((secret IS NULL) = (confirmed_at IS NULL)),
        CHECK ((new_secret IS NULL) = (new_secret_at IS NULL))
      );

      CREATE TABLE auth.recovery_codes (
        account_id uuid NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
        code_hash text NOT NULL,
        PRIMARY KEY (account_id, code_hash)
      );

      CREATE TABLE auth.passkeys (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
        -- Made by the authenticator, base64url.
        credential_id text NOT NULL UNIQUE,
        -- COSE (RFC 9052).
        public_key bytea NOT NULL,
        -- How often the authenticator has signed. Many do not count: then it stays 0.
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL,
        -- Whether it is stored with the provider of the authenticator, and so is on several devices.
        backed_up boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3)
      );
      CREATE INDEX passkeys_account ON auth.passkeys (account_id, created_at, id);

      CREATE TABLE auth.passkey_challenges (
        challenge_hash text PRIMARY KEY,
        purpose text NOT NULL CHECK (purpose IN ('registration', 'sign_in')),
        -- Who registers a passkey.
        account_id uuid REFERENCES auth.accounts ON DELETE CASCADE,
        expires_at timestamptz(3) NOT NULL,
        CHECK ((purpose = 'registration') = (account_id IS NOT NULL))
      );
      CREATE INDEX passkey_challenges_expiry ON auth.passkey_challenges (expires_at);

      CREATE TABLE auth.openid_identities (
        issuer text NOT NULL,
        subject text NOT NULL,
        account_id uuid NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3) NOT NULL,
        PRIMARY KEY (issuer, subject)
      );
      CREATE INDEX openid_identities_account ON auth.openid_identities (account_id);

      -- Sign-ins at the provider that have begun, by the token in the cookie of the browser.
      CREATE TABLE auth.openid_sign_ins (
        token_hash text PRIMARY KEY,
        state_hash text NOT NULL,
        nonce text NOT NULL,
        code_verifier text NOT NULL,
        return_to text NOT NULL,
        expires_at timestamptz(3) NOT NULL
      );
      CREATE INDEX openid_sign_ins_expiry ON auth.openid_sign_ins (expires_at);

      -- Teams of members by the groups of the provider, which resource-api does not know yet.
      CREATE TABLE auth.openid_teams (
        member_id uuid PRIMARY KEY REFERENCES auth.members,
        request jsonb NOT NULL,
        noted_at timestamptz NOT NULL
      );

      GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables.join(', ')} TO ${auth};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${[...tables].reverse().join(', ')}`);
  }
}
