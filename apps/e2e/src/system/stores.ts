/** PostgreSQL and NATS of one installation, as in a deployment: each service has its own role and NATS user. */
import { migrate, serviceRoles, type DatabaseService } from '@ams/database';
import {
  defaultCacheDir,
  type EmbeddedNats,
  type EmbeddedPostgres,
  findNatsServer,
  type NatsUser,
  removeState,
  startNats,
  startPostgres,
} from '@ams/embedded';
import { natsUsers, permissionsOf, type NatsUserName } from '@ams/messaging';
import { startTcpProxy, type TcpProxy } from '@ams/testing';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

export interface Stores {
  postgres: EmbeddedPostgres;
  nats: EmbeddedNats;
  /** The folder of both, with `postgres` and `nats` in it. */
  dir: string;
  /** Between the services and the servers, when the options say so. */
  proxies: { postgres: TcpProxy; nats: TcpProxy } | null;
  /** The settings of a service for its database and NATS. */
  environmentOf(service: string): Record<string, string>;
  /** A NATS user with all permissions, for the tests. */
  observer: { user: string; password: string };
  stop(): Promise<void>;
}

export interface StoreOptions {
  /** Both wait for the disk, as in production. Otherwise a killed one may lose data. */
  durable: boolean;
  /** Services reach both through TCP proxies, with which a test disturbs the network. */
  proxied: boolean;
}

export async function startStores(dir: string, { durable, proxied }: StoreOptions): Promise<Stores> {
  const password = () => randomBytes(18).toString('base64url');
  const observer = { user: 'observer', password: password() };
  const users = new Map(natsUsers.map((name) => [name as string, natsUser(name, password())]));
  const [postgres, nats] = await Promise.all([
    startPostgres({
      dir: join(dir, 'postgres'),
      settings: durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
    }),
    findNatsServer({ cacheDir: defaultCacheDir(dir) }).then((binary) =>
      startNats({ dir: join(dir, 'nats'), users: [...users.values(), observer], durable, binary }),
    ),
  ]);
  const passwords = Object.fromEntries(Object.keys(serviceRoles).map((name) => [name, password()])) as Record<
    DatabaseService,
    string
  >;
  await migrate(postgres.url, passwords);

  const proxies = proxied ? { postgres: await startTcpProxy(postgres.url), nats: await startTcpProxy(nats.url) } : null;
  const databaseUrl = (service: DatabaseService): string => {
    const url = new URL(proxies?.postgres.through(postgres.url) ?? postgres.url);
    url.username = serviceRoles[service];
    url.password = passwords[service];
    return url.href;
  };
  return {
    postgres,
    nats,
    dir,
    proxies,
    observer,
    environmentOf: (service) => ({
      NATS_URL: proxies?.nats.through(nats.url) ?? nats.url,
      NATS_USER: service,
      NATS_PASSWORD: users.get(service)?.password ?? '',
      ...(service in serviceRoles ? { DATABASE_URL: databaseUrl(service as DatabaseService) } : {}),
    }),
    async stop() {
      await Promise.all([proxies?.postgres.stop(), proxies?.nats.stop()]);
      await Promise.all([postgres.stop(), nats.stop()]);
      removeState(dir);
    },
  };
}

function natsUser(name: NatsUserName, password: string): NatsUser {
  const { publish, subscribe, answers } = permissionsOf(name);
  return {
    user: name,
    password,
    permissions: {
      publish: { allow: publish },
      subscribe: { allow: subscribe },
      ...(answers ? { allow_responses: { max: 1, expires: '2m' } } : {}),
    },
  };
}
