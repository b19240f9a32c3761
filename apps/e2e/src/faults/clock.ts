/** Clocks of services that are wrong, and clocks that jump. The clocks of PostgreSQL and NATS stay correct. */
import { eventually } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames, type Replica, type ServiceName } from '../system.js';
import type { Fault, FaultRun } from './fault.js';

const wrongBySeconds = 600;

const clocksOf = ({ system }: FaultRun) => {
  if (!system.clocks) throw new Error('the system has no clocks to set');
  return system.clocks;
};

function setAll(run: FaultRun, service: ServiceName | null, secondsOf: (index: number) => number): void {
  const replicas = service === null ? run.system.allReplicas : run.system.replicas(service);
  for (const [index, { name }] of replicas.entries()) clocksOf(run).set(name, secondsOf(index));
}

/** Without this check, a fault that did not happen would pass. A process notices the new time after about a second. */
async function expectWrong({ managementUrl: url, name }: Replica): Promise<void> {
  await eventually(
    async () => {
      const now = Date.parse(String((await fetch(`${url}/healthz`)).headers.get('date')));
      if (Math.abs(now - Date.now()) < 60_000) throw new Error(`the clock of ${name} is correct`);
    },
    { timeoutMs: 20_000 },
  );
}

const common = {
  class: 'clock',
  needs: ['linux', 'faketime'],
  system: { place: 'clocks' },
} as const;

/** The clock is wrong while the fault lasts. It jumps at the beginning and back at the end. */
const wrong = (service: ServiceName, direction: 'ahead' | 'behind'): Fault => ({
  ...common,
  name: `clock-${direction}-${service}`,
  what: `The clocks of ${service} are ${wrongBySeconds / 60} minutes ${direction} of all others.`,
  seconds: 30,
  async inject(run) {
    setAll(run, service, () => (direction === 'ahead' ? wrongBySeconds : -wrongBySeconds));
    for (const replica of run.system.replicas(service)) await expectWrong(replica);
  },
  end: async (run) => setAll(run, service, () => 0),
});

const apart: Fault = {
  ...common,
  name: 'clock-apart',
  what: `One clock of each service is ${wrongBySeconds / 60} minutes ahead, and another one is as much behind.`,
  quick: true,
  seconds: 40,
  async inject(run) {
    setAll(run, null, (index) => (index % 2 === 0 ? wrongBySeconds : -wrongBySeconds));
    for (const replica of run.system.allReplicas) await expectWrong(replica);
  },
  end: async (run) => setAll(run, null, () => 0),
};

const jumps = 15;

const jumping: Fault = {
  ...common,
  name: 'clock-jumping',
  what: `The clock of every replica jumps ${jumps} times, every two seconds, by up to ${wrongBySeconds / 60} minutes.`,
  seconds: 0,
  async inject(run) {
    for (let n = 0; n < jumps; n++) {
      setAll(run, null, () => Math.round(run.random.between(-wrongBySeconds, wrongBySeconds)));
      await pause(2000);
    }
  },
  end: async (run) => setAll(run, null, () => 0),
};

export const clockFaults: readonly Fault[] = [
  ...serviceNames.flatMap((service) => [wrong(service, 'ahead'), wrong(service, 'behind')]),
  apart,
  jumping,
];
