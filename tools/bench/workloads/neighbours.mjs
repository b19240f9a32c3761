// Whether one organization can hurt another. Organization A does its worst, in one way after another; meanwhile
// organization B sends four alerts a second, each of which is a page, and reads its alerts as often. Each way is
// measured in turn with times without it, on the same installation, after a few acts of it. A way is a file in the
// folder `neighbours`:
//
//   export const what = '…';
//   /** Makes what the way needs. */
//   export async function prepare({ ours, organization, tokens, call }) {}
//   /** One act; called again and again by several clients until the end of the time. Refusals are no errors. */
//   export async function act({ ours, organization, tokens, call, send }, prepared, n) {}
//   /** Optional: gives back what `prepare` and the acts have opened. */
//   export function release(prepared) {}
//   export const clients = 4;
//
// It runs in a thread of its own; `ours` has `baseUrl` and `query` there.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { newUuid } from '@ams/contracts';
import { startMailSink } from '../mail-sink.mjs';
import { pluck } from '../measure.mjs';
import { untilIdle, withCpu } from '../processes.mjs';
import { atMost } from '../report.mjs';
import { seedIntegrations, seedOrganizations } from '../seed.mjs';
import { until } from '../until.mjs';
import { call, send } from './neighbours/requests.mjs';

export const name = 'neighbours';
export const about = 'one organization does its worst in several ways; what another one notices';

/** The modules of the ways, in the order of their names. */
const files = [
  'amplification',
  'branching',
  'bulk',
  'extract',
  'preview',
  'reads',
  'records',
  'sign-ins',
  'simulate',
  'streams',
  'targets',
  'windows',
  'workflows',
].map((file) => new URL(`./neighbours/${file}.mjs`, import.meta.url).href);
const allWays = await Promise.all(files.map(async (file) => ({ file, what: (await import(file)).what })));
/** Of B: within the limits of its key and of its tokens. */
const perSecond = 4;

export async function run({ options, start, results, report, cleanUp }) {
  const ways = allWays.filter(({ what }) => what.includes(options.ways));
  const sink = cleanUp(await startMailSink());
  const seconds = options.quick ? 10 : 30;
  const own = { options, start, cleanUp, sink, seconds };
  for (const { file, what: way } of ways) {
    const quiet = [];
    const beside = [];
    for (let round = 0; round < options.rounds; round++) {
      const times = await roundOf(file, own);
      quiet.push(times.quiet);
      beside.push(times.beside);
    }
    report.line(`          ${JSON.stringify({ way, quiet, beside })}`);
    for (const what of ['visible', 'page', 'get'])
      results.add({
        workload: name,
        what: `${way}: ${what}, p99`,
        unit: 'ms',
        ours: pluck(beside, what),
        reference: { name: 'quiet', values: pluck(quiet, what) },
        target: atMost(2),
        facts: { quiet, beside },
      });
  }
}

/** On an installation of its own: what an earlier attack has left to do would be in the quiet time. */
async function roundOf(file, { start, cleanUp, sink, seconds }) {
  const ours = await start(settings, sink.mail);
  const [b, a] = await seedOrganizations(ours, 2);
  const { generic: tokens } = await seedIntegrations(ours, [b], [{ type: 'generic', count: 8 }]);
  const { generic: tokensOfA } = await seedIntegrations(ours, [a], [{ type: 'generic', count: 8 }]);
  await ours.query(`UPDATE auth.organizations SET limits = '{"outsideMailsPerDay": 100000}' WHERE id = $1`, [b.id]);
  await call(ours.baseUrl, b.key, 'POST', '/workflows', paging);
  const attacker = cleanUp(attackerOf(ours, a, tokensOfA, file));
  await attacker.prepare();
  // Caches fill, connections open, V8 compiles.
  await Promise.all([attacker.tryOut(), notices(ours, b, tokens, sink, 3)]);
  await untilIdle(ours.pids());
  const quiet = await notices(ours, b, tokens, sink, seconds);
  await attacker.begin();
  const { result, cpu } = await withCpu(ours.pids(), () => notices(ours, b, tokens, sink, seconds));
  const beside = { ...result, cpu, acts: await attacker.end() };
  await attacker.release();
  await attacker.stop();
  await ours.stop();
  return { quiet, beside };
}

/** Targets of this machine, which the way `targets` needs. */
const settings = (service) => (service === 'notifier' ? { OUTBOUND_ALLOW: '127.0.0.1' } : {});

const paging = {
  name: 'Page',
  trigger: { events: ['alert.created'] },
  steps: [{ id: 'mail', type: 'notify', params: { targets: [{ type: 'email', address: 'b@example.com' }] } }],
};

/** Organization A, in a thread of its own (neighbours/attacker.mjs). */
function attackerOf(ours, organization, tokens, file) {
  const worker = new Worker(new URL('./neighbours/attacker.mjs', import.meta.url), {
    workerData: {
      file,
      baseUrl: ours.baseUrl,
      ingestPort: ours.services['ingest-gateway'].port,
      adminUrl: ours.adminUrl,
      organization,
      tokens,
    },
  });
  const order = async (name) => {
    worker.postMessage(name);
    const [{ result, error }] = await once(worker, 'message');
    if (error) throw new Error(`${name} of a neighbour: ${error}`);
    return result;
  };
  return {
    prepare: () => order('prepare'),
    tryOut: () => order('tryOut'),
    begin: () => order('begin'),
    end: () => order('end'),
    release: () => order('release'),
    stop: () => worker.terminate(),
  };
}

/** What B notices: the p99 in ms from sending until an alert is visible and until its page, and of reading. */
async function notices(ours, b, tokens, sink, seconds) {
  const times = { visible: [], page: [], get: [] };
  const open = [];
  const began = Date.now();
  for (let i = 0; i < seconds * perSecond; i++) {
    const due = began + (i * 1000) / perSecond;
    if (due > Date.now()) await sleep(due - Date.now());
    open.push(alertOf(ours, b, tokens[i % tokens.length], sink, times, began));
    open.push(timed(times.get, began, () => call(ours.baseUrl, b.key, 'GET', '/alerts?limit=20')));
  }
  await Promise.all(open);
  return {
    ...mapped(times, (all) => p99(all.map(({ ms }) => ms))),
    longest: mapped(times, longest),
    stages: await stagesOf(ours, b, began),
  };
}

/** Where the pages waited: p99 of the time from one record to the next, in milliseconds. */
async function stagesOf(ours, b, began) {
  const rows = await ours.query(
    `SELECT ${stages.map(([name, from, to]) => `extract(epoch FROM ${to} - ${from})::float8 * 1000 AS "${name}"`)}
     FROM alerts.alerts a
     JOIN workflows.runs r ON r.alert_id = a.id
     JOIN workflows.notifications n ON n.run_id = r.id
     WHERE a.organization_id = $1 AND a.created_at >= to_timestamp($2 / 1000.0)`,
    [b.id, began],
  );
  return Object.fromEntries(stages.map(([name]) => [name, rows.length > 0 ? p99(rows.map((row) => row[name])) : null]));
}

const stages = [
  ['received to begun', 'a.created_at', 'r.created_at'],
  ['begun to notified', 'r.created_at', 'n.created_at'],
  ['notified to sent', 'n.created_at', 'n.updated_at'],
];

async function timed(times, since, work) {
  const began = Date.now();
  const start = performance.now();
  await work();
  times.push({ at: began - since, ms: performance.now() - start });
}

async function alertOf(ours, b, token, sink, times, since) {
  const title = `b-${newUuid()}`;
  const began = Date.now();
  await until(
    'the alert is accepted',
    async () =>
      (await send(ours.services['ingest-gateway'].port, token, { title, fingerprint: title, severity: 'critical' })) ===
      202,
    300_000,
  );
  let row;
  const find = async () => {
    [row] = await ours.query(`SELECT created_at FROM alerts.alerts WHERE organization_id = $1 AND title = $2`, [
      b.id,
      title,
    ]);
    return row;
  };
  await until('the alert is visible', find, 300_000, 10);
  times.visible.push({ at: began - since, ms: Date.now() - began });
  await until('the page is a mail', () => sink.firstAbout(title) !== null, 300_000, 10);
  times.page.push({ at: began - since, ms: sink.firstAbout(title) - began });
}

const mapped = (object, map) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/** The five longest: seconds since the beginning, and milliseconds. Shows whether the first burst costs most. */
const longest = (times) =>
  [...times]
    .sort((x, y) => y.ms - x.ms)
    .slice(0, 5)
    .map(({ at, ms }) => `${(at / 1000).toFixed(1)} s: ${Math.round(ms)}`);

const p99 = (times) => {
  const sorted = [...times].sort((x, y) => x - y);
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1]);
};
