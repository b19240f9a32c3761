// Requests of the v1 API: gateway, admission with rate limit and audit entry, resource API, database. The limit is 300
// a minute for each organization, so there are 2,500 organizations, each with a key.
import { publicId } from '@ams/contracts';
import { ownPayload } from '../bodies.mjs';
import { load, requireSuccess } from '../client.mjs';
import { alternate, pluck } from '../measure.mjs';
import { withCpu } from '../processes.mjs';
import { atLeast, under } from '../report.mjs';
import { startReference } from '../references/start.mjs';
import { seedAlerts, seedOrganizations } from '../seed.mjs';

export const name = 'api';
export const about =
  'one alert and a list through gateway, admission and resource API; compared with Nest on Fastify alone';

const perOrganization = 60;

export async function run({ options, start, report, results, cleanUp }) {
  const ours = await start();
  const organizations = await seedOrganizations(ours, 2500);
  await seedAlerts(ours, organizations, perOrganization);
  const nest = cleanUp(await startReference('nest-server.mjs'));
  const alertOf = new Map(
    (
      await ours.query(
        'SELECT DISTINCT ON (organization_id) organization_id, id FROM alerts.alerts ORDER BY organization_id, id',
      )
    ).map((row) => [row.organization_id, publicId('alert', row.id)]),
  );
  const targets = (path) =>
    organizations.map(({ id, key }) => ({ path: path(id), headers: { authorization: `Bearer ${key}` } }));
  const one = targets((id) => `/api/v1/alerts/${alertOf.get(id)}`);
  const many = targets(() => '/api/v1/alerts?limit=50');
  const filtered = targets(() => '/api/v1/alerts?status=firing&severity=critical');
  const port = Number(new URL(ours.baseUrl).port);
  const base = {
    method: 'GET',
    expected: 200,
    order: 'random',
    seconds: options.seconds,
    warmup: Math.min(2, options.seconds / 3),
  };
  const mine = (list, more) => async () => {
    const { result, cpu, total } = await withCpu(ours.pids(), () => load({ ...base, port, targets: list, ...more }));
    requireSuccess('the API', result, 0.01);
    return {
      ...result,
      cpuPer1000: (1000 * total) / result.succeeded,
      cpu: Object.fromEntries(Object.entries(cpu).map(([part, used]) => [part, (1000 * used) / result.succeeded])),
    };
  };
  const theirs = (more) => async () =>
    requireSuccess(
      'Nest',
      await load({ ...base, port: nest.port, targets: [{ path: '/alerts/alr_1?limit=50' }], ...more }),
    );
  const checking = async () =>
    requireSuccess(
      'Nest',
      await load({
        ...base,
        method: 'POST',
        expected: 202,
        port: nest.port,
        targets: [{ path: '/alerts' }],
        body: ownPayload,
      }),
    );

  report.line('          at full speed');
  const samples = await alternate(options.rounds, [
    { name: 'one', run: mine(one) },
    { name: 'nest', run: checking },
    { name: 'nestRead', run: theirs() },
    { name: 'list', run: mine(many) },
    { name: 'filtered', run: mine(filtered) },
  ]);
  const reference = (key) => ({ name: 'Nest on Fastify, class-validator', values: pluck(samples.nest, key) });
  results.add({
    workload: name,
    what: 'GET one alert',
    unit: 'req/s',
    ours: pluck(samples.one, 'rate'),
    reference: reference('rate'),
    target: atLeast(0.3),
    facts: samples,
  });
  results.add({
    workload: name,
    what: 'GET one alert',
    unit: 'req/s',
    ours: pluck(samples.one, 'rate'),
    reference: { name: 'an empty read with Nest', values: pluck(samples.nestRead, 'rate') },
  });
  results.add({
    workload: name,
    what: 'the same, p99',
    unit: 'ms',
    ours: pluck(samples.one, 'p99'),
    reference: reference('p99'),
  });
  results.add({
    workload: name,
    what: 'the same, CPU of all processes per 1,000',
    unit: 's',
    ours: pluck(samples.one, 'cpuPer1000'),
  });
  results.add({
    workload: name,
    what: `GET a page of 50 of ${perOrganization}`,
    unit: 'req/s',
    ours: pluck(samples.list, 'rate'),
    reference: reference('rate'),
  });
  results.add({
    workload: name,
    what: 'GET a page by status and severity',
    unit: 'req/s',
    ours: pluck(samples.filtered, 'rate'),
    reference: reference('rate'),
  });

  report.line('          at 100/s');
  const calm = await alternate(options.rounds, [
    { name: 'one', run: mine(one, { rate: 100 }) },
    { name: 'nest', run: theirs({ rate: 100 }) },
  ]);
  results.add({
    workload: name,
    what: 'GET one alert at 100/s, p50',
    unit: 'ms',
    ours: pluck(calm.one, 'p50'),
    reference: { name: 'Nest on Fastify', values: pluck(calm.nest, 'p50') },
    target: under(6, 'ms'),
    facts: calm,
  });
  results.add({
    workload: name,
    what: 'GET one alert at 100/s, p99',
    unit: 'ms',
    ours: pluck(calm.one, 'p99'),
    reference: { name: 'Nest on Fastify', values: pluck(calm.nest, 'p99') },
  });
}
