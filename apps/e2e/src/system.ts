/**
 * A whole installation for tests: PostgreSQL, NATS and every service as a process of its own, from the compiled files.
 *
 *   const system = await startSystem({ replicas: { 'ingest-gateway': 3 } });
 *   const acme = await system.organization();
 *   const sender = await acme.integration({ type: 'grafana' });
 *   await sender.fire({ title: 'High CPU', severity: 'critical' });
 *   expect(await acme.alerts({ status: 'firing' })).toHaveLength(1);
 *   await system.stop();
 *
 * NATS has the users and permissions of a deployment, and the database its roles. Ports are free ones. Logs are files
 * that `logs()` reads. Tests speak HTTP: each request goes to the next replica in turn. `sql` and `observe` read the
 * database and NATS with the permissions of an operator.
 *
 * Limits are too high to be reached unless `limits: 'specified'`. `supervised` processes start again when they are
 * killed.
 */
import { freePort } from '@ams/embedded';
import { auditWriterFiles, callKeyFiles, masterKeyFile, newVapidKeys } from '@ams/testing';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replicaName, root, startReplica, type Replica } from './system/replica.js';
import { openClocks, type Clocks } from './system/places/clocks.js';
import { openNames, type Names } from './system/places/names.js';
import type { Networks } from './system/places/networks.js';
import { thisMachine, type Place } from './system/places/place.js';
import { startStores, type Stores } from './system/stores.js';
import { connectSystem, type SystemClient } from './system/system-client.js';

export * from './system/organization.js';
export type { Replica } from './system/replica.js';
export type { SystemClient } from './system/system-client.js';

/** In the order in which they start. */
export const serviceNames = [
  'auth',
  'alert-pipeline',
  'resource-api',
  'notifier',
  'workflow-engine',
  'ingest-gateway',
  'api-gateway',
] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface SystemOptions {
  /** The number of replicas for each service. The default is one. */
  replicas?: Partial<Record<ServiceName, number>>;
  env?: Partial<Record<ServiceName, Record<string, string>>>;
  limits?: 'high' | 'specified';
  /** PostgreSQL and NATS wait for the disk, as in production. */
  durable?: boolean;
  supervised?: boolean;
  /** Services reach PostgreSQL and NATS through TCP proxies (`system.proxies`). */
  proxied?: boolean;
  /** What the services run in: clocks, names of the servers or networks that a test changes. */
  place?: 'clocks' | 'names' | 'networks';
  /** PostgreSQL and NATS have a file system of this size each. */
  diskMegabytes?: number;
  /** NATS is a cluster of three nodes. */
  clustered?: boolean;
  /** Added to the settings of PostgreSQL. */
  postgresSettings?: Record<string, string | number>;
  /** Another checkout whose compiled services are started. The schema and the servers are those of this one. */
  servicesOf?: string;
}

export interface System extends Stores, SystemClient {
  /** Of the place in the options; the others are null. */
  clocks: Clocks | null;
  names: Names | null;
  networks: Networks | null;
  replicas(service: ServiceName): Replica[];
  allReplicas: Replica[];
  /** The logs of all services. */
  logs(): string;
  allReady(timeoutMs?: number): Promise<void>;
}

const highFailures = { FAILURES_PER_ADDRESS: '1000000' };

const highLimits: Partial<Record<ServiceName, Record<string, string>>> = {
  auth: {
    API_LIMIT_PER_MINUTE: '1000000',
    API_KEYS_PER_DAY: '100000',
  },
  'ingest-gateway': { INGEST_LIMIT_PER_MINUTE: '1000000', ...highFailures },
  'api-gateway': highFailures,
};

/** The public address in links. Nothing listens there. */
const publicUrl = { PUBLIC_URL: 'http://alerts.example.com' };
const linkSecret = { LINK_SECRET: 'the secret of the links of a test' };
const secretsKey = { SECRETS_KEY: 'the secret of the apps and devices of a test' };
const masterKeys = { MASTER_KEY_FILE: masterKeyFile() };
const { keyFiles, publicKeysFile } = auditWriterFiles();
const signs = (service: keyof typeof keyFiles) => ({ AUDIT_WRITER_KEYS_FILE: keyFiles[service] });
const calls = callKeyFiles();
const checks = (service: keyof typeof calls.owners) => ({
  CALL_SIGNERS_FILE: calls.owners[service].signersFile,
  CALL_OWNER_KEYS_FILE: calls.owners[service].ownerKeysFile,
});
/** The API gateway of an earlier release may not sign its calls. */
const besideUnsigned = { CALL_UNSIGNED_UNTIL: '2100-01-01T00:00:00Z' };
const vapid = newVapidKeys();
const own: Partial<Record<ServiceName, Record<string, string>>> = {
  auth: {
    ...secretsKey,
    VAPID_PUBLIC_KEY: vapid.publicKey,
    AUDIT_WRITERS_FILE: publicKeysFile,
    ...checks('auth'),
  },
  notifier: {
    ...secretsKey,
    ...masterKeys,
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: 'mailto:alerts@example.com',
  },
  'resource-api': { ...publicUrl, ...masterKeys, ...signs('resource-api'), ...checks('resource-api') },
  'alert-pipeline': { ...signs('alert-pipeline'), ...checks('alert-pipeline') },
  'workflow-engine': { ...publicUrl, ...linkSecret, ...signs('workflow-engine'), ...checks('workflow-engine') },
  'api-gateway': {
    ...linkSecret,
    DRAIN_DELAY_MS: '0',
    DASHBOARD_DIR: join(root, 'apps/dashboard/dist'),
    CALL_SIGNING_KEYS_FILE: calls.gateway.signingKeysFile,
    CALL_OWNERS_FILE: calls.gateway.ownersFile,
  },
  'ingest-gateway': { DRAIN_DELAY_MS: '0', SETTLE_MS: '0' },
};

/** `networks`: given by a caller who needs its address before. */
export async function startSystem(options: SystemOptions = {}, networks: Networks | null = null): Promise<System> {
  const { replicas = {}, env = {}, limits = 'high', servicesOf = root } = options;
  const { durable = false, supervised = false, proxied = false, clustered = false, diskMegabytes, place } = options;
  const dir = mkdtempSync(join(tmpdir(), `ams-test-${process.pid}-`)); // a later run removes the files of a killed one
  chmodSync(dir, 0o711); // as root, PostgreSQL runs as another user
  const logDir = join(dir, 'logs');
  mkdirSync(logDir);
  const clocks = place === 'clocks' ? openClocks(dir) : null;
  const names = place === 'names' ? openNames(dir) : null;
  const placeOf = (replica: string): Place =>
    clocks?.placeOf(replica) ?? names?.place ?? networks?.placeOf(replica) ?? thisMachine;
  const host = networks?.host ?? thisMachine.host;
  // Members open the links in mails at the first API gateway, which has the name that passkeys need.
  const gatewayPort = await freePort();
  const forMembers = { PUBLIC_URL: `http://localhost:${gatewayPort}` };
  const ingest = { ...(limits === 'specified' ? {} : highLimits['ingest-gateway']), ...env['ingest-gateway'] };
  const stores = await startStores(dir, {
    durable,
    proxied,
    host,
    names,
    diskMegabytes,
    clustered,
    postgresSettings: options.postgresSettings ?? {},
    oneAccount: servicesOf !== root,
    ingest,
  });
  const started: Replica[] = [];
  const byService = new Map<ServiceName, Replica[]>();

  const stop = async (): Promise<void> => {
    await Promise.all(started.map((replica) => replica.stop()));
    await stores.stop();
    networks?.close();
  };
  try {
    for (const service of serviceNames) {
      const ingest = byService.get('ingest-gateway')?.[0];
      const settings = {
        LOG_LEVEL: 'info',
        ...stores.environmentOf(service),
        ...own[service],
        ...(servicesOf === root || !(service in calls.owners) ? {} : besideUnsigned),
        ...(service === 'auth' ? forMembers : {}),
        ...(limits === 'specified' ? {} : highLimits[service]),
        ...env[service],
      };
      if (service === 'api-gateway' && ingest) Object.assign(settings, { INGEST_URL: ingest.url });
      const list = await Promise.all(
        Array.from({ length: replicas[service] ?? 1 }, (_, index) =>
          startReplica({
            service,
            index,
            env: settings,
            logDir,
            supervised,
            checkout: servicesOf,
            place: placeOf(replicaName(service, index)),
            port: service === 'api-gateway' && index === 0 ? gatewayPort : undefined,
          }),
        ),
      );
      byService.set(service, list);
      started.push(...list);
    }
    await Promise.all(started.map((replica) => replica.ready(90_000))); // a dozen processes start at once
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }

  const replicasOf = (service: ServiceName): Replica[] => byService.get(service) ?? [];
  const client = connectSystem({
    postgresUrl: stores.postgres.url,
    natsUrl: stores.nats.url,
    observer: stores.observer,
    authUrl: stores.authUrl,
    gateways: replicasOf('api-gateway').map(({ url }) => url),
    ingestGateways: replicasOf('ingest-gateway').map(({ url }) => url),
  });
  return {
    ...stores,
    ...client,
    clocks,
    names,
    networks,
    replicas: replicasOf,
    allReplicas: started,
    logs: () => started.map((replica) => replica.log()).join(''),
    allReady: async (timeoutMs) => void (await Promise.all(started.map((replica) => replica.ready(timeoutMs)))),
    async stop() {
      await client.close();
      await stop();
    },
  };
}
