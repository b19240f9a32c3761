// Whether a storm of one team delays the pages of others. A team sends 2,000 alerts a minute; meanwhile a team of the
// same organization and a team of another one send one alert a second each. Each of their alerts is a page. In the
// middle of a storm of one cause its incident is resolved.
import { setTimeout as sleep } from 'node:timers/promises';
import { newUuid, publicId } from '@ams/contracts';
import { startMailSink } from '../mail-sink.mjs';
import { median } from '../measure.mjs';
import { under } from '../report.mjs';
import { seedIntegrations, seedOrganizations } from '../seed.mjs';
import { until } from '../until.mjs';

export const name = 'fairness';
export const about = 'pages of a team while another team has a storm of 2,000 alerts a minute';

const perMinute = 2000;
/** An ingest token accepts 60 requests a minute. */
const stormTokens = 80;

const storms = [
  { what: 'no storm', causes: 0 },
  { what: 'one cause', causes: 1, resolves: true },
  { what: '500 causes', causes: 500 },
  { what: 'one cause, all in the first 5 s', causes: 1, resolves: true, inSeconds: 5 },
  { what: '500 causes, all in the first 5 s', causes: 500, inSeconds: 5 },
];

export async function run({ options, start, results, report, cleanUp }) {
  const sink = cleanUp(await startMailSink());
  const ours = await start(undefined, sink.mail);
  const [own, other] = await seedOrganizations(ours, 2);
  const { generic } = await seedIntegrations(ours, [own], [{ type: 'generic', count: stormTokens + 2 }]);
  const { generic: others } = await seedIntegrations(ours, [other], [{ type: 'generic', count: 2 }]);
  for (const organization of [own, other]) await createTeams(ours, organization);
  const quiet = { tokens: generic.splice(0, 2), team: 'quiet', word: 'same' };
  const foreign = { tokens: others, team: 'quiet', word: 'other' };
  const seconds = options.quick ? 15 : 60;
  await pages(ours, sink, [quiet, foreign], 3); // caches fill, connections open
  const before = {};
  for (const storm of storms.filter(({ what, causes }) => causes === 0 || what.includes(options.ways))) {
    report.line(`          ${storm.what}`);
    const sending = send(ours, generic, storm, seconds);
    const resolving = storm.resolves ? resolveInMidst(ours, own, storm, seconds) : null;
    const [same, elsewhere] = await pages(ours, sink, [quiet, foreign], seconds);
    const sent = await sending;
    const resolved = await resolving;
    const end = storm.causes > 0 ? await endOf(ours, own, sent, resolved) : null;
    report.line(`          ${JSON.stringify({ same: short(same), elsewhere: short(elsewhere), end })}`);
    for (const [whose, measured] of [
      ['same organization', same],
      ['other organization', elsewhere],
    ]) {
      results.add({ workload: name, what: `${storm.what}: ${whose}, p50`, unit: 'ms', ours: [measured.p50] });
      results.add({
        workload: name,
        what: `${storm.what}: ${whose}, p99`,
        unit: 'ms',
        ours: [measured.p99],
        reference: before[whose] ? { name: 'no storm', values: [before[whose]] } : null,
        target: under(1000, 'ms'),
        facts: { ...measured, end },
      });
      before[whose] ??= measured.p99;
    }
    if (end) addEnd(results, storm, end);
  }
  results.note(`fairness: ${await timeOuts(ours)} time-outs of database pools in the logs of the services.`);
}

function addEnd(results, { what, causes }, end) {
  const none = { text: '0', reached: ({ ours }) => ours === 0 };
  const lost = end.sent - end.inIncidents;
  results.add({ workload: name, what: `${what}: alerts in no incident`, unit: '', ours: [lost], target: none });
  results.add({ workload: name, what: `${what}: incidents`, unit: '', ours: [end.incidents], facts: { causes } });
  results.add({ workload: name, what: `${what}: pages`, unit: '', ours: [end.pages] });
  results.add({
    workload: name,
    what: `${what}: the last run of the storm ended after`,
    unit: 's',
    ours: [end.seconds],
  });
  if (end.disorder !== null)
    results.add({
      workload: name,
      what: `${what}: timeline out of order, firing in resolved`,
      unit: '',
      ours: [end.disorder + end.firingInResolved],
      target: none,
    });
}

/** Teams with a policy each, and one workflow that pages the team of the alert. */
async function createTeams(ours, organization) {
  // A storm is more mails to people who are no members than an organization may send in a day.
  await ours.query(`UPDATE auth.organizations SET limits = '{"outsideMailsPerDay": 1000000}'`);
  for (const team of ['storm', 'quiet']) {
    const policy = await call(ours, organization, 'POST', '/escalation-policies', {
      name: team,
      levels: [{ targets: [{ type: 'email', address: `${team}@example.com` }], escalateAfterSeconds: 3600 }],
    });
    await call(ours, organization, 'POST', '/teams', { name: team, slug: team, policyId: policy.id });
  }
  await call(ours, organization, 'POST', '/workflows', {
    name: 'Page the team',
    trigger: { events: ['alert.created'] },
    steps: [{ id: 'page', type: 'page', params: { policy: { teamFrom: 'labels.team' } } }],
  });
}

async function call(ours, { key }, method, path, body) {
  const answer = await fetch(`${ours.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data, error } = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(error)}`);
  return data;
}

/** Sends one alert. Returns the time of the 202, in milliseconds since 1970. */
async function post(ours, token, body) {
  const answer = await fetch(`http://127.0.0.1:${ours.services['ingest-gateway'].port}/api/inbound/webhook/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}`);
  return Date.now();
}

const alertOf = (title, team, service) => ({
  title,
  fingerprint: title,
  severity: 'critical',
  description: 'x'.repeat(300),
  labels: { team, service, host: title },
});

/** The storm. Returns the prefix of its titles and services, and how many alerts were sent. */
async function send(ours, tokens, { causes, inSeconds }, seconds) {
  const prefix = `storm-${newUuid().slice(-8)}`;
  if (causes === 0) return { prefix, sent: 0 };
  const inFlight = [];
  const began = Date.now();
  let sent = 0;
  for (let minute = 0; minute * 60 < seconds; minute++) {
    const count = Math.round((perMinute * Math.min(60, seconds - minute * 60)) / 60);
    const spread = (inSeconds ?? Math.min(60, seconds - minute * 60)) * 1000;
    for (let i = 0; i < count; i++) {
      const due = began + minute * 60_000 + (i * spread) / count;
      if (due > Date.now()) await sleep(due - Date.now());
      const token = tokens[sent % tokens.length];
      const title = `${prefix}-${sent}`;
      inFlight.push(post(ours, token, alertOf(title, 'storm', `${prefix}-cause-${sent % causes}`)));
      sent++;
    }
  }
  await Promise.all(inFlight);
  return { prefix, sent, acceptedAt: Date.now() };
}

/** Resolves the newest incident of the storm halfway. Returns when. */
async function resolveInMidst(ours, organization, { inSeconds }, seconds) {
  const began = Date.now();
  await sleep(((inSeconds ?? seconds) * 1000) / 2);
  let incident;
  await until(
    'the storm has an incident',
    async () => {
      [incident] = await ours.query(
        `SELECT id FROM alerts.incidents WHERE organization_id = $1 AND group_key LIKE '%storm-%'
           AND created_at > to_timestamp($2) ORDER BY created_at DESC LIMIT 1`,
        [organization.id, began / 1000 - 1],
      );
      return incident;
    },
    60_000,
  );
  const asked = Date.now();
  await call(ours, organization, 'PUT', `/incidents/${publicId('incident', incident.id)}`, { status: 'resolved' });
  return { at: asked, tookMs: Date.now() - asked };
}

/**
 * Each sender sends one alert a second, each with a cause of its own. Returns for each sender the times from 202 to the
 * mail in milliseconds, and how long the alerts were at each stage.
 */
async function pages(ours, sink, senders, seconds) {
  const sent = senders.map(() => []);
  const began = Date.now();
  for (let second = 0; second < seconds; second++)
    for (const [index, { tokens, team, word }] of senders.entries()) {
      const due = began + second * 1000 + (index * 1000) / senders.length;
      if (due > Date.now()) await sleep(due - Date.now());
      const title = `${word}-${newUuid()}`;
      sent[index].push(
        post(ours, tokens[second % tokens.length], alertOf(title, team, title)).then((at) => ({ title, at })),
      );
    }
  const accepted = await Promise.all(sent.map((some) => Promise.all(some)));
  const mailOf = ({ title }) => sink.firstAbout(title);
  const open = () => accepted.flat().filter((one) => mailOf(one) === null).length;
  await until('every page is a mail', () => open() === 0, 300_000).catch((error) => {
    throw new Error(`${error.message}; ${open()} are missing`);
  });
  return Promise.all(
    accepted.map(async (some) => {
      const delays = some.map((one) => Math.max(0, mailOf(one) - one.at)); // one a second, in this order
      return { ...spreadOf(delays.toSorted((a, b) => a - b)), delays, stages: await stagesOf(ours, some, mailOf) };
    }),
  );
}

const spreadOf = (sorted) => ({
  p50: median(sorted),
  p99: sorted[Math.ceil(sorted.length * 0.99) - 1],
  max: sorted.at(-1),
});

const short = ({ p50, p99, max, stages }) => ({ p50, p99, max, stages });

/** Where the alerts were, from 202 to the mail: median and maximum of each part in milliseconds. */
async function stagesOf(ours, some, mailOf) {
  const rows = await ours.query(
    `SELECT a.title, a.created_at AS applied, r.created_at AS began, i.created_at AS opened,
       n.created_at AS queued
     FROM alerts.alerts a JOIN workflows.runs r ON r.alert_id = a.id JOIN alerts.incidents i ON i.id = a.incident_id
     JOIN workflows.notifications n ON n.incident_id = i.id WHERE a.title = ANY($1::text[])`,
    [some.map(({ title }) => title)],
  );
  const names = ['applied', 'began', 'opened', 'queued'];
  const parts = Object.fromEntries([...names, 'mailed'].map((stage) => [stage, []]));
  for (const row of rows) {
    const one = some.find(({ title }) => title === row.title);
    let last = one.at;
    for (const [stage, at] of [...names.map((stage) => [stage, row[stage].getTime()]), ['mailed', mailOf(one)]]) {
      parts[stage].push(at - last);
      last = at;
    }
  }
  return Object.fromEntries(
    Object.entries(parts).map(([stage, values]) => [stage, [median(values), Math.max(...values)]]),
  );
}

/** What became of the storm, when every alert of it is in an incident. */
async function endOf(ours, { id }, { prefix, sent, acceptedAt }, resolved) {
  const state = async () => {
    const [row] = await ours.query(
      `SELECT count(*)::int AS alerts, count(incident_id)::int AS joined,
         count(*) FILTER (WHERE status = 'resolved')::int AS resolved,
         count(*) FILTER (WHERE incident_id IS NULL AND status <> 'resolved')::int AS waiting
       FROM alerts.alerts WHERE organization_id = $1 AND fingerprint LIKE $2`,
      [id, `${prefix}-%`],
    );
    return row;
  };
  const outside = async () => {
    const { alerts, joined, waiting } = await state();
    return alerts < sent || (resolved ? waiting > 0 : joined < sent);
  };
  await until('the storm is in incidents', async () => !(await outside()), 600_000, 250);
  const runs = `SELECT count(*)::int AS n FROM workflows.runs r JOIN alerts.alerts a ON a.id = r.alert_id
    WHERE a.organization_id = $1 AND a.fingerprint LIKE $2 AND r.status IN ('running', 'waiting')`;
  await until(
    'the runs have ended',
    async () => (await ours.query(runs, [id, `${prefix}-%`]))[0].n === 0,
    600_000,
    250,
  );
  const [{ endedAt }] = await ours.query(
    `SELECT max(r.finished_at) AS "endedAt" FROM workflows.runs r JOIN alerts.alerts a ON a.id = r.alert_id
     WHERE a.organization_id = $1 AND a.fingerprint LIKE $2`,
    [id, `${prefix}-%`],
  );
  const seconds = Math.max(0, (endedAt.getTime() - acceptedAt) / 1000);
  const [facts] = await ours.query(
    `WITH ours AS (SELECT * FROM alerts.incidents WHERE organization_id = $1 AND group_key LIKE '%' || $2 || '%')
     SELECT (SELECT count(*)::int FROM ours) AS incidents,
       (SELECT count(*)::int FROM alerts.pages p JOIN ours i ON i.id = p.incident_id) AS pages,
       (SELECT count(*)::int FROM alerts.alerts a JOIN ours i ON i.id = a.incident_id
          WHERE i.status = 'resolved' AND a.status <> 'resolved') AS "firingInResolved",
       (SELECT json_agg(json_build_object('status', status, 'alerts', alert_count, 'open', open_alert_count))
          FROM (SELECT * FROM ours ORDER BY created_at LIMIT 5) i) AS first`,
    [id, prefix],
  );
  const { alerts, joined, resolved: resolvedAlerts } = await state();
  const timeline = resolved ? await timelineOf(ours, id, prefix) : null;
  return {
    ...facts,
    sent,
    alerts,
    inIncidents: joined,
    resolvedAlerts,
    seconds,
    resolving: resolved,
    disorder: timeline?.disorder ?? null,
    timeline: timeline?.changes ?? null,
  };
}

/** The entries of the incidents, and how many have an earlier time than the entry before them. */
async function timelineOf(ours, id, prefix) {
  const rows = await ours.query(
    `SELECT t.type, t.occurred_at AS at, t.incident_id AS incident FROM alerts.incident_timeline t
     JOIN alerts.incidents i ON i.id = t.incident_id
     WHERE i.organization_id = $1 AND i.group_key LIKE '%' || $2 || '%' ORDER BY t.incident_id, t.incident_version`,
    [id, prefix],
  );
  const disorder = rows.filter(
    ({ at, incident }, index) => rows[index - 1]?.incident === incident && at < rows[index - 1].at,
  ).length;
  const changes = rows.map(({ type }) => type).filter((type) => !/alertsAdded|updated/i.test(type));
  return { disorder, changes: changes.slice(0, 20) };
}

/** How often a service waited in vain for a connection. */
async function timeOuts(ours) {
  const { readFile } = await import('node:fs/promises');
  let count = 0;
  for (const { logFile } of Object.values(ours.services))
    count += (await readFile(logFile, 'utf8')).split('timeout exceeded when trying to connect').length - 1;
  return count;
}
