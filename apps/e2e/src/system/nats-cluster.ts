/** Three NATS servers as a cluster. Each has a name that stays the same, by which JetStream knows it. */
import { defaultCacheDir, findNatsServer, freePort, spawnGuarded, type GuardedProcess } from '@ams/embedded';
import { connectNats, managerOf } from '@ams/messaging';
import { eventually } from '@ams/testing';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './replica.js';

export interface NatsNode {
  readonly pid: number;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface NatsCluster extends NatsServer {
  nodes: readonly NatsNode[];
  /** Settles when every stream has a leader and all its replicas. */
  whole(): Promise<void>;
}

/** One server, or a cluster as a whole. */
export interface NatsServer {
  /** The URLs of all nodes, separated by commas. */
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const size = 3;
/** In messages. */
const maxLag = 50;
const patience = { timeoutMs: 90_000 };

export async function startNatsCluster(
  dir: string,
  accounts: object,
  observer: { user: string; password: string },
): Promise<NatsCluster> {
  mkdirSync(dir);
  const { path } = await findNatsServer({ cacheDir: defaultCacheDir(dir) });
  const ports = await Promise.all(Array.from({ length: 2 * size }, () => freePort()));
  const [clientPorts, routePorts] = [ports.slice(0, size), ports.slice(size)];
  const shared = readFileSync(join(root, 'docker/nats/nats.conf'), 'utf8');
  const nodes = clientPorts.map((port, n) => {
    const folder = join(dir, `node-${n}`);
    mkdirSync(folder);
    const configuration = join(folder, 'nats.conf');
    const lines = [
      `server_name: node-${n}`,
      `listen: "127.0.0.1:${port}"`,
      `JETSTREAM_DIR: ${JSON.stringify(join(folder, 'jetstream'))}`,
      shared,
      // The nodes exchange messages about JetStream in the system account.
      `accounts ${JSON.stringify({ SYS: { users: [] }, ...accounts })}`,
      'system_account: SYS',
      `cluster { name: ams, listen: "127.0.0.1:${routePorts[n]}", routes: [${routePorts
        .map((route) => `"nats://127.0.0.1:${route}"`)
        .join(', ')}] }`,
    ];
    writeFileSync(configuration, lines.join('\n'), { mode: 0o600 });
    const log = openSync(join(folder, 'nats.log'), 'a');
    let server: GuardedProcess;
    return {
      get pid() {
        return server.pid;
      },
      async kill() {
        await server.kill();
      },
      async start() {
        server = await spawnGuarded(path, ['--config', configuration], { output: log });
      },
      async stop() {
        await server.stop();
      },
    };
  });
  const url = clientPorts.map((port) => `nats://127.0.0.1:${port}`).join(',');
  await Promise.all(nodes.map((node) => node.start()));
  const whole = (): Promise<void> =>
    eventually(async () => {
      const nats = await connectNats({ url, ...observer, name: 'observer' });
      try {
        const manager = await managerOf(nats);
        await manager.getAccountInfo();
        for await (const { config, cluster } of manager.streams.list()) {
          // Under load a replica may always be some messages behind.
          const behind = cluster?.replicas?.filter(({ offline, lag = 0 }) => offline || lag > maxLag) ?? [];
          if (!cluster?.leader || behind.length > 0)
            throw new Error(`${config.name}: leader ${cluster?.leader}, behind ${JSON.stringify(behind)}`);
        }
      } finally {
        await nats.close();
      }
    }, patience);
  await whole();
  const stop = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.stop())));
  return {
    url,
    nodes,
    whole,
    stop,
    get pid() {
      return (nodes[0] as NatsNode).pid;
    },
    kill: async () => void (await Promise.all(nodes.map((node) => node.kill()))),
    async restart() {
      await stop();
      await Promise.all(nodes.map((node) => node.start()));
      await whole();
    },
  };
}
