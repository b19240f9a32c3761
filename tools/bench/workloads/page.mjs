// From the request of a sender to the mail at the mail server: mapping, pipeline, workflow, a schedule with an
// override, notifier. One alert a second, so that no request waits for another.
import { setTimeout as sleep } from 'node:timers/promises';
import { newUuid, publicId } from '@ams/contracts';
import { pluck } from '../measure.mjs';
import { under } from '../report.mjs';
import { seedIntegrations, seedOrganizations } from '../seed.mjs';

export const name = 'page';
export const about = 'from the ingest request to the mail, through a schedule with an override, at 1/s';

export async function run({ options, start, results }) {
  const ours = await start();
  const [organization] = await seedOrganizations(ours, 1);
  const { generic } = await seedIntegrations(ours, [organization], [{ type: 'generic', count: 4 }]);
  await createOnCallWorkflow(ours, organization);
  const { port } = ours.services['ingest-gateway'];
  const ingest = generic.map((token) => `http://127.0.0.1:${port}/api/inbound/webhook/${token}`);
  await pages(ours, ingest, 3); // caches fill, connections open
  const rounds = [];
  for (let round = 0; round < options.rounds; round++)
    rounds.push(await pages(ours, ingest, options.quick ? 5 : options.brief ? 15 : 30));
  results.add({
    workload: name,
    what: 'request to mail, p50',
    unit: 'ms',
    ours: pluck(rounds, 'p50'),
    target: under(100, 'ms'),
    facts: rounds,
  });
  results.add({
    workload: name,
    what: 'request to mail, p99',
    unit: 'ms',
    ours: pluck(rounds, 'p99'),
    target: under(250, 'ms'),
  });
}

/** A schedule with one member and an override, and a workflow that notifies the on-call member. */
async function createOnCallWorkflow(ours, { id, key }) {
  const member = async (word) => {
    const uuid = newUuid();
    await ours.query(
      `INSERT INTO auth.members (id, organization_id, name, email, role, status)
          VALUES ($1, $2, $3, $4, 'responder', 'active')`,
      [uuid, id, word, `${word}@example.com`],
    );
    return publicId('member', uuid);
  };
  const make = async (path, body) => {
    const answer = await fetch(`${ours.baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data, error } = await answer.json();
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${error}`);
    return data;
  };
  const [ada, mira] = [await member('ada'), await member('mira')];
  const rotation = { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 };
  const schedule = await make('/schedules', {
    name: 'Primary',
    timezone: 'Europe/Berlin',
    layers: [{ name: 'Weekly', members: [ada], rotation, startsAt: '2026-01-05T08:00:00Z' }],
  });
  await make(`/schedules/${schedule.id}/overrides`, {
    userId: mira,
    startsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await make('/workflows', {
    name: 'Page',
    trigger: { events: ['alert.created'] },
    conditions: { field: 'severity', op: 'gte', value: 'high' },
    steps: [
      {
        id: 'incident',
        type: 'openIncident',
        params: { groupBy: ['fingerprint'], windowSeconds: 0, autoResolve: true },
      },
      { id: 'page', type: 'notify', params: { targets: [{ type: 'schedule', id: schedule.id }] } },
    ],
  });
}

/**
 * Sends that many alerts, one a second, to these addresses in turn. Returns the times from each request until its mail
 * arrived, in milliseconds.
 */
async function pages(ours, ingest, count) {
  const delays = [];
  for (let i = 0; i < count; i++) {
    const title = `Page ${newUuid()}`;
    const began = Date.now();
    const answer = await fetch(ingest[i % ingest.length], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title, severity: 'critical' }),
    });
    if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}`);
    delays.push((await mailAbout(ours.mailUrl, title)) - began);
    await sleep(Math.max(0, began + 1000 - Date.now()));
  }
  delays.sort((a, b) => a - b);
  return { p50: delays[Math.floor(delays.length * 0.5)], p99: delays[Math.floor(delays.length * 0.99)], delays };
}

/** When the mail server received it, by its clock, which is the clock of this machine. */
async function mailAbout(mailUrl, title) {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(20)) {
    const { data } = await (await fetch(`${mailUrl}/mails`)).json();
    const mail = data.find(({ subject }) => subject.includes(title));
    if (mail) return Date.parse(mail.receivedAt);
  }
  throw new Error(`no mail about ${title} arrived within 30 s`);
}
