/** Kills processes under load, one after another and all together, and then checks whether anything was lost. */
import { eventually } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames, startSystem, type System } from '../system.js';
import { startTraffic } from './senders.js';

type Blow = (system: System) => Promise<void>;

const killed =
  (service: (typeof serviceNames)[number], index: number): Blow =>
  async (system) => {
    const replicas = system.replicas(service);
    await replicas[index % replicas.length]?.kill9();
  };
const killedDatabase: Blow = async ({ postgres }) => {
  await postgres.kill();
  await postgres.restart();
};
const killedBroker: Blow = async ({ nats }) => {
  await nats.kill();
  await nats.restart();
};
const everything: Blow = async (system) => {
  const stores = [system.postgres, system.nats];
  await Promise.all([...system.allReplicas.map((replica) => replica.kill9()), ...stores.map((store) => store.kill())]);
  await Promise.all(stores.map((store) => store.restart()));
};
const allServices: Blow = async (system) =>
  void (await Promise.all(system.allReplicas.map((replica) => replica.kill9())));

/** One replica of every service, then the other replica of each, and so on. */
const services = (count: number): Blow[] =>
  Array.from({ length: count }, (_, n) =>
    killed(serviceNames[n % serviceNames.length] ?? 'auth', Math.floor(n / serviceNames.length)),
  );

/** While other processes are still starting. */
const brokerToo: Blow = (system) => killedBroker(system);
const databaseToo: Blow = (system) => killedDatabase(system);

export const shortChaos: Blow[] = [...services(6), brokerToo, databaseToo, everything];
export const longChaos: Blow[] = [
  ...services(20),
  brokerToo,
  ...services(10),
  databaseToo,
  ...services(10),
  allServices,
  killedBroker,
  killedDatabase,
  ...services(10),
  everything,
  killedBroker,
  killedDatabase,
];

/** Waits until every process is ready, an event is accepted and applied, and the API answers. Returns the duration. */
async function wellAgain(system: System, check: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await system.allReady();
  await eventually(check, { timeoutMs: 30_000 });
  return performance.now() - began;
}

export interface ChaosReport {
  accepted: number;
  /** The time of recovery after each kill, in milliseconds. */
  recoveries: string[];
  faults: string[];
}

interface ChaosOptions {
  blows: readonly Blow[];
  everyMs: number;
  /**
   * The longest time of recovery after one process was killed. After all were killed, it depends on how long the
   * machine needs to start them.
   */
  recoveryMs: number;
}

const stores = new Map([
  [killedBroker, 'NATS'],
  [killedDatabase, 'the database'],
]);
const multitudes = new Map([
  [allServices, 'all services'],
  [everything, 'everything'],
]);

export async function chaos({ blows, everyMs, recoveryMs }: ChaosOptions): Promise<ChaosReport> {
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
    for (const blow of blows) {
      await pause(everyMs);
      const [one, many] = [stores.get(blow), multitudes.get(blow)];
      // The processes that were killed before run again, so the measured time is that of this one.
      if (one) await wellAgain(system, check);
      await blow(system);
      if (one) recoveries.push({ after: one, ms: await wellAgain(system, check), limit: recoveryMs });
      if (many) recoveries.push({ after: many, ms: await wellAgain(system, check), limit: Number.POSITIVE_INFINITY });
    }
    await wellAgain(system, check);
    await traffic.stop();
    const slow = recoveries
      .filter(({ ms, limit }) => ms > limit)
      .map(({ after, ms }) => `it was well again only ${Math.round(ms)} ms after ${after} fell`);
    const dead = system.allReplicas.filter(({ running }) => !running).map(({ name }) => `${name} is dead`);
    const restarted = system.allReplicas.flatMap(({ name, log }) =>
      log()
        .split('\n')
        .filter((line) => /"msg":"(uncaught|unhandled rejection)"/.test(line))
        .map((line) => `${name} fell over by itself: ${line.slice(0, 1500)}`),
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
