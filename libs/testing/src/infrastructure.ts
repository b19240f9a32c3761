// A temporary PostgreSQL and NATS for tests.
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createDatabase as createDatabaseIn,
  defaultCacheDir,
  dropDatabase,
  type EmbeddedNats,
  type EmbeddedPostgres,
  findNatsServer,
  removeState,
  startNats,
  startPostgres,
} from '@ams/embedded';

export interface TestInfrastructureOptions {
  /** True: write durably as in production, for tests that kill a server. Otherwise a crash loses all data. */
  durable?: boolean;
  /** Receives progress messages. */
  log?: (line: string) => void;
}

export interface TestInfrastructure {
  postgresUrl: string;
  natsUrl: string;
  postgres: EmbeddedPostgres;
  nats: EmbeddedNats;
  /** Stops both and deletes their folder. */
  stop(): Promise<void>;
}

export async function startTestInfrastructure({
  durable = false,
  log,
}: TestInfrastructureOptions = {}): Promise<TestInfrastructure> {
  const dir = temporaryFolder();
  const [postgres, nats] = await Promise.allSettled([
    startTestPostgres(dir, durable, log),
    startNatsIn(dir, durable, log),
  ]);
  const stop = async () => {
    await Promise.all(
      [postgres, nats].map((server) => (server.status === 'fulfilled' ? server.value.stop() : undefined)),
    );
    removeState(dir);
  };
  if (postgres.status === 'rejected' || nats.status === 'rejected') {
    await stop();
    throw postgres.status === 'rejected' ? postgres.reason : (nats as PromiseRejectedResult).reason;
  }
  return { postgresUrl: postgres.value.url, natsUrl: nats.value.url, postgres: postgres.value, nats: nats.value, stop };
}

/**
 * For a whole test run: starts the servers whose TEST_POSTGRES_URL or TEST_NATS_URL is not set, sets these variables,
 * and returns a function that stops them.
 */
export async function provideTestInfrastructure(options: TestInfrastructureOptions = {}): Promise<() => Promise<void>> {
  const { TEST_POSTGRES_URL: postgresUrl, TEST_NATS_URL: natsUrl } = process.env;
  if (postgresUrl && natsUrl) return async () => undefined;
  const started = await startTestInfrastructure(options);
  process.env['TEST_POSTGRES_URL'] = postgresUrl || started.postgresUrl;
  process.env['TEST_NATS_URL'] = natsUrl || started.natsUrl;
  return started.stop;
}

/** `stop` also deletes its folder. */
export type TestNats = EmbeddedNats;

/**
 * A NATS server for one test file. It starts in 40 ms, so files need not share streams, subjects or key-value buckets,
 * and a test may kill it.
 */
export async function startTestNats({ durable = false, log }: TestInfrastructureOptions = {}): Promise<TestNats> {
  const dir = temporaryFolder();
  let nats: EmbeddedNats;
  try {
    nats = await startNatsIn(dir, durable, log);
  } catch (error) {
    removeState(dir);
    throw error;
  }
  const { stop } = nats;
  nats.stop = async () => {
    await stop();
    removeState(dir);
  };
  return nats;
}

export interface TestDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

/** An empty database in the test cluster, or a copy of `template`. `createTestDatabase` creates one with the schema. */
export async function createDatabase({
  template,
  postgresUrl = testPostgresUrl(),
}: { template?: string; postgresUrl?: string } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = await createDatabaseIn(postgresUrl, name, { template });
  return { name, url, drop: () => dropDatabase(postgresUrl, name) };
}

/** The URL of the superuser. */
export const testPostgresUrl = () => required('TEST_POSTGRES_URL');
export const testNatsUrl = () => required('TEST_NATS_URL');

function required(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: add the global set-up of @ams/testing to this project's jest.config.mjs`);
  return value;
}

/** Disables waiting for disk writes. */
const withoutDurability = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** On a busy machine the process of a test may stand still for seconds: a closed connection would lose its requests. */
const patientNats = 'ping_interval: "60s"';

const startTestPostgres = (dir: string, durable: boolean, log?: (line: string) => void) =>
  startPostgres({
    dir: join(dir, 'postgres'),
    log,
    settings: durable ? {} : { ...withoutDurability, max_connections: 400 },
  });

async function startNatsIn(dir: string, durable: boolean, log?: (line: string) => void): Promise<EmbeddedNats> {
  const binary = await findNatsServer({ cacheDir: defaultCacheDir(dir), log });
  return startNats({ dir: join(dir, 'nats'), durable, binary, log, config: durable ? undefined : patientNats });
}

const PREFIX = 'ams-test-';

/** Other users need access: as root, PostgreSQL runs as another user. */
function temporaryFolder(): string {
  removeLeftovers();
  const dir = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(dir, 0o711);
  return dir;
}

/** Folders of test runs that were killed: their processes ended, but the folders still exist. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const dir = join(tmpdir(), name);
    const pid = Number(name.slice(PREFIX.length).split('-')[0]);
    const owner = lstatSync(dir, { throwIfNoEntry: false })?.uid;
    if (!pid || isAlive(pid) || owner !== process.getuid?.()) continue;
    try {
      removeState(dir);
    } catch {
      // Another run deletes it now, or a server is still stopping: a later run deletes it.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
