/** PostgreSQL and NATS of one installation, as in a deployment: each service has its own role and NATS user. */
import { migrate, serviceRoles, type DatabaseService } from '@ams/database';
import {
  defaultCacheDir,
  type EmbeddedPostgres,
  findNatsServer,
  removeState,
  startNats,
  startPostgres,
} from '@ams/embedded';
import {
  brokerAccount,
  brokerAdmin,
  brokerDefaults,
  connectNats,
  keepBroker,
  natsAccounts,
  natsUsers,
} from '@ams/messaging';
import { startTcpProxy, type TcpProxy } from '@ams/testing';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openDisk, type Disk } from './disks.js';
import { startNatsCluster, type NatsCluster, type NatsServer } from './nats-cluster.js';
import type { Names } from './places/names.js';

export interface Stores {
  postgres: EmbeddedPostgres;
  nats: NatsServer;
  /** The nodes of NATS, when the options say so. */
  cluster: NatsCluster | null;
  /** The file systems of both, when the options say so. */
  disks: { postgres: Disk; nats: Disk } | null;
  /** The folder of both, with `postgres` and `nats` in it. */
  dir: string;
  /** Between the services and the servers, when the options say so. */
  proxies: { postgres: TcpProxy; nats: TcpProxy } | null;
  /** The settings of a service for its database and NATS. */
  environmentOf(service: string): Record<string, string>;
  /** PostgreSQL with the role of auth, with which an operator creates organizations. */
  authUrl: string;
  /** A NATS user with all permissions, for the tests. */
  observer: { user: string; password: string };
  stop(): Promise<void>;
}

export interface StoreOptions {
  /** Both wait for the disk, as in production. Otherwise a killed one may lose data. */
  durable: boolean;
  /** Services reach both through TCP proxies, with which a test disturbs the network. */
  proxied: boolean;
  /** The address of the proxies. */
  host: string;
  /** The names by which services know both. */
  names: Names | null;
  /** The size of the file systems that both get; otherwise they use that of the folder. */
  diskMegabytes?: number | undefined;
  /** Whether NATS is a cluster of three nodes. */
  clustered: boolean;
  /** Added to the settings of PostgreSQL. */
  postgresSettings: Record<string, string | number>;
  /** All users are in one account, as services of an earlier release need it: they create streams and consumers. */
  oneAccount: boolean;
  /** The settings of the ingest gateway, which are those of the streams. */
  ingest: Record<string, string>;
}

export async function startStores(dir: string, options: StoreOptions): Promise<Stores> {
  const { durable, proxied, host, names, diskMegabytes, clustered, oneAccount, ingest, postgresSettings } = options;
  const password = () => randomBytes(18).toString('base64url');
  const observer = { user: 'observer', password: password() };
  const natsPasswords = new Map(natsUsers.map((name) => [name as string, password()]));
  const disks =
    diskMegabytes === undefined
      ? null
      : {
          postgres: openDisk(join(dir, 'postgres'), diskMegabytes),
          nats: openDisk(join(dir, 'nats'), diskMegabytes),
        };
  const natsLogins = [...natsPasswords].map(([user, secret]) => ({ user, password: secret }));
  const accounts = {
    value: oneAccount
      ? { [brokerAccount]: { jetstream: 'enabled', users: [...natsLogins, observer] } }
      : natsAccounts((name) => natsPasswords.get(name) ?? '', [observer]),
    owner: brokerAccount,
  };
  const cluster = clustered ? await startNatsCluster(join(dir, 'nats'), accounts.value, observer) : null;
  const startOne = async (): Promise<NatsServer> => {
    const binary = await findNatsServer({ cacheDir: defaultCacheDir(dir) });
    return startNats({ dir: join(dir, 'nats'), accounts, durable, binary });
  };
  const [postgres, nats] = await Promise.all([
    startPostgres({
      dir: join(dir, 'postgres'),
      settings: {
        ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
        ...postgresSettings,
      },
    }),
    cluster ?? startOne(),
  ]);
  const passwords = Object.fromEntries(Object.keys(serviceRoles).map((name) => [name, password()])) as Record<
    DatabaseService,
    string
  >;
  await migrate(postgres.url, passwords);

  const broker = await connectNats({
    url: nats.url,
    user: brokerAdmin,
    password: natsPasswords.get(brokerAdmin),
    name: brokerAdmin,
  });
  const settings = {
    replicas: cluster?.nodes.length ?? 1,
    partitions: Number(ingest['INGEST_PARTITIONS'] ?? brokerDefaults.partitions),
    streamMaxBytes: Number(ingest['INGEST_STREAM_MAX_BYTES'] ?? brokerDefaults.streamMaxBytes),
    limit: Number(ingest['INGEST_LIMIT_PER_MINUTE'] ?? brokerDefaults.limit),
    limitWindowSeconds: Number(ingest['INGEST_LIMIT_WINDOW_SECONDS'] ?? brokerDefaults.limitWindowSeconds),
  };
  await keepBroker(broker, settings, { everyMs: 1000 });

  const proxies = proxied
    ? { postgres: await startTcpProxy(postgres.url, host), nats: await startTcpProxy(nats.url, host) }
    : null;
  const named = (server: 'postgres' | 'nats', url: string): string => names?.named(server, url) ?? url;
  const withRole = (server: string, service: DatabaseService): string => {
    const url = new URL(server);
    url.username = serviceRoles[service];
    url.password = passwords[service];
    return url.href;
  };
  const databaseUrl = (service: DatabaseService): string =>
    withRole(named('postgres', proxies?.postgres.through(postgres.url) ?? postgres.url), service);
  return {
    postgres,
    nats,
    cluster,
    disks,
    dir,
    proxies,
    observer,
    authUrl: withRole(postgres.url, 'auth'),
    environmentOf: (service) => ({
      NATS_URL: named('nats', proxies?.nats.through(nats.url) ?? nats.url),
      ...(cluster ? { NATS_REPLICAS: String(cluster.nodes.length) } : {}),
      NATS_USER: service,
      NATS_PASSWORD: natsPasswords.get(service) ?? '',
      ...(service in serviceRoles ? { DATABASE_URL: databaseUrl(service as DatabaseService) } : {}),
    }),
    async stop() {
      await broker.close();
      await Promise.all([proxies?.postgres.stop(), proxies?.nats.stop()]);
      await Promise.all([postgres.stop(), nats.stop()]);
      disks?.postgres.close();
      disks?.nats.close();
      removeState(dir);
    },
  };
}
