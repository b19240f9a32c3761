/** SIGKILL: services, NATS and PostgreSQL end at once, without a shutdown. */
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames, type ServiceName } from '../system.js';
import type { Fault } from './fault.js';

const kills = 5;

/** `--quick` kills these. */
const quickServices: readonly ServiceName[] = ['ingest-gateway', 'alert-pipeline', 'workflow-engine', 'notifier'];

const killService = (service: ServiceName): Fault => ({
  name: `kill-${service}`,
  class: 'kill',
  what: `Replicas of ${service} are killed ${kills} times within 10 seconds; sometimes none of them runs.`,
  quick: quickServices.includes(service),
  seconds: 0,
  async inject({ system, random }) {
    for (let n = 0; n < kills; n++) {
      if (n > 0) await pause(random.between(500, 3500));
      await random.oneOf(system.replicas(service)).kill9();
    }
  },
});

const killServer = (store: 'nats' | 'postgres', title: string): Fault => ({
  name: `kill-${store}`,
  class: 'kill',
  what: `${title} is killed ${kills} times, and starts again after up to two seconds.`,
  quick: true,
  seconds: 0,
  async inject({ system, random }) {
    for (let n = 0; n < kills; n++) {
      if (n > 0) await pause(random.between(500, 3500));
      await system[store].kill();
      await pause(random.between(0, 2000));
      await system[store].restart();
    }
  },
});

const killEverything: Fault = {
  name: 'kill-everything',
  class: 'kill',
  what: 'All services, NATS and PostgreSQL are killed at once; NATS and PostgreSQL start again after a second.',
  seconds: 0,
  async inject({ system }) {
    const stores = [system.postgres, system.nats];
    const replicas = system.allReplicas.map((replica) => replica.kill9());
    await Promise.all([...replicas, ...stores.map((store) => store.kill())]);
    await pause(1000);
    await Promise.all(stores.map((store) => store.restart()));
  },
};

export const killFaults: readonly Fault[] = [
  ...serviceNames.map(killService),
  killServer('nats', 'NATS'),
  killServer('postgres', 'PostgreSQL'),
  killEverything,
];
