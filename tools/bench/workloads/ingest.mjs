// Durable accept: 202 means that NATS has the alert on disk. Measured with the pipeline stopped, for the accept alone,
// and again with all services running.
import { load, requireSuccess } from '../client.mjs';
import { ownPayloadWithItems, ofAlertmanager, ownPayload } from '../bodies.mjs';
import { alternate, pluck } from '../measure.mjs';
import { atLeast, atMost } from '../report.mjs';
import { withCpu } from '../processes.mjs';
import { startAlertmanager } from '../references/alertmanager.mjs';
import { startReference } from '../references/start.mjs';
import { seedIntegrations, seedOrganizations, targetsOf } from '../seed.mjs';

export const name = 'ingest';
export const about =
  'durable accept: unique, duplicates, 64 in one request; compared with Alertmanager and plain Fastify';

const streamBytes = 6 * 1024 ** 3;

const rate = atLeast(1, '≥ 1.0 (first 0.6)');

export async function run({ options, start, dir, report, results, cleanUp }) {
  // The pipeline does not run for most of the measurements, so all their events stay in the stream.
  const ours = await start(() => ({ INGEST_STREAM_MAX_BYTES: String(streamBytes) }));
  const organizations = await seedOrganizations(ours, 100);
  const tokens = await seedIntegrations(ours, organizations, [
    { type: 'generic', count: options.quick ? 6000 : 12_000 },
    { type: 'alertmanager', count: 2000 },
  ]);
  const alertmanager = cleanUp(await startAlertmanager({ dir, report, results }));
  const fastify = cleanUp(await startReference('fastify-server.mjs'));
  const { seconds, rounds } = options;
  const warmup = Math.min(2, seconds / 3);
  const base = { method: 'POST', seconds, warmup };
  const mine = (type, more) => async () => {
    const job = {
      ...base,
      port: ours.services['ingest-gateway'].port,
      targets: targetsOf(tokens[type]),
      body: ownPayload,
      expected: 202,
      ...more,
    };
    const { result, cpu } = await withCpu(ours.pids(), () => load(job));
    requireSuccess('ingest', result);
    return {
      ...result,
      cpuPer1000: (1000 * (cpu['ingest-gateway'] + cpu.NATS)) / result.itemsSucceeded,
      gatewayCpuPer1000: (1000 * cpu['ingest-gateway']) / result.itemsSucceeded,
    };
  };
  const theirs = (count, more) => async () => {
    const job = {
      ...base,
      port: alertmanager.port,
      targets: [{ path: '/api/v2/alerts' }],
      body: ofAlertmanager(count),
      expected: 200,
      ...more,
    };
    const { result, total } = await withCpu({ alertmanager: alertmanager.pid }, () => load(job));
    return { ...requireSuccess('Alertmanager', result), cpuPer1000: (1000 * total) / result.itemsSucceeded };
  };
  const bare = async () => {
    const { result, total } = await withCpu({ fastify: fastify.pid }, () =>
      load({ ...base, port: fastify.port, targets: [{ path: '/alerts' }], body: ownPayload, expected: 202 }),
    );
    return { ...requireSuccess('Fastify', result), cpuPer1000: (1000 * total) / result.itemsSucceeded };
  };
  const systems = (own, reference) => [
    { name: 'ours', run: own },
    ...(alertmanager ? [{ name: 'Alertmanager', run: reference }] : []),
  ];
  const named = (samples, key) =>
    samples.Alertmanager ? { name: 'Alertmanager', values: pluck(samples.Alertmanager, key) } : null;
  const row = (samples, key, what, unit, target) =>
    results.add({
      workload: name,
      what,
      unit,
      ours: pluck(samples.ours, key),
      reference: named(samples, key),
      target,
      facts: samples,
    });

  await ours.services['alert-pipeline'].stop();
  report.line('          one alert per request, unique');
  const unique = await alternate(rounds, [...systems(mine('generic'), theirs(1)), { name: 'Fastify', run: bare }]);
  row(unique, 'rate', 'one alert per request, unique', 'alerts/s', rate);
  row(unique, 'p50', 'the same, p50', 'ms', null);
  row(unique, 'p99', 'the same, p99', 'ms', atMost(1));
  row(unique, 'cpuPer1000', 'the same, CPU of gateway and NATS per 1,000', 's', null);
  results.add({
    workload: name,
    what: 'one alert per request, unique',
    unit: 'alerts/s',
    ours: pluck(unique.ours, 'rate'),
    reference: { name: 'plain Fastify', values: pluck(unique.Fastify, 'rate') },
  });

  report.line('          one alert per request, 90 % duplicates');
  const duplicates = await alternate(
    rounds,
    systems(mine('generic', { duplicates: 0.9 }), theirs(1, { duplicates: 0.9 })),
  );
  row(duplicates, 'rate', 'one alert per request, 90 % duplicates', 'alerts/s', atLeast(1));

  report.line('          64 per request');
  const many = await alternate(rounds, systems(mine('alertmanager', { body: ownPayloadWithItems(64) }), theirs(64)));
  row(many, 'itemRate', '64 per request, unique', 'alerts/s', atLeast(1, '≥ 1.0 (first 0.8)'));
  row(many, 'p99', 'the same, p99 of a request', 'ms', null);
  const manyDuplicates = await alternate(
    rounds,
    systems(mine('alertmanager', { body: ownPayloadWithItems(64), duplicates: 0.9 }), theirs(64, { duplicates: 0.9 })),
  );
  row(manyDuplicates, 'itemRate', '64 per request, 90 % duplicates', 'alerts/s', atLeast(1, '≥ 1.0 (first 0.8)'));

  report.line('          one alert per request, unique, while the pipeline runs');
  await ours.services['alert-pipeline'].start();
  await ours.services['alert-pipeline'].ready(60_000);
  const whole = await alternate(rounds, systems(mine('generic'), theirs(1)));
  row(whole, 'rate', 'one alert per request, while the pipeline runs', 'alerts/s', null);
}
