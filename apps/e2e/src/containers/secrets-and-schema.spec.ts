/** What the containers need before the services: `secrets create` and `database migrate`, with settings in files. */
import {
  createTestDatabase,
  startTestInfrastructure,
  testPasswords,
  type MigratedDatabase,
  type TestInfrastructure,
} from '@ams/testing';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { main } from '../../../../tools/admin/main.mjs';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ams-secrets-'))));
afterEach(() => rmSync(folder, { recursive: true }));

async function admin(words: string[], environment: Record<string, string> = {}) {
  const { env } = process;
  const { log, error } = console;
  const printed = { stdout: '', stderr: '' };
  process.env = environment;
  console.log = (line: string) => void (printed.stdout += `${line}\n`);
  console.error = (line: string) => void (printed.stderr += `${line}\n`);
  try {
    return { code: await main(words), ...printed };
  } finally {
    process.env = env;
    Object.assign(console, { log, error });
  }
}

const filesOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(dir.length + 1), readFileSync(file, 'utf8')]),
  );

describe('secrets create', () => {
  it('writes a folder for each container, and keeps the values in a second run', async () => {
    expect(await admin(['secrets', 'create', folder, '--database', 'db.internal:6432/alerts'])).toMatchObject({
      code: 0,
      stderr: '',
    });
    const first = filesOf(folder);
    const password = first['auth/database-url']?.split(/[:@]/)[2];
    expect(first['auth/database-url']).toBe(`postgres://ams_auth:${password}@db.internal:6432/alerts`);
    expect(first['schema/auth-password']).toBe(password);
    expect(first['api-gateway/link-secret']).toBe(first['workflow-engine/link-secret']);
    expect(first['notifier/secrets-key']).toBe(first['auth/secrets-key']);
    expect(first['nats/accounts.conf']).toContain(first['notifier/nats-password']);
    expect(
      Object.keys(first)
        .filter((name) => name.startsWith('notifier/'))
        .sort(),
    ).toEqual(
      ['master-keys', 'nats-password', 'secrets-key', 'smtp-url', 'vapid-private-key', 'vapid-public-key'].map(
        (n) => `notifier/${n}`,
      ),
    );
    expect(statSync(join(folder, 'auth/database-url')).mode & 0o777).toBe(0o600);

    expect(await admin(['secrets', 'create', folder, '--database', 'db.internal:6432/alerts'])).toMatchObject({
      code: 0,
    });
    expect(filesOf(folder)).toEqual(first);
  });

  it('makes files that the user of a container can read, but not those of all values', async () => {
    await admin(['secrets', 'create', folder, '--for-containers']);
    expect(statSync(join(folder, 'auth/nats-password')).mode & 0o777).toBe(0o444);
    expect(statSync(join(folder, 'state/values.json')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['--database', 'db internal/x', '--database must have the form HOST:PORT/NAME.'],
    ['--smtp-url', 'mail.example.com', '--smtp-url must be smtp:// or smtps://.'],
  ])('refuses %s %s', async (option, value, sentence) => {
    const { code, stderr } = await admin(['secrets', 'create', folder, option, value]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('database migrate', () => {
  let servers: TestInfrastructure;
  let database: MigratedDatabase;
  beforeAll(async () => {
    servers = await startTestInfrastructure();
    database = await createTestDatabase(servers);
  });
  afterAll(() => servers?.stop());

  const environment = (): Record<string, string> => {
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), `${text}\n`);
      return join(folder, name);
    };
    return {
      DATABASE_URL_FILE: file('database-url', database.url),
      ...Object.fromEntries(
        Object.entries(testPasswords).map(([name, password]) => [
          `${name.toUpperCase().replaceAll('-', '_')}_DATABASE_PASSWORD_FILE`,
          file(name, password),
        ]),
      ),
    };
  };

  it('brings the schema to this release, with all secrets in files', async () => {
    expect(await admin(['database', 'migrate'], environment())).toEqual({
      code: 0,
      stdout: 'The schema is current.\n',
      stderr: '',
    });
  });

  it('names what is missing', async () => {
    const { AUTH_DATABASE_PASSWORD_FILE: _auth, ...others } = environment();
    expect(await admin(['database', 'migrate'], others)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/AUTH_DATABASE_PASSWORD/),
    });
    expect(await admin(['database', 'migrate'], { DATABASE_URL_FILE: join(folder, 'none') })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/DATABASE_URL_FILE: .*none cannot be read/),
    });
  });
});
