// The pipeline alone: a backlog is stored while it is stopped, and then drained. Beside it a script that does nothing but
// upsert the same rows into a copy of the table.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneOfOurs } from '../bodies.mjs';
import { load, requireSuccess } from '../client.mjs';
import { alternate, pluck } from '../measure.mjs';
import { withCpu } from '../processes.mjs';
import { atLeast } from '../report.mjs';
import { seedIntegrations, seedOrganizations, targetsOf } from '../seed.mjs';

export const name = 'pipeline';
export const about = 'draining a backlog; beside a plain multi-row upsert of the same rows';

export async function run({ options, start, report, results }) {
  const ours = await start();
  const events = options.quick ? 20_000 : 100_000;
  const { generic } = await seedIntegrations(ours, await seedOrganizations(ours, 100), [{ type: 'generic', count: Math.max(6000, events / 10) }]);
  await ours.query('CREATE SCHEMA bench');
  await ours.query('CREATE TABLE bench.alerts (LIKE alerts.alerts INCLUDING ALL)');

  const drain = (duplicates) => async () => {
    await ours.services['alert-pipeline'].stop();
    const stored = requireSuccess('storing the backlog', await load({ method: 'POST', port: ours.services['ingest-gateway'].port, targets: targetsOf(generic), body: oneOfOurs, duplicates, requests: events, expected: 202 }));
    await ours.query('CHECKPOINT');
    const { result, cpu, total } = await withCpu({ PostgreSQL: ours.postgres.pid, NATS: ours.nats.pid }, async () => {
      await ours.services['alert-pipeline'].start();
      await ours.services['alert-pipeline'].ready(60_000);
      return drained(ours, stored.itemsSucceeded);
    });
    const own = await ours.counter('alert-pipeline', 'process_cpu_seconds_total');
    return { rate: result, cpuPer1000: (1000 * (total + own)) / stored.itemsSucceeded, cpu: { ...cpu, pipeline: own } };
  };
  const upsert = async () => ({ rate: await inProcess('upsert.mjs', { url: ours.adminUrl, rows: events, run: Math.random().toString(36).slice(2) }) });

  report.line(`          a backlog of ${events} events, unique`);
  const unique = await alternate(options.rounds, [{ name: 'ours', run: drain(0) }, { name: 'upsert', run: upsert }]);
  results.add({ workload: name, what: 'draining unique events', unit: 'events/s', ours: pluck(unique.ours, 'rate'), reference: { name: 'plain upsert', values: pluck(unique.upsert, 'rate') }, target: atLeast(0.4), facts: unique });
  results.add({ workload: name, what: 'CPU of pipeline, PostgreSQL and NATS per 1,000', unit: 's', ours: pluck(unique.ours, 'cpuPer1000') });
  report.line('          the same with 90 % duplicates');
  const duplicates = await alternate(options.rounds, [{ name: 'ours', run: drain(0.9) }]);
  results.add({ workload: name, what: 'draining, 90 % duplicates', unit: 'events/s', ours: pluck(duplicates.ours, 'rate') });
}

/** Events a second, from the first look that finds some applied to the one that finds all of them applied. */
async function drained(ours, all) {
  let first = null;
  for (const until = performance.now() + 300_000; performance.now() < until; await sleep(25)) {
    const applied = await ours.counter('alert-pipeline', 'ams_pipeline_events_total');
    const now = performance.now();
    if (applied > 0) first ??= { applied, now };
    if (applied >= all) return (1000 * (applied - first.applied)) / (now - first.now);
  }
  throw new Error('the backlog was not drained within five minutes');
}

export function inProcess(file, job) {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, '../references', file));
    let answer;
    child.on('message', (message) => (answer = message));
    child.on('exit', (code) => (code === 0 && answer !== undefined ? resolve(answer) : reject(new Error(`${file} ended with ${code}`))));
    child.send(job);
  });
}
