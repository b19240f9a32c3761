/** One replica of one service: a process that runs its bundle, with its log in a file. */
import { freePort, spawnGuarded, type GuardedProcess } from '@ams/embedded';
import { eventually } from '@ams/testing';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Place } from './places/place.js';

export const root = join(import.meta.dirname, '../../../..');

export interface Replica {
  readonly name: string;
  readonly port: number;
  readonly url: string;
  /** The address of health and metrics. That of a gateway is another one than `url`. */
  readonly managementUrl: string;
  readonly pid: number;
  readonly running: boolean;
  /** Its log so far. */
  log(): string;
  /** How often the supervisor started it again. */
  readonly restarts: number;
  /** How often the test killed it. */
  readonly kills: number;
  isReady(): Promise<boolean>;
  ready(timeoutMs?: number): Promise<void>;
  /** Counts one end of the process as caused by the test. `kill9` does this itself. */
  killedFromOutside(): void;
  /** Sends SIGKILL. A supervised process starts again. */
  kill9(): Promise<void>;
  /**
   * Sends SIGTERM, waits for the end, starts it again and waits until it is ready. Returns the exit code. It runs the
   * service of another checkout from then on, if one is given.
   */
  restart(checkout?: string): Promise<number | null>;
  /** Stops it and does not start it again. */
  stop(): Promise<void>;
}

export interface ReplicaOptions {
  service: string;
  index: number;
  env: Record<string, string>;
  logDir: string;
  supervised: boolean;
  /** The folder of the repository whose service is started. */
  checkout: string;
  place: Place;
  /** Left out: a free one. */
  port?: number | undefined;
}

/** The bundle, or in a checkout without bundles the compiled modules. */
const mainOf = (checkout: string, service: string): string => {
  const bundle = join(checkout, 'apps', service, 'bundle/main.mjs');
  return existsSync(bundle) ? bundle : join(checkout, 'apps', service, 'dist/main.js');
};

/** Gateways of some earlier releases have one port only. */
const hasManagementPort = (checkout: string): boolean =>
  checkout === root || readFileSync(join(checkout, 'docs/configuration.md'), 'utf8').includes('`MANAGEMENT_PORT`');

export const replicaName = (service: string, index: number): string => `${service}-${index}`;

export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const { service, index, env, logDir, supervised, place } = options;
  let { checkout } = options;
  const name = replicaName(service, index);
  const port = options.port ?? (await freePort());
  const url = `http://${place.host}:${port}`;
  const managementPort = service.endsWith('-gateway') ? await freePort() : port;
  const managementUrl = (): string => (hasManagementPort(checkout) ? `http://${place.host}:${managementPort}` : url);
  const logFile = join(logDir, `${name}.log`);
  let process_: GuardedProcess;
  let restarts = 0;
  let kills = 0;
  /** Set when the test stops the process, so that the supervisor does not start it again. */
  let isStopping = false;

  const launch = async (): Promise<void> => {
    const log = openSync(logFile, 'a');
    try {
      const [command = process.execPath, ...args] = [...place.prefix, process.execPath, mainOf(checkout, service)];
      process_ = await spawnGuarded(command, args, {
        cwd: checkout,
        env: {
          PATH: process.env['PATH'],
          NODE_ENV: 'production',
          ...env,
          ...place.env,
          HTTP_HOST: place.host,
          HTTP_PORT: String(port),
          MANAGEMENT_HOST: place.host,
          MANAGEMENT_PORT: String(managementPort),
        },
        output: log,
        graceMs: 30_000,
      });
    } finally {
      closeSync(log);
    }
    if (supervised) void supervise(process_);
  };
  const supervise = async (started: GuardedProcess): Promise<void> => {
    await started.exited;
    if (isStopping) return;
    await pause(100);
    if (isStopping) return;
    restarts++;
    await launch();
  };
  const isReady = async (): Promise<boolean> => {
    try {
      return (await fetch(`${managementUrl()}/readyz`, { signal: AbortSignal.timeout(2000) })).ok;
    } catch {
      return false;
    }
  };
  const log = () => readFileSync(logFile, 'utf8');
  const ready = async (timeoutMs = 120_000): Promise<void> => {
    const hasExited = () => !supervised && !process_.running;
    try {
      await eventually(async () => hasExited() || (await isReady()), { timeoutMs, everyMs: 50 });
      if (!hasExited()) return;
    } catch {
      // the error below says so
    }
    throw new Error(`${name} did not become ready. The end of its log:\n${log().split('\n').slice(-12).join('\n')}`);
  };

  await launch();
  return {
    name,
    port,
    url,
    get managementUrl() {
      return managementUrl();
    },
    log,
    isReady,
    ready,
    get pid() {
      return process_.pid;
    },
    get running() {
      return process_.running;
    },
    get restarts() {
      return restarts;
    },
    get kills() {
      return kills;
    },
    killedFromOutside() {
      kills++;
    },
    async kill9() {
      if (process_.running) kills++;
      await process_.kill();
    },
    async restart(from = checkout) {
      isStopping = true;
      checkout = from;
      const { code } = await process_.stop();
      isStopping = false;
      await launch();
      await ready();
      return code;
    },
    async stop() {
      isStopping = true;
      await process_.stop();
    },
  };
}
