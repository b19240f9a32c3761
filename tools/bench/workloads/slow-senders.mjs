// Whether callers that never finish a request harm honest ones: 10,000 connections to each gateway from 20 addresses,
// which send a byte every 1.5 s. Meanwhile honest callers send alerts to both gateways and read alerts.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newUuid } from '@ams/contracts';
import { alternate, pluck } from '../measure.mjs';
import { pssMegabytes, untilIdle } from '../processes.mjs';
import { atMost } from '../report.mjs';
import { seedIntegrations, seedOrganizations } from '../seed.mjs';

export const name = 'slow-senders';
export const about = '20,000 connections that never finish a request; what honest callers notice';

const addresses = Array.from({ length: 20 }, (_, n) => `127.0.7.${n + 1}`);
const perSecond = 5;
const tokenCount = 16;
const none = { text: '0', reached: ({ worst }) => worst === 0 };

export async function run({ options, start, results, report, cleanUp }) {
  const perGateway = options.quick ? 1000 : 10_000;
  const seconds = options.quick ? 10 : 60;
  const ours = await start();
  const organizations = await seedOrganizations(ours, 8);
  const { generic } = await seedIntegrations(ours, organizations, [{ type: 'generic', count: 2 * tokenCount }]);
  const ports = ['ingest-gateway', 'api-gateway'].map((gateway) => ours.services[gateway].port);
  const callers = [
    { what: 'an alert to the ingest gateway', ask: (n) => send(ports[0], generic[n % tokenCount]) },
    { what: 'an alert by the API gateway', ask: (n) => send(ports[1], generic[tokenCount + (n % tokenCount)]) },
    { what: 'a list of alerts', ask: (n) => list(ports[1], organizations[n % organizations.length].key) },
  ];
  await during(callers, 3); // caches fill, connections open
  const ends = [];
  const besideSlowSenders = async () => {
    const attackers = ports.map((port) => ({ port, process: cleanUp(slowClients()) }));
    for (const { port, process } of attackers) await process.ask({ open: { port, count: perGateway, addresses } });
    await sleep(2000);
    await Promise.all(attackers.map(({ process }) => process.ask({ report: true })));
    const times = await during(callers, seconds);
    const states = await Promise.all(attackers.map(({ process }) => process.ask({ report: true })));
    const memory = pssMegabytes(['ingest-gateway', 'api-gateway'].map((gateway) => ours.services[gateway].pid));
    await Promise.all(attackers.map(({ process }) => process.stop()));
    ends.push({ memory, states, open: states.reduce((sum, { open }) => sum + open, 0) });
    return times;
  };
  const { quiet, beside } = await alternate(
    options.rounds,
    [
      { name: 'quiet', run: () => during(callers, seconds) },
      { name: 'beside', run: besideSlowSenders },
    ],
    () => untilIdle(ours.pids()),
  );
  report.line(`          ${JSON.stringify({ ends, quiet, beside })}`);
  for (const [index, { what }] of callers.entries()) {
    const failed = pluck(beside, `${index}.failed`);
    results.add({ workload: name, what: `${what}: not served`, unit: '', ours: failed, target: none });
    for (const part of ['p50', 'p99'])
      results.add({
        workload: name,
        what: `${what}: ${part}`,
        unit: 'ms',
        ours: pluck(beside, `${index}.${part}`),
        reference: { name: 'without them', values: pluck(quiet, `${index}.${part}`) },
        target: atMost(2),
      });
  }
  const open = { what: 'slow connections that were open at the end', ours: pluck(ends, 'open') };
  results.add({ workload: name, unit: '', ...open, facts: { ends } });
  results.add({ workload: name, what: 'memory of both gateways', unit: 'MB', ours: pluck(ends, 'memory') });
}

/** Asks at a fixed rate, whatever the answers take. Times in milliseconds from when a request was due. */
function during(callers, seconds) {
  const began = performance.now();
  return Promise.all(
    callers.map(async ({ ask }) => {
      const times = [];
      const statuses = {};
      const asked = [];
      for (let n = 0; n < seconds * perSecond; n++) {
        const due = began + (n * 1000) / perSecond;
        await sleep(Math.max(0, due - performance.now()));
        const answered = (status) => {
          times.push(performance.now() - due);
          statuses[status] = (statuses[status] ?? 0) + 1;
        };
        asked.push(ask(n).then(answered, ({ cause, name: error }) => answered(cause?.code ?? error)));
      }
      await Promise.all(asked);
      times.sort((a, b) => a - b);
      const at = (part) => times[Math.ceil(times.length * part) - 1];
      const failed = times.length - (statuses[200] ?? 0) - (statuses[202] ?? 0);
      return { p50: at(0.5), p99: at(0.99), failed, statuses };
    }),
  );
}

const within = () => AbortSignal.timeout(30_000);

async function send(port, token) {
  const body = JSON.stringify({ title: `honest ${newUuid()}`, severity: 'low' });
  const headers = { 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${port}/api/inbound/webhook/${token}`;
  const answer = await fetch(url, { method: 'POST', headers, body, signal: within() });
  await answer.text();
  return answer.status;
}

async function list(port, key) {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts?limit=5`, { headers, signal: within() });
  await answer.text();
  return answer.status;
}

function slowClients() {
  const child = fork(join(import.meta.dirname, '..', 'slow-clients.mjs'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    ask: (message) =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send(message);
      }),
    async stop() {
      child.kill();
    },
  };
}
