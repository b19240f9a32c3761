// The embedded installation: PostgreSQL, NATS, schema, services, a demo organization. All state is in one folder.
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import * as embedded from '@ams/embedded';
import { migrate, serviceRoles } from '@ams/database';
import { brokerUsers, permissionsOf } from '@ams/messaging';
import { root } from '../lib/workspace.mjs';
import { readJson, secretsIn, writePrivate } from './secrets.mjs';
import { supervise } from './services.mjs';

const serviceNames = ['auth', 'alert-pipeline', 'resource-api', 'ingest-gateway', 'api-gateway'];

const demo = { organization: 'Demo', ownerName: 'Demo Owner', ownerEmail: 'owner@demo.example', keyName: 'demo key (all scopes)', integrationName: 'Demo' };

export async function run(options, report) {
  const running = [];
  let stopping = null;
  const stopAll = () => {
    stopping ??= (async () => {
      for (const part of [...running].reverse()) await Promise.all(part.map((p) => p.stop().catch((error) => report.line(`          ${error.message}`))));
    })();
    return stopping;
  };
  let signals = 0;
  const onSignal = () => {
    if (++signals > 1) process.exit(130);
    report.line('\nstopping (once more: at once)');
    stopAll().then(() => {
      report.line('stopped');
      process.exit(0);
    });
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);

  try {
    if (options.reset) await reset(options, report);
    await requirePort(options.host, options.port);
    mkdirSync(options.state, { recursive: true, mode: 0o700 });
    chmodSync(options.state, 0o700);
    const urls = await startStores(options, report, running);
    await startServices(options, urls, report, running);
    const facts = await makeDemo(options, urls, report);
    announce(options, facts, report);
  } catch (error) {
    if (stopping) return;
    report.failed(error);
    await stopAll();
    process.exit(1);
  }
}

async function reset({ state, databaseUrl }, report) {
  if (databaseUrl) throw new Error('--reset throws away the embedded state only; DATABASE_URL names a database that is not ours to empty.');
  if (!existsSync(state)) return;
  await report.step('throwing the old state away', async () => {
    embedded.removeState(state);
    rmSync(state, { recursive: true, force: true });
  });
}

const requirePort = (host, port) =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} is taken by another program. Choose another: npm start -- --port ${port + 1}`)
          : new Error(`port ${port} on ${host} cannot be opened (${error.code})`),
      ),
    );
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });

async function startStores({ state, databaseUrl, natsUrl }, report, running) {
  const secrets = secretsIn(state, [...brokerUsers.map((name) => `nats ${name}`), ...Object.keys(serviceRoles).map((name) => `database ${name}`)]);
  const users = brokerUsers.map((name) => {
    const { publish, subscribe, answers } = permissionsOf(name);
    return {
      user: name,
      password: secrets[`nats ${name}`],
      permissions: { publish: { allow: publish }, subscribe: { allow: subscribe }, ...(answers ? { allow_responses: { max: 1, expires: '2m' } } : {}) },
    };
  });
  const stores = [];
  running.push(stores);
  const keepUp = (name, store) => {
    let stopped = false;
    const watch = async () => {
      for (;;) {
        await store.exited;
        if (stopped) return;
        report.line(`          ${name} ended; starting it again`);
        for (let pause = 100; !stopped; pause = Math.min(pause * 2, 2000)) {
          try {
            await store.restart();
            break;
          } catch (error) {
            report.line(`          ${name}: ${error.message}`);
            await new Promise((resolve) => setTimeout(resolve, pause));
          }
        }
      }
    };
    void watch();
    stores.push({ stop: () => ((stopped = true), store.stop()) });
  };
  const [postgres, nats] = await Promise.all([
    databaseUrl
      ? databaseUrl
      : report.step('PostgreSQL', async (log) => {
          const server = await embedded.startPostgres({ dir: join(state, 'postgres'), log });
          keepUp('PostgreSQL', server);
          return server.url;
        }),
    natsUrl
      ? natsUrl
      : report.step('NATS', async (log) => {
          const server = await embedded.startNats({ dir: join(state, 'nats'), users, log });
          keepUp('NATS', server);
          return server.url;
        }),
  ]);
  const passwords = Object.fromEntries(Object.keys(serviceRoles).map((name) => [name, secrets[`database ${name}`]]));
  await report.step('database schema', () => migrate(postgres, passwords));
  const databaseUrlOf = (name) => {
    const url = new URL(postgres);
    url.username = serviceRoles[name];
    url.password = passwords[name];
    return url.href;
  };
  const broker = (name) => ({ NATS_URL: nats, ...(natsUrl ? {} : { NATS_USER: name, NATS_PASSWORD: secrets[`nats ${name}`] }) });
  // For the admin command: it works while this runs.
  writePrivate(join(state, 'connections.json'), { DATABASE_URL: postgres, ...broker('admin') });
  return {
    database: (name) => (name in serviceRoles ? { DATABASE_URL: databaseUrlOf(name) } : {}),
    broker,
  };
}

async function startServices({ state, host, port }, urls, report, running) {
  const baseUrl = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
  const ingestPort = await embedded.freePort();
  const own = {
    'api-gateway': { HTTP_HOST: host, INGEST_URL: `http://127.0.0.1:${ingestPort}`, PUBLIC_URL: baseUrl },
    'resource-api': { PUBLIC_URL: baseUrl },
  };
  const services = [];
  for (const name of serviceNames) {
    const servicePort = name === 'api-gateway' ? port : name === 'ingest-gateway' ? ingestPort : await embedded.freePort();
    services.push(
      supervise({
        name,
        port: servicePort,
        env: { HTTP_HOST: '127.0.0.1', LOG_LEVEL: process.env.LOG_LEVEL || 'info', ...urls.broker(name), ...urls.database(name), ...own[name] },
        logDir: join(state, 'logs'),
        spawnGuarded: embedded.spawnGuarded,
        report,
      }),
    );
  }
  running.push(services);
  await report.step(`services: ${services.map(({ name }) => name).join(', ')}`, async (log) => {
    await Promise.all(services.map((service) => service.start()));
    await Promise.all(services.map((service) => service.ready(30_000).then(() => log(`${service.name} is ready`))));
  });
  writePrivate(join(state, 'processes.json'), Object.fromEntries(services.map(({ name, port: servicePort, logFile }) => [name, { port: servicePort, log: relative(root, logFile) }])));
}

async function makeDemo({ state, host, port }, urls, report) {
  const file = join(state, 'credentials.json');
  const baseUrl = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
  const known = readJson(file);
  if (known?.ingestUrl) {
    const facts = { ...known, baseUrl, apiUrl: `${baseUrl}/api/v1`, docsUrl: `${baseUrl}/api/docs`, ingestUrl: `${baseUrl}${new URL(known.ingestUrl).pathname}` };
    writePrivate(file, facts);
    return facts;
  }
  return report.step('demo organization, key and integration', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        join(root, 'apps/auth/dist/bootstrap.js'),
        '--organization', demo.organization, '--owner-email', demo.ownerEmail, '--owner-name', demo.ownerName, '--key-name', demo.keyName,
      ],
      { env: { PATH: process.env.PATH, ...urls.database('auth') } },
    );
    const made = JSON.parse(stdout.trim().split('\n').at(-1));
    const key = made.key ?? known?.key;
    if (!key) throw new Error(`the demo organization is there, but its key is not in ${file}. Begin anew with: npm start -- --reset`);
    const base = { baseUrl, apiUrl: `${baseUrl}/api/v1`, docsUrl: `${baseUrl}/api/docs`, organizationId: made.organizationId, key };
    writePrivate(file, base); // the key is shown once: kept before anything else can fail
    const response = await fetch(`${baseUrl}/api/v1/integrations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: demo.integrationName, type: 'generic' }),
    });
    const answer = await response.json();
    if (response.status !== 201) throw new Error(`the demo integration could not be made: ${answer.error}`);
    const facts = { ...base, integrationId: answer.data.id, ingestUrl: answer.data.ingestUrl };
    writePrivate(file, facts);
    return facts;
  });
}

function announce({ state }, { apiUrl, docsUrl, key, ingestUrl, baseUrl }, report) {
  report.line(`
Ready after ${(report.elapsedMs() / 1000).toFixed(1)} s. Ctrl-C stops everything; npm start goes on where it was.

  Base URL     ${baseUrl}
  Reference    ${docsUrl}
  API key      ${key}
  Ingest URL   ${ingestUrl}
  Kept in      ${relative(root, join(state, 'credentials.json'))}

Send an alert, and list it:

  curl -X POST ${ingestUrl} -H 'Content-Type: application/json' -d '{"title":"High CPU on web-01","severity":"critical","fingerprint":"cpu-web-01","labels":{"host":"web-01"}}'

  curl -H 'Authorization: Bearer ${key}' '${apiUrl}/alerts?status=firing'
`);
}
