// Memory at rest: proportional set size, so that shared pages are counted only once.
import { setTimeout as sleep } from 'node:timers/promises';
import { pssMegabytes } from '../processes.mjs';
import { under } from '../report.mjs';

export const name = 'memory';
export const about = 'at rest: each service, all services, with PostgreSQL and NATS';

export async function run({ options, start, results }) {
  const ours = await start();
  const services = Object.keys(ours.services);
  const rounds = [];
  for (let round = 0; round < options.rounds; round++) {
    await sleep(10_000);
    rounds.push(Object.fromEntries(Object.entries(ours.pids()).map(([part, pid]) => [part, pssMegabytes([pid])])));
  }
  const of = (...parts) => rounds.map((round) => parts.reduce((sum, part) => sum + round[part], 0));
  for (const service of services)
    results.add({ workload: name, what: service, unit: 'MB', ours: of(service), target: under(90, 'MB') });
  results.add({ workload: name, what: 'PostgreSQL', unit: 'MB', ours: of('PostgreSQL') });
  results.add({ workload: name, what: 'NATS', unit: 'MB', ours: of('NATS') });
  results.add({ workload: name, what: 'all services', unit: 'MB', ours: of(...services), target: under(450, 'MB') });
  results.add({
    workload: name,
    what: 'with PostgreSQL and NATS',
    unit: 'MB',
    ours: of(...services, 'PostgreSQL', 'NATS'),
    target: under(550, 'MB'),
  });
}
