// The installation on this machine, as a value: PostgreSQL, NATS, schema and the services as separate processes, all
// state in one folder. `npm start` and the benchmarks use it.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as embedded from '@ams/embedded';
import { migrate, serviceRoles } from '@ams/database';
import { brokerAccount, brokerAdmin, connectNats, keepBroker, natsAccounts, natsUsers } from '@ams/messaging';
import { AdminEnvironment, BrokerEnvironment, databaseTls, natsTls, readSettings } from '@ams/service';
import { bundleOf } from '../bundle.mjs';
import { root } from '../lib/workspace.mjs';
import { startMailCatcher } from './mail-catcher.mjs';
import {
  auditKeysIn,
  auditWritersIn,
  callKeysIn,
  masterKeyFileIn,
  secretsIn,
  vapidKeysIn,
  writePrivate,
} from './secrets.mjs';
import { supervise } from './services.mjs';

export const serviceNames = [
  'auth',
  'alert-pipeline',
  'resource-api',
  'notifier',
  'workflow-engine',
  'ingest-gateway',
  'api-gateway',
];

/**
 * Starts it and returns when every service is ready. When that fails, the started parts are stopped.
 *
 *   state, host, port      the folder; the address of the API gateway
 *   databaseUrl, natsUrl   servers to use in place of the embedded ones, or null
 *   natsPasswords          the password of each NATS user of the other server
 *   mail                   {url, from} of a mail server; null for our mail catcher, which only shows mails
 *   environment(name)      additional environment variables of a service
 *   nodeArguments(name)    additional arguments of Node for a service
 *   postgresSettings       additional settings of the embedded PostgreSQL
 *   replicas(name)         how many processes of a service: `<service>-2` is the second one
 *   signal                 aborts the start: started parts are stopped
 */
export async function startInstallation(
  {
    state,
    host,
    port,
    databaseUrl = null,
    natsUrl = null,
    natsPasswords = null,
    mail = null,
    environment = () => ({}),
    nodeArguments = () => [],
    postgresSettings = {},
    replicas = () => 1,
    signal,
  },
  report,
) {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  chmodSync(state, 0o700);
  const running = [];
  let stopping = Promise.resolve();
  const stop = () => {
    stopping = stopping.then(async () => {
      for (let part = running.pop(); part; part = running.pop())
        await Promise.all(part.map((p) => p.stop().catch((error) => report.line(`          ${error.message}`))));
    });
    return stopping;
  };
  signal?.addEventListener('abort', () => void stop(), { once: true });
  try {
    const stores = await startStores(
      {
        state,
        databaseUrl,
        natsUrl,
        natsPasswords,
        postgresSettings,
        ingest: { ...fewPartitions, ...environment('ingest-gateway') },
      },
      report,
      running,
    );
    signal?.throwIfAborted();
    const mailCatcher = mail ? null : await startMailCatcher(state, report, running);
    signal?.throwIfAborted();
    const services = await startServices(
      { state, host, port, mail: mail ?? mailCatcher, environment, nodeArguments, replicas },
      stores,
      report,
      running,
    );
    return {
      ...stores,
      mailUrl: mailCatcher?.pageUrl ?? null,
      services: Object.fromEntries(services.map((service) => [service.name, service])),
      baseUrl: baseUrlOf(host, port),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export const baseUrlOf = (host, port) => `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;

async function startStores({ state, databaseUrl, natsUrl, natsPasswords, postgresSettings, ingest }, report, running) {
  const secrets = secretsIn(state, [
    ...natsUsers.map((name) => `nats ${name}`),
    ...Object.keys(serviceRoles).map((name) => `database ${name}`),
  ]);
  const natsPasswordOf = (name) => (natsUrl ? natsPasswords[name] : secrets[`nats ${name}`]);
  const accounts = { value: natsAccounts(natsPasswordOf), owner: brokerAccount };
  const stores = [];
  running.push(stores);
  const [postgres, nats] = await Promise.all([
    databaseUrl
      ? null
      : report.step('PostgreSQL', async (log) => {
          const server = await embedded.startPostgres({
            dir: join(state, 'postgres'),
            settings: postgresSettings,
            log,
          });
          stores.push(superviseStore('PostgreSQL', server, report));
          return server;
        }),
    natsUrl
      ? null
      : report.step('NATS', async (log) => {
          const server = await embedded.startNats({ dir: join(state, 'nats'), accounts, log });
          stores.push(superviseStore('NATS', server, report));
          return server;
        }),
  ]);
  const adminUrl = databaseUrl ?? postgres.url;
  const tls = tlsOf({ databaseUrl, natsUrl });
  const passwords = Object.fromEntries(Object.keys(serviceRoles).map((name) => [name, secrets[`database ${name}`]]));
  await report.step('database schema', () => migrate(adminUrl, passwords, tls.databaseTls));
  const databaseUrlOf = (name) => {
    const url = new URL(adminUrl);
    url.username = serviceRoles[name];
    url.password = passwords[name];
    return url.href;
  };
  const broker = (name) => ({
    NATS_URL: natsUrl ?? nats.url,
    NATS_USER: name,
    NATS_PASSWORD: natsPasswordOf(name),
  });
  // For the admin command, which works while this runs.
  writePrivate(join(state, 'connections.json'), {
    DATABASE_URL: adminUrl,
    ...broker('admin'),
    NATS_BROKER_PASSWORD: natsPasswordOf(brokerAdmin),
    MASTER_KEY_FILE: masterKeyFileIn(state),
    ...tls,
  });
  await report.step('streams', async () => {
    const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = broker(brokerAdmin);
    const connection = await connectNats({ url, user, password, tls: tls.natsTls, name: 'npm start' });
    stores.push({ stop: () => connection.close() });
    await keepBroker(connection, readSettings(BrokerEnvironment, ingest), { everyMs: 30_000 });
  });
  return {
    /** The embedded servers; null when another one is used. */
    postgres,
    nats,
    adminUrl,
    /** The environment of a service. */
    database: (name) => (name in serviceRoles ? { DATABASE_URL: databaseUrlOf(name) } : {}),
    broker,
  };
}

/** The files of TLS to servers of the operator, from the environment. The embedded ones have no TLS. */
function tlsOf({ databaseUrl, natsUrl }) {
  if (!databaseUrl && !natsUrl) return {};
  const settings = readSettings(AdminEnvironment);
  return {
    databaseTls: databaseUrl ? databaseTls(settings) : undefined,
    natsTls: natsUrl ? natsTls(settings) : undefined,
  };
}

/** Restarts a server when it ends, until it is stopped. */
function superviseStore(name, server, report) {
  let stopped = false;
  const watch = async () => {
    for (;;) {
      await server.exited;
      if (stopped) return;
      report.line(`          ${name} ended; restarting it`);
      for (let pause = 100; !stopped; pause = Math.min(pause * 2, 2000)) {
        try {
          await server.restart();
          break;
        } catch (error) {
          report.line(`          ${name}: ${error.message}`);
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
      }
    }
  };
  void watch();
  return { stop: () => ((stopped = true), server.stop()) };
}

/**
 * One pipeline processes everything here: with few partitions, more requests share a disk write, and more events a
 * transaction.
 */
const fewPartitions = { INGEST_PARTITIONS: '2' };

async function startServices(
  { state, host, port, mail, environment, nodeArguments, replicas },
  stores,
  report,
  running,
) {
  const ingestPort = await embedded.freePort();
  const publicUrl = { PUBLIC_URL: baseUrlOf(host, port) };
  const masterKeys = { MASTER_KEY_FILE: masterKeyFileIn(state) };
  const { links, 'secrets at rest': secretsAtRest } = secretsIn(state, ['links', 'secrets at rest']);
  const { publicKey, privateKey } = vapidKeysIn(state);
  const writers = auditWritersIn(state);
  const signs = (name) => ({ AUDIT_WRITER_KEYS_FILE: writers.keyFileOf(name) });
  const calls = callKeysIn(state);
  const own = {
    auth: {
      SECRETS_KEY: secretsAtRest,
      VAPID_PUBLIC_KEY: publicKey,
      AUDIT_SIGNING_KEYS_FILE: auditKeysIn(state),
      AUDIT_WRITERS_FILE: writers.publicKeysFile,
      AUDIT_UNSIGNED_UNTIL: writers.madeAt,
      ...calls.ofOwner('auth'),
      ...publicUrl,
    },
    'api-gateway': {
      HTTP_HOST: host,
      INGEST_URL: `http://127.0.0.1:${ingestPort}`,
      LINK_SECRET: links,
      DASHBOARD_DIR: join(root, 'apps/dashboard/dist'),
      DRAIN_DELAY_MS: '0',
      ...calls.ofGateway,
      ...publicUrl,
    },
    'ingest-gateway': { TRUST_PROXY: 'true', DRAIN_DELAY_MS: '0', ...fewPartitions },
    'alert-pipeline': { ...fewPartitions, ...signs('alert-pipeline'), ...calls.ofOwner('alert-pipeline') },
    'resource-api': {
      ...publicUrl,
      ...masterKeys,
      ...signs('resource-api'),
      ...calls.ofOwner('resource-api'),
    },
    'workflow-engine': {
      LINK_SECRET: links,
      ...publicUrl,
      ...signs('workflow-engine'),
      ...calls.ofOwner('workflow-engine'),
    },
    notifier: {
      SMTP_URL: mail.url,
      MAIL_FROM: mail.from,
      SECRETS_KEY: secretsAtRest,
      ...masterKeys,
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      VAPID_SUBJECT: `mailto:${/<([^<>]+)>$/.exec(mail.from)?.[1] ?? mail.from}`,
    },
  };
  const known = { 'api-gateway': port, 'ingest-gateway': ingestPort };
  const services = [];
  const processes = serviceNames.flatMap((name) =>
    Array.from({ length: replicas(name) }, (_, i) => ({ name, number: i + 1 })),
  );
  for (const { name, number } of processes) {
    const servicePort = (number === 1 && known[name]) || (await embedded.freePort());
    services.push(
      supervise({
        name: number === 1 ? name : `${name}-${number}`,
        script: bundleOf(join(root, 'apps', name)),
        port: servicePort,
        managementPort: name.endsWith('-gateway') ? await embedded.freePort() : servicePort,
        env: {
          HTTP_HOST: '127.0.0.1',
          MANAGEMENT_HOST: '127.0.0.1',
          ...stores.broker(name),
          ...stores.database(name),
          ...own[name],
          ...environment(name),
        },
        nodeArguments: nodeArguments(name),
        logDir: join(state, 'logs'),
        spawnGuarded: embedded.spawnGuarded,
        report,
      }),
    );
  }
  running.push(services);
  await report.step(`services: ${services.map(({ name }) => name).join(', ')}`, async (log) => {
    await Promise.all(services.map((service) => service.start()));
    await Promise.all(services.map((service) => service.ready(120_000).then(() => log(`${service.name} is ready`))));
  });
  return services;
}
