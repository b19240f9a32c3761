/** SIGSTOP: a process is paused. It keeps its connections, its leases and the requests that it has received. */
import { serviceNames, type ServiceName } from '../system.js';
import type { Fault, FaultRun } from './fault.js';
import { withChildren } from './processes.js';

function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // the process has ended
    }
  }
}

const stopped = (title: string, seconds: number): string => `${title} is stopped (SIGSTOP) for ${seconds} s.`;

const stopRow = (
  name: string,
  title: string,
  seconds: number,
  pidsOf: (run: FaultRun) => readonly number[],
): Fault => ({
  name: `stop-${seconds}-${name}`,
  class: 'stop',
  what: stopped(title, seconds),
  needs: ['linux'],
  seconds,
  inject: async (run) => signal(pidsOf(run), 'SIGSTOP'),
  end: async (run) => signal(pidsOf(run), 'SIGCONT'),
});

/** The first replica only: requests still reach it. */
const stopOne = (service: ServiceName): Fault =>
  stopRow(service, `One of two replicas of ${service}`, 40, ({ system }) =>
    system
      .replicas(service)
      .slice(0, 1)
      .map(({ pid }) => pid),
  );

const stopAll = (service: ServiceName): Fault =>
  stopRow(service, `Every replica of ${service}`, 130, ({ system }) => system.replicas(service).map(({ pid }) => pid));

const stopNats = (seconds: number): Fault => stopRow('nats', 'NATS', seconds, ({ system }) => [system.nats.pid]);

const stopPostgres = (seconds: number): Fault =>
  stopRow('postgres', 'PostgreSQL with all its processes', seconds, ({ system }) => withChildren(system.postgres.pid));

/** `--quick` stops these. */
const quickNames = new Set(['stop-40-alert-pipeline', 'stop-40-notifier', 'stop-40-postgres']);

export const stopFaults: readonly Fault[] = [
  ...serviceNames.map(stopOne),
  stopNats(40),
  stopPostgres(40),
  ...serviceNames.map(stopAll),
  stopNats(130),
  stopPostgres(130),
].map((fault) => ({ ...fault, quick: quickNames.has(fault.name) }));
