/** Kills processes under load, one after another and all together, and then checks whether anything was lost. */
import { eventually } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames, startSystem, type System } from '../system.js';
import { startTraffic } from './senders.js';

type Failure = (system: System) => Promise<void>;

const replicaFailure =
  (service: (typeof serviceNames)[number], index: number): Failure =>
  async (system) => {
    const replicas = system.replicas(service);
    await replicas[index % replicas.length]?.kill9();
  };
const databaseFailure: Failure = async ({ postgres }) => {
  await postgres.kill();
  await postgres.restart();
};
const natsFailure: Failure = async ({ nats }) => {
  await nats.kill();
  await nats.restart();
};
const totalFailure: Failure = async (system) => {
  const stores = [system.postgres, system.nats];
  await Promise.all([...system.allReplicas.map((replica) => replica.kill9()), ...stores.map((store) => store.kill())]);
  await Promise.all(stores.map((store) => store.restart()));
};
const allServicesFailure: Failure = async (system) =>
  void (await Promise.all(system.allReplicas.map((replica) => replica.kill9())));

/** One replica of every service, then the other replica of each, and so on. */
const replicaFailures = (count: number): Failure[] =>
  Array.from({ length: count }, (_, n) =>
    replicaFailure(serviceNames[n % serviceNames.length] ?? 'auth', Math.floor(n / serviceNames.length)),
  );

/** While other processes are still starting. */
const natsFailureDuringStart: Failure = (system) => natsFailure(system);
const databaseFailureDuringStart: Failure = (system) => databaseFailure(system);

export const longChaos: Failure[] = [
  ...replicaFailures(20),
  natsFailureDuringStart,
  ...replicaFailures(10),
  databaseFailureDuringStart,
  ...replicaFailures(10),
  allServicesFailure,
  natsFailure,
  databaseFailure,
  ...replicaFailures(10),
  totalFailure,
  natsFailure,
  databaseFailure,
];

/** Waits until every process is ready, an event is accepted and applied, and the API answers. Returns the duration. */
async function recovery(system: System, check: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await system.allReady();
  await eventually(check);
  return performance.now() - began;
}

export interface ChaosReport {
  accepted: number;
  /** The time of recovery after each kill, in milliseconds. */
  recoveries: string[];
  faults: string[];
}

interface ChaosOptions {
  failures: readonly Failure[];
  everyMs: number;
  /**
   * The maximum time of recovery after one process was killed. After all were killed, it depends on how long the
   * machine needs to start them.
   */
  recoveryMs: number;
}

const singleFailures = new Map([
  [natsFailure, 'NATS'],
  [databaseFailure, 'the database'],
]);
const multipleFailures = new Map([
  [allServicesFailure, 'all services'],
  [totalFailure, 'everything'],
]);

export async function chaos({ failures, everyMs, recoveryMs }: ChaosOptions): Promise<ChaosReport> {
  const system = await startSystem({
    durable: true,
    supervised: true,
    replicas: { 'ingest-gateway': 2, 'api-gateway': 2, 'alert-pipeline': 2 },
    env: { 'alert-pipeline': { PIPELINE_LEASE_SECONDS: '2' } },
  });
  try {
    const acme = await system.organization();
    const sender = await acme.integration();
    const canary = await acme.integration();
    const traffic = startTraffic(system, acme, sender, { sequential: 6, unique: 4, readers: 2, pauseMs: 25 });
    const recoveries: { after: string; ms: number; limit: number }[] = [];
    const check = async (): Promise<void> => {
      await canary.fire({ title: 'Canary', severity: 'info' });
      if ((await acme.api.get('/api/v1/alerts')).status !== 200) throw new Error('the API does not answer');
    };
    for (const failure of failures) {
      await pause(everyMs);
      const [one, many] = [singleFailures.get(failure), multipleFailures.get(failure)];
      // The processes that were killed before run again, so the measured time is that of this one.
      if (one) await recovery(system, check);
      await failure(system);
      if (one) recoveries.push({ after: one, ms: await recovery(system, check), limit: recoveryMs });
      if (many) recoveries.push({ after: many, ms: await recovery(system, check), limit: Number.POSITIVE_INFINITY });
    }
    await recovery(system, check);
    await traffic.stop();
    const slow = recoveries
      .filter(({ ms, limit }) => ms > limit)
      .map(({ after, ms }) => `the recovery after the end of ${after} took ${Math.round(ms)} ms`);
    const dead = system.allReplicas.filter(({ running }) => !running).map(({ name }) => `${name} is dead`);
    const restarted = system.allReplicas.flatMap(({ name, log }) =>
      log()
        .split('\n')
        .filter((line) => /"msg":"(uncaught|unhandled rejection)"/.test(line))
        .map((line) => `${name} failed on its own: ${line.slice(0, 1500)}`),
    );
    return {
      accepted: traffic.accepted(),
      recoveries: recoveries.map(({ after, ms }) => `${after} ${Math.round(ms)}`),
      faults: [...slow, ...dead, ...restarted, ...(await traffic.faults())],
    };
  } finally {
    await system.stop();
  }
}
