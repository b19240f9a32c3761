// The pipeline alone: a backlog is stored while it is stopped, and then processed. Compared with a script that only
// upserts the same rows into a copy of the table.
import { setTimeout as sleep } from 'node:timers/promises';
import { ownPayload } from '../bodies.mjs';
import { load, requireSuccess } from '../client.mjs';
import { alternate, pluck } from '../measure.mjs';
import { cpuSeconds } from '../processes.mjs';
import { inProcess } from '../references/in-process.mjs';
import { atLeast } from '../report.mjs';
import { seedIntegrations, seedOrganizations, targetsOf } from '../seed.mjs';

export const name = 'pipeline';
export const about = 'processing a backlog; compared with a plain multi-row upsert of the same rows';

export async function run({ options, start, report, results }) {
  const ours = await start();
  const events = options.quick ? 20_000 : options.brief ? 30_000 : 100_000;
  const { generic } = await seedIntegrations(ours, await seedOrganizations(ours, 100), [
    { type: 'generic', count: Math.max(6000, events / 10) },
  ]);
  await ours.query('CREATE SCHEMA bench');
  await ours.query('CREATE TABLE bench.alerts (LIKE alerts.alerts INCLUDING ALL)');

  const drain = (duplicates) => () => drainedBacklog(ours, generic, { events, duplicates });
  const upsert = async () => ({
    rate: await inProcess('upsert.mjs', { url: ours.adminUrl, rows: events, run: Math.random().toString(36).slice(2) }),
  });

  report.line(`          a backlog of ${events} events, unique`);
  const unique = await alternate(options.rounds, [
    { name: 'ours', run: drain(0) },
    { name: 'upsert', run: upsert },
  ]);
  results.add({
    workload: name,
    what: 'processing unique events',
    unit: 'events/s',
    ours: pluck(unique.ours, 'rate'),
    reference: { name: 'plain upsert', values: pluck(unique.upsert, 'rate') },
    target: atLeast(0.4),
    facts: unique,
  });
  results.add({
    workload: name,
    what: 'CPU of pipeline, PostgreSQL and NATS per 1,000',
    unit: 's',
    ours: pluck(unique.ours, 'cpuPer1000'),
  });
  report.line('          the same with 90 % duplicates');
  const duplicates = await alternate(options.rounds, [{ name: 'ours', run: drain(0.9) }]);
  results.add({
    workload: name,
    what: 'processing, 90 % duplicates',
    unit: 'events/s',
    ours: pluck(duplicates.ours, 'rate'),
  });
}

const replicasOf = (ours) => Object.values(ours.services).filter(({ name }) => name.startsWith('alert-pipeline'));

/** Stores a backlog while the pipeline is stopped, and measures how it is processed by all its replicas. */
export async function drainedBacklog(ours, tokens, { events, duplicates }) {
  await Promise.all(replicasOf(ours).map((replica) => replica.stop()));
  const stored = requireSuccess(
    'storing the backlog',
    await load({
      method: 'POST',
      port: ours.services['ingest-gateway'].port,
      targets: targetsOf(tokens),
      body: ownPayload,
      duplicates,
      requests: events,
      expected: 202,
    }),
  );
  await ours.query('CHECKPOINT');
  await Promise.all(replicasOf(ours).map((replica) => replica.start()));
  return drained(ours, stored.itemsSucceeded);
}

/** A look makes the metrics of each replica. Every 25 ms it took 7 % of the time of the pipeline's process. */
const lookMs = 100;

/**
 * From the first sample with some events applied, after the service has started, to the sample with all events applied.
 */
async function drained(ours, all) {
  const replicas = replicasOf(ours).map(({ name: replica }) => replica);
  const look = async () => {
    const counts = await Promise.all(replicas.map((replica) => ours.counter(replica, 'ams_pipeline_events_total')));
    return {
      applied: counts.reduce((sum, count) => sum + count, 0),
      at: performance.now(),
      cpu: Object.fromEntries(
        [...replicas, 'PostgreSQL', 'NATS'].map((part) => [part, cpuSeconds([ours.pids()[part]])]),
      ),
    };
  };
  let first = null;
  for (const until = performance.now() + 300_000; performance.now() < until; await sleep(lookMs)) {
    const now = await look().catch(() => null);
    if (now === null || now.applied === 0) continue;
    first ??= now;
    if (now.applied < all) continue;
    const events = now.applied - first.applied;
    const cpu = Object.fromEntries(
      Object.keys(now.cpu).map((part) => [part, (1000 * (now.cpu[part] - first.cpu[part])) / events]),
    );
    return {
      rate: (1000 * events) / (now.at - first.at),
      cpu,
      cpuPer1000: Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0),
    };
  }
  throw new Error('the backlog was not processed within five minutes');
}
