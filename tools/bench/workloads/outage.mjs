// The pages that are due when the workflow engine works again after it stood still. Of each ten alerts four page by
// mail and then resolve, which is another page by webhook; six open an incident and page by two webhooks.
import { newUuid } from '@ams/contracts';
import { startLocalServer } from '../../lib/local-server.mjs';
import { startMailSink } from '../mail-sink.mjs';
import { pluck } from '../measure.mjs';
import { standStill, withCpu } from '../processes.mjs';
import { seedIntegrations, seedOrganizations } from '../seed.mjs';
import { until } from '../until.mjs';

export const name = 'outage';
export const about = 'the pages that are due when an engine works again after it stood still';

const alertsOfOrganization = 200;
/** An ingest token accepts 60 requests a minute. */
const tokensOfOrganization = 40;

export async function run({ options, start, results, report, cleanUp }) {
  const sink = cleanUp(await startMailSink());
  const hooks = cleanUp(await startHooks());
  const ours = await start((service) => (service === 'notifier' ? { OUTBOUND_ALLOW: '127.0.0.1/32' } : {}), sink.mail);
  const organizations = await seedOrganizations(ours, 2);
  await ours.query(`UPDATE auth.organizations SET limits = '{"outsideMailsPerDay": 1000000}'`);
  const { generic: tokens } = await seedIntegrations(ours, organizations, [
    { type: 'generic', count: tokensOfOrganization * organizations.length },
  ]);
  for (const organization of organizations) await createWorkflows(ours, organization, hooks.url);
  const received = () => sink.count + hooks.count;
  await outage(ours, { tokens, received, alerts: 10 }); // caches fill, connections open
  const rounds = [];
  for (let round = 0; round < options.rounds; round++) {
    rounds.push(await outage(ours, { tokens, received, alerts: alertsOfOrganization * organizations.length }));
    report.line(`          ${JSON.stringify(rounds.at(-1))}`);
  }
  const { pages } = rounds[0];
  results.add({ workload: name, what: `${pages} pages sent after`, unit: 's', ours: pluck(rounds, 'seconds') });
  results.add({ workload: name, what: 'CPU for a page', unit: 'ms', ours: pluck(rounds, 'cpuMs'), facts: rounds });
}

async function createWorkflows(ours, { key }, url) {
  const webhook = (id) => ({ id, type: 'webhook', params: { url: `${url}/${id}`, timeoutSeconds: 10 } });
  const workflows = [
    {
      on: 'alert.created',
      page: 'mail',
      steps: [{ id: 'page', type: 'notify', params: { targets: [{ type: 'email', address: 'page@example.com' }] } }],
    },
    {
      on: 'alert.created',
      page: 'webhook',
      steps: [
        { id: 'incident', type: 'openIncident', params: { groupBy: ['fingerprint'], autoResolve: true } },
        webhook('first'),
        { ...webhook('second'), delaySeconds: 2 },
      ],
    },
    { on: 'alert.resolved', page: null, steps: [webhook('resolved')] },
  ];
  for (const { on, page, steps } of workflows) {
    const answer = await fetch(`${ours.baseUrl}/api/v1/workflows`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: `${on} ${page}`,
        trigger: { events: [on] },
        conditions: page && { field: 'labels.page', op: 'eq', value: page },
        steps,
      }),
    });
    if (answer.status !== 201) throw new Error(`POST /workflows: ${answer.status} ${await answer.text()}`);
  }
}

/** Sends the alerts while the engine stands still, and measures from its first moment until the last page. */
async function outage(ours, { tokens, received, alerts }) {
  const before = received();
  const { resume } = standStill(ours.pids()['workflow-engine']);
  let pages;
  try {
    pages = await sendAlerts(ours, tokens, alerts);
  } finally {
    resume();
  }
  const began = performance.now();
  const { total, cpu } = await withCpu(ours.pids(), () =>
    until('every page is sent', () => received() - before >= pages, 180_000).catch((error) => {
      throw new Error(`${error.message}; ${received() - before} of ${pages}`);
    }),
  );
  const each = (seconds) => Math.round((seconds * 10_000) / pages) / 10;
  return {
    pages,
    seconds: (performance.now() - began) / 1000,
    cpuMs: each(total),
    cpu: Object.fromEntries(Object.entries(cpu).map(([process, seconds]) => [process, each(seconds)])),
  };
}

/** Returns how many pages are due: two for each alert. Those that page by mail resolve when all have opened. */
async function sendAlerts(ours, tokens, alerts) {
  const prefix = newUuid().slice(-8);
  const all = Array.from({ length: alerts }, (_, index) => ({
    token: tokens[index % tokens.length],
    title: `${prefix}-${index}`,
    page: index % 10 < 4 ? 'mail' : 'webhook',
  }));
  const resolving = all.filter(({ page }) => page === 'mail');
  for (const [status, some] of [
    ['firing', all],
    ['resolved', resolving],
  ]) {
    for (const { token, title, page } of some) {
      const answer = await fetch(
        `http://127.0.0.1:${ours.services['ingest-gateway'].port}/api/inbound/webhook/${token}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ title, fingerprint: title, status, severity: 'low', labels: { page } }),
        },
      );
      if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}`);
    }
    await until(`the alerts are ${status}`, () => areStored(ours, prefix, status, some.length), 60_000);
  }
  return 2 * alerts;
}

async function areStored(ours, prefix, status, count) {
  const text = 'SELECT count(*)::int AS n FROM alerts.alerts WHERE title LIKE $1 AND status = $2';
  const [{ n }] = await ours.query(text, [`${prefix}-%`, status]);
  return n === count;
}

/** A receiver of webhooks that counts each message once. */
async function startHooks() {
  const ids = new Set();
  const { url, stop } = await startLocalServer((request, answer) => {
    request.resume().on('end', () => {
      ids.add(request.headers['webhook-id']);
      answer.writeHead(204).end();
    });
  });
  return {
    url,
    stop,
    get count() {
      return ids.size;
    },
  };
}
