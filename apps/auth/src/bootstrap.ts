/**
 * Creates the first organization:
 *
 *   DATABASE_URL=… node apps/auth/dist/bootstrap.js --organization NAME --owner-email E --owner-name N --key-name K
 *
 * Prints `{"organizationId", "ownerId", "key"}`; `key` is null when the organization exists already. Exit
 * status: 64 for wrong arguments, 78 for wrong settings, 1 for another failure.
 */
import { Database } from '@ams/database';
import { readSettings, Setting, withoutCredentials } from '@ams/service';
import { IsNotEmpty, IsString } from 'class-validator';
import { parseArgs } from 'node:util';
import { entities } from './entities.js';
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

const names = ['organization', 'owner-email', 'owner-name', 'key-name'] as const;

const input = read(64, () => {
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const missing = names.filter((name) => !values[name]);
  if (missing.length > 0) throw new Error(`${missing.map((name) => `--${name}`).join(', ')} must be given`);
  const value = (name: (typeof names)[number]): string => String(values[name]);
  return {
    organization: value('organization'),
    ownerEmail: value('owner-email'),
    ownerName: value('owner-name'),
    keyName: value('key-name'),
  };
});
const { databaseUrl } = read(78, () => readSettings(BootstrapSettings));

try {
  const database = await Database.open({ service: 'auth', url: databaseUrl, poolSize: 2, entities });
  const organization = await ensureFirstOrganization(database, input);
  await database.close();
  process.stdout.write(`${JSON.stringify(organization)}\n`);
} catch (error) {
  fail(1, error);
}
