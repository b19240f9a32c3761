// 5,000 callers of the stream of events on one API gateway: its memory and CPU time, and how long an event takes from
// its sender to every caller of the organization.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pssMegabytes, withCpu } from '../processes.mjs';
import { under } from '../report.mjs';
import { seedIntegrations, seedOrganizations } from '../seed.mjs';
import { until } from '../until.mjs';

export const name = 'stream';
export const about = '5,000 callers of the stream of events: memory, CPU time, delay of an event';

const organizationCount = 25;
const eventsPerSecond = 10;

export async function run({ options, start, results, cleanUp, report }) {
  const count = options.quick ? 500 : 5000;
  const ours = await start((service) =>
    service === 'api-gateway' ? { STREAMS_PER_PRINCIPAL: '1000', STREAMS: String(count) } : {},
  );
  const organizations = await seedOrganizations(ours, organizationCount);
  const { generic } = await seedIntegrations(ours, organizations, [{ type: 'generic', count: organizationCount }]);
  const gateway = ours.services['api-gateway'];
  const before = pssMegabytes([gateway.pid]);
  report.line(`          connecting ${count.toLocaleString('en')} callers`);
  const clients = cleanUp(streamClients());
  await clients.ask({ open: { port: gateway.port, keys: organizations.map(({ key }) => key), count } });
  const connected = pssMegabytes([gateway.pid]) - before;
  results.add({
    workload: name,
    what: `memory for each of ${count.toLocaleString('en')} callers`,
    unit: 'kB',
    ours: [(connected * 1024) / count],
    target: under(60, 'kB'),
  });

  const { total: idle } = await withCpu({ gateway: gateway.pid }, () => sleep(options.seconds * 1000));
  results.add({
    workload: name,
    what: 'CPU of the gateway, only heartbeats',
    unit: '% of a core',
    ours: [(100 * idle) / options.seconds],
    target: under(10, '%'),
  });

  for (let round = 0; round < options.rounds; round++) {
    clients.tell({ reset: true });
    const ingest = `http://127.0.0.1:${ours.services['ingest-gateway'].port}/api/inbound/webhook/`;
    const sent = options.seconds * eventsPerSecond;
    const { total: busy } = await withCpu({ gateway: gateway.pid }, async () => {
      for (let n = 0; n < sent; n++) {
        void fire(ingest + generic[n % generic.length]);
        await sleep(1000 / eventsPerSecond);
      }
    });
    const expected = (sent * count) / organizationCount;
    let figures;
    await until(
      'every caller has every event',
      async () => (figures = await clients.ask({ report: true })).events >= expected,
      60_000,
    );
    if (figures.lost > 0) throw new Error(`${figures.lost} callers were disconnected`);
    results.add({
      workload: name,
      what: `delay of an event to ${count / organizationCount} callers, ${eventsPerSecond} a second, p50`,
      unit: 'ms',
      ours: [figures.p50],
      target: under(200, 'ms'),
      facts: figures,
    });
    results.add({ workload: name, what: 'the same, p99', unit: 'ms', ours: [figures.p99], target: under(400, 'ms') });
    results.add({
      workload: name,
      what: 'CPU of the gateway, with events',
      unit: '% of a core',
      ours: [(100 * busy) / options.seconds],
    });
  }
  await ours.stop();
}

let serial = 0;

async function fire(url) {
  const body = JSON.stringify({ title: `${Date.now()} sent`, severity: 'low', fingerprint: `stream-${serial++}` });
  await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
}

function streamClients() {
  const child = fork(join(import.meta.dirname, '..', 'stream-clients.mjs'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    tell: (message) => child.send(message),
    ask: (message) =>
      new Promise((resolve, reject) => {
        child.once('message', (answer) => (answer.failed ? reject(new Error(answer.failed)) : resolve(answer)));
        child.send(message);
      }),
    async stop() {
      child.kill();
    },
  };
}
