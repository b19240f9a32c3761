// Latency at a fixed rate, independent of responses (open loop), with all services running; and the time from the 2xx
// response until a read finds the alert.
import { setTimeout as sleep } from 'node:timers/promises';
import { ownPayload } from '../bodies.mjs';
import { load, requireSuccess } from '../client.mjs';
import { alternate, pluck } from '../measure.mjs';
import { under } from '../report.mjs';
import { startReference } from '../references/start.mjs';
import { seedIntegrations, seedOrganizations, targetsOf } from '../seed.mjs';

export const name = 'latency';
export const about = 'ingest at 100/s and 1,000/s, and from the 2xx to visible at 500/s; compared with plain Fastify';

export async function run({ options, start, report, results, cleanUp }) {
  const ours = await start();
  const organizations = await seedOrganizations(ours, 100);
  const { generic } = await seedIntegrations(ours, organizations, [{ type: 'generic', count: 6000 }]);
  const fastify = cleanUp(await startReference('fastify-server.mjs'));
  const port = ours.services['ingest-gateway'].port;
  const job = { method: 'POST', body: ownPayload, expected: 202, seconds: options.seconds, warmup: 1, connections: 64 };
  await load({ ...job, port, targets: targetsOf(generic), rate: 500, seconds: 2 });
  for (const [rate, p50, p99] of [
    [100, 4, 15],
    [1000, 5, 25],
  ]) {
    report.line(`          at ${rate}/s`);
    const samples = await alternate(options.rounds, [
      {
        name: 'ours',
        run: async () => requireSuccess('ingest', await load({ ...job, port, targets: targetsOf(generic), rate })),
      },
      {
        name: 'fastify',
        run: async () =>
          requireSuccess('Fastify', await load({ ...job, port: fastify.port, targets: [{ path: '/alerts' }], rate })),
      },
    ]);
    const reference = (key) => ({ name: 'plain Fastify', values: pluck(samples.fastify, key) });
    results.add({
      workload: name,
      what: `ingest at ${rate}/s, p50`,
      unit: 'ms',
      ours: pluck(samples.ours, 'p50'),
      reference: reference('p50'),
      target: under(p50, 'ms'),
      facts: samples,
    });
    results.add({
      workload: name,
      what: `ingest at ${rate}/s, p99`,
      unit: 'ms',
      ours: pluck(samples.ours, 'p99'),
      reference: reference('p99'),
      target: under(p99, 'ms'),
    });
  }
  report.line('          visible, at 500/s');
  const rounds = [];
  for (let round = 0; round < options.rounds; round++)
    rounds.push(await visibility(ours, { ...job, port, targets: targetsOf(generic), rate: 500, sampleEvery: 10 }));
  results.add({ workload: name, what: '2xx to visible at 500/s, p50', unit: 'ms', ours: pluck(rounds, 'p50') });
  results.add({
    workload: name,
    what: '2xx to visible at 500/s, p99',
    unit: 'ms',
    ours: pluck(rounds, 'p99'),
    target: under(250, 'ms'),
    facts: rounds,
  });
  await verifyByApi(ours, organizations, results);
}

/** Every tenth alert is polled in the database, where reads find it, every few milliseconds from its 2xx on. */
async function visibility(ours, job) {
  const waiting = new Map();
  const delays = [];
  let over = false;
  const looking = (async () => {
    while (!over || waiting.size > 0) {
      if (waiting.size > 0) {
        const rows = await ours.query(
          `SELECT fingerprint FROM alerts.alerts
           WHERE fingerprint = ANY($1::text[]) AND organization_id = ANY(SELECT id FROM auth.organizations)`,
          [[...waiting.keys()]],
        );
        const now = performance.timeOrigin + performance.now();
        for (const { fingerprint } of rows) {
          delays.push(Math.max(0, now - waiting.get(fingerprint)));
          waiting.delete(fingerprint);
        }
        for (const [fingerprint, since] of waiting)
          if (now - since > 30_000) throw new Error(`${fingerprint} was accepted, but is not visible after 30 s`);
      }
      await sleep(4);
    }
  })();
  await requireSuccess('ingest', await load(job, ({ sample, at }) => waiting.set(`cpu-${sample}`, at)));
  over = true;
  await looking;
  delays.sort((a, b) => a - b);
  return {
    looked: delays.length,
    p50: delays[Math.floor(delays.length * 0.5)],
    p99: delays[Math.floor(delays.length * 0.99)],
    max: delays.at(-1),
  };
}

/** The API must return what the database contains: checks some of the newest alerts by fingerprint. */
async function verifyByApi(ours, organizations, results) {
  const rows = await ours.query(
    'SELECT organization_id, fingerprint FROM alerts.alerts ORDER BY created_at DESC LIMIT 5',
  );
  for (const { organization_id: organization, fingerprint } of rows) {
    const { key } = organizations.find(({ id }) => id === organization);
    const answer = await fetch(`${ours.baseUrl}/api/v1/alerts?fingerprint=${fingerprint}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const found = answer.ok ? (await answer.json()).data.length : 0;
    if (found !== 1)
      return results.note(
        `latency: ${fingerprint} is in the database, but GET /alerts answered ${answer.status} with ${found} of it.`,
      );
  }
}
