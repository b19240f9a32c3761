/**
 * Creates the first organization:
 *
 *   DATABASE_URL=… node apps/auth/dist/bootstrap.js --organization NAME --owner-email E --owner-name N --key-name K
 *     [--link-base URL] [--mail-domains D,…]
 *
 * Prints `{"organizationId", "ownerId", "key", "signInUrl"}`; `key` is null when the organization exists already.
 * `signInUrl`, with --link-base only, is a link by which the first owner signs in to the dashboard once.
 * To the addresses of `--mail-domains` mail may be sent. Exit status: 64 for wrong arguments, 78 for wrong settings, 1 for
 * another failure.
 */
import { Database } from '@ams/database';
import { readSettings, Setting, withoutCredentials } from '@ams/service';
import { IsNotEmpty, IsString } from 'class-validator';
import { parseArgs } from 'node:util';
import { entities } from './entities.js';
import { signInLink } from './accounts/operator-links.js';
import { setup } from './operator/operator.js';
import { slugOf } from './organizations/slug.js';
import { ensureFirstOrganization } from './organizations/operator-organizations.js';

class BootstrapSettings {
  @Setting('DATABASE_URL', 'PostgreSQL, as the role of auth.', { secret: true })
  @IsString()
  @IsNotEmpty()
  databaseUrl!: string;
}

function fail(status: number, error: unknown): never {
  process.stderr.write(`bootstrap: ${withoutCredentials(error instanceof Error ? error.message : String(error))}\n`);
  process.exit(status);
}

function read<T>(status: number, reading: () => T): T {
  try {
    return reading();
  } catch (error) {
    return fail(status, error);
  }
}

const linkBase = 'link-base';
const mailDomains = 'mail-domains';
const names = ['organization', 'owner-email', 'owner-name', 'key-name'] as const;

const input = read(64, () => {
  const { values } = parseArgs({
    options: Object.fromEntries([...names, linkBase, mailDomains].map((name) => [name, { type: 'string' as const }])),
  });
  const missing = names.filter((name) => !values[name]);
  if (missing.length > 0) throw new Error(`${missing.map((name) => `--${name}`).join(', ')} must be given`);
  const value = (name: (typeof names)[number]): string => String(values[name]);
  const base = values[linkBase];
  const domains = values[mailDomains];
  return {
    organization: value('organization'),
    ownerEmail: value('owner-email'),
    ownerName: value('owner-name'),
    keyName: value('key-name'),
    baseUrl: typeof base === 'string' ? base : null,
    mailDomains: typeof domains === 'string' ? domains.split(',') : [],
  };
});
const { databaseUrl } = read(78, () => readSettings(BootstrapSettings));

try {
  const database = await Database.open({ service: 'auth', url: databaseUrl, poolSize: 2, entities });
  const organization = await ensureFirstOrganization(database, input);
  const { baseUrl } = input;
  const link =
    baseUrl === null ? null : await signInLink(database, setup, { organization: slugOf(input.organization), baseUrl });
  await database.close();
  process.stdout.write(`${JSON.stringify({ ...organization, ...(link && { signInUrl: link.url }) })}\n`);
} catch (error) {
  fail(1, error);
}
