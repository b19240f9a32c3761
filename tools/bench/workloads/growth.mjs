// How speed changes with what grows: organizations, stored alerts, replicas of the services that apply events.
import { setTimeout as sleep } from 'node:timers/promises';
import { alertsAt } from '../alerts-at.mjs';
import { requireSuccess } from '../client.mjs';
import { pageByApi } from '../first-page.mjs';
import { withCpu } from '../processes.mjs';
import { seedAlerts, seedIntegrations, seedOrganizations } from '../seed.mjs';
import { drainedBacklog } from './pipeline.mjs';

export const name = 'growth';
export const about =
  'the same work with more organizations, more stored alerts, more replicas (--large: 5 million alerts)';

const rate = 300;
const tokens = 6000;

export async function run(context) {
  await organizations(context);
  await storedAlerts(context);
  await replicas(context);
}

/** The same alerts, sent by one organization or by many. */
async function organizations({ options, start, report, results }) {
  for (const count of [1, 100, options.quick ? 1000 : 10_000]) {
    report.line(`          ${count} organizations`);
    const ours = await start();
    const tenants = await seedOrganizations(ours, count);
    const { generic } = await seedIntegrations(ours, tenants, [{ type: 'generic', count: Math.max(tokens, count) }]);
    await alertsAt(ours, generic, rate, 3);
    const { result, cpu, total } = await withCpu(ours.pids(), async () => {
      const sent = await alertsAt(ours, generic, rate, 3 * options.seconds);
      await sleep(2000); // what waits is applied
      return sent;
    });
    requireSuccess('sending', result);
    const facts = { p99: result.p99, cpu };
    results.add({
      workload: name,
      what: `${count} organizations: CPU of all processes per 1,000 alerts, at ${rate}/s`,
      unit: 's',
      ours: [(1000 * total) / result.succeeded],
      facts,
    });
    await ours.stop();
  }
}

/** One installation, in which more and more alerts are stored. */
async function storedAlerts({ options, start, report, results }) {
  const ours = await start((service) => (service === 'auth' ? { API_LIMIT_PER_MINUTE: '1000000' } : {}));
  const tenants = await seedOrganizations(ours, 10);
  const { generic } = await seedIntegrations(ours, tenants, [{ type: 'generic', count: tokens }]);
  const sizes = [10_000, 100_000, ...(options.quick ? [] : [1_000_000]), ...(options.large ? [5_000_000] : [])];
  const events = options.quick ? 5000 : 20_000;
  let stored = 0;
  for (const size of sizes) {
    report.line(`          ${size} alerts stored`);
    // Each size needs organizations of its own: the seeds of an organization have fixed fingerprints.
    const owners = await seedOrganizations(ours, 10);
    await seedAlerts(ours, owners, (size - stored) / 10);
    stored = size;
    const page = await pageByApi(ours, owners[0].key, '', options)();
    const drained = await drainedBacklog(ours, generic, { events, duplicates: 0 });
    stored += events;
    const what = (text) => `${size} alerts stored: ${text}`;
    results.add({ workload: name, what: what('first page, p50'), unit: 'ms', ours: [page.p50], facts: page });
    results.add({
      workload: name,
      what: what('processing events'),
      unit: 'events/s',
      ours: [drained.rate],
      facts: drained,
    });
  }
  await ours.stop();
}

/** A backlog of eight partitions, applied by one replica or several. */
async function replicas({ options, start, report, results }) {
  const partitions = { INGEST_PARTITIONS: '8' };
  for (const count of [1, 2, 4]) {
    report.line(`          ${count} replicas of the pipeline`);
    const ours = await start(
      (service) => (service === 'ingest-gateway' || service === 'alert-pipeline' ? partitions : {}),
      null,
      (service) => (service === 'alert-pipeline' ? count : 1),
    );
    const { generic } = await seedIntegrations(ours, await seedOrganizations(ours, 100), [
      { type: 'generic', count: tokens },
    ]);
    const drained = await drainedBacklog(ours, generic, { events: options.quick ? 10_000 : 50_000, duplicates: 0 });
    results.add({
      workload: name,
      what: `${count} replicas of the pipeline: processing events`,
      unit: 'events/s',
      ours: [drained.rate],
      facts: drained,
    });
    await ours.stop();
  }
}
