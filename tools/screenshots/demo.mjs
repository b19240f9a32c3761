// Data of a team that has used the service for a while, made through the API only. A second run finds it.
import { setTimeout as sleep } from 'node:timers/promises';

const day = 86_400_000;
const at = (milliseconds) => new Date(Date.now() + milliseconds).toISOString();

/** Ids (the number for incidents) of the records that pages are about. */
export async function demo({ apiUrl, key, ingestUrl }) {
  const api = async (method, path, body) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = response.status === 204 ? {} : await response.json();
    if (response.status === 429) {
      await sleep(2000);
      return api(method, path, body);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer).slice(0, 600)}`);
    return answer.data;
  };
  const make = (path, body) => api('POST', path, body);
  const known = await api('GET', '/teams?q=Payments');
  if (known.length === 0) await makeAll({ api, make, ingestUrl });
  return find(api);
}

async function find(api) {
  const first = async (path) => (await api('GET', path))[0];
  const incidentOf = async (title) => (await first(`/incidents?q=${encodeURIComponent(title)}`))?.number;
  return {
    incident: await incidentOf('Checkout latency'),
    resolved: await incidentOf('Card payments fail'),
    alert: (await first('/alerts?q=Checkout%20latency')).id,
    schedule: (await first('/schedules?q=Payments')).id,
    policy: (await first('/escalation-policies?q=Payments')).id,
    team: (await first('/teams?q=Payments')).id,
    integration: (await first('/integrations?q=Prometheus')).id,
    workflow: (await first('/workflows?q=Page')).id,
    window: (await first('/suppression?q=Sunday')).id,
    client: (await first('/clients?q=Acme')).id,
  };
}

async function makeAll({ api, make, ingestUrl }) {
  const [owner] = await api('GET', '/users');
  const member = (name, role, timezone) =>
    make('/users', { name, role, timezone, email: `${name.split(' ')[0].toLowerCase()}@demo.example` });
  const [ada, kim, mira, jonas] = await Promise.all([
    member('Ada Lund', 'admin', 'Europe/Berlin'),
    member('Kim Berg', 'responder', 'Europe/Oslo'),
    member('Mira Okafor', 'responder', 'Africa/Lagos'),
    member('Jonas Weber', 'responder', 'America/New_York'),
  ]);
  await member('Lea Novak', 'viewer', 'Europe/Prague');
  const left = await member('Tom Hill', 'responder', 'Europe/London');
  await make(`/users/${left.id}/disable`);

  const acme = await make('/clients', {
    name: 'Acme Shipping',
    slug: 'acme',
    aliases: ['acme-eu'],
    contacts: [{ name: 'Ines Roy', email: 'ines@acme.example' }],
    timezone: 'Europe/Berlin',
  });
  await make('/clients', { name: 'Northwind Foods', slug: 'northwind', timezone: 'Europe/London' });
  await make('/clients', { name: 'Blue Harbour Bank', slug: 'blue-harbour', timezone: 'America/New_York' });

  const schedules = await makeSchedules(make, { owner, ada, kim, mira, jonas });
  const { payments, platform } = await makePolicies(make, schedules, { owner, ada });
  await api('PUT', '/organization', { catchAllPolicyId: platform.id });
  const team = (name, slug, policyId, members) =>
    make('/teams', {
      name,
      slug,
      policyId,
      members: members.map(({ id }, i) => ({ userId: id, ...(i === 0 && { role: 'manager' }) })),
    });
  await team('Payments', 'payments', payments.id, [ada, kim, owner]);
  await team('Platform', 'platform', platform.id, [mira, jonas]);
  await team('Data', 'data', null, [jonas]);

  const prometheus = await make('/integrations', { name: 'Prometheus EU', type: 'alertmanager', clientId: acme.id });
  await make('/integrations', { name: 'Grafana', type: 'grafana' });
  await make('/integrations', { name: 'Uptime checks', type: 'uptime_kuma' });

  await makeWorkflows(make, schedules);
  await makeWindows(make, acme);
  await make('/api-keys', { name: 'on-call bot', scopes: ['alerts:read', 'alerts:write', 'incidents:read'] });
  await make('/api-keys', { name: 'status page', scopes: ['incidents:read'], expiry: at(45 * day) });
  await makeAlerts({ api, make, ingestUrl, prometheus, people: { ada, kim } });
}

async function makeSchedules(make, { owner, ada, kim, mira, jonas }) {
  const ids = (...members) => members.map(({ id }) => id);
  const weekly = { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 };
  const daily = { unit: 'day', interval: 1, handoffTime: '08:00' };
  const layer = (name, members, rotation, restrictions = []) => ({
    name,
    members: ids(...members),
    rotation,
    restrictions,
    startsAt: at(-35 * day),
  });
  const payments = await make('/schedules', {
    name: 'Payments primary',
    timezone: 'Europe/Berlin',
    layers: [layer('Weekly', [owner, ada, kim], weekly)],
  });
  const sun = await make('/schedules', {
    name: 'Platform, follow the sun',
    timezone: 'UTC',
    layers: [
      layer('Europe', [mira, kim], weekly, [{ days: [1, 2, 3, 4, 5, 6, 7], start: '06:00', end: '18:00' }]),
      layer('America', [jonas], weekly, [{ days: [1, 2, 3, 4, 5, 6, 7], start: '18:00', end: '06:00' }]),
    ],
  });
  await make('/schedules', {
    name: 'Data, working hours',
    timezone: 'Europe/Berlin',
    layers: [layer('Working days', [jonas, ada], daily, [{ days: [1, 2, 3, 4, 5], start: '08:00', end: '18:00' }])],
  });
  const start = Math.ceil(Date.now() / day) * day - Date.now();
  await make(`/schedules/${payments.id}/overrides`, {
    userId: kim.id,
    startsAt: at(start + 2 * day + 8 * 3_600_000),
    endsAt: at(start + 3 * day + 20 * 3_600_000),
    reason: 'wedding',
  });
  return { payments, sun };
}

async function makePolicies(make, { payments, sun }, { owner, ada }) {
  const onCall = (id, who) => ({ type: 'schedule', id, ...(who && { who }) });
  return {
    payments: await make('/escalation-policies', {
      name: 'Payments',
      levels: [
        { targets: [onCall(payments.id)], escalateAfterSeconds: 30 },
        { targets: [onCall(payments.id, 'next')], escalateAfterSeconds: 900 },
        {
          targets: [
            { type: 'user', id: ada.id },
            { type: 'user', id: owner.id },
          ],
        },
      ],
      repeat: 2,
    }),
    platform: await make('/escalation-policies', {
      name: 'Platform',
      levels: [{ targets: [onCall(sun.id)], escalateAfterSeconds: 600 }, { targets: [{ type: 'user', id: owner.id }] }],
      repeat: 1,
    }),
  };
}

async function makeWorkflows(make, { payments }) {
  const notify = (id, type = 'schedule') => ({ targets: [{ type, id }] });
  await make('/workflows', {
    name: 'Page at night',
    trigger: { events: ['alert.created', 'alert.resumed'] },
    conditions: {
      all: [
        { field: 'severity', op: 'gte', value: 'medium' },
        { field: 'labels.service', op: 'eq', value: 'cards' },
      ],
    },
    steps: [
      { id: 'incident', type: 'openIncident', params: { groupBy: ['labels.service'], autoResolve: true } },
      { id: 'page', type: 'notify', params: notify(payments.id) },
    ],
  });
  const quiet = await make('/workflows', {
    name: 'Tell the team about new problems of staging',
    trigger: { events: ['alert.created'] },
    conditions: { all: [{ field: 'labels.env', op: 'eq', value: 'staging' }] },
    steps: [{ id: 'tell', type: 'notify', params: notify(payments.id) }],
  });
  await make(`/workflows/${quiet.id}/disable`);
}

async function makeWindows(make, acme) {
  const sunday = Date.now() + ((7 - new Date().getUTCDay()) % 7) * day;
  await make('/suppression', {
    name: 'Sunday patching',
    reason: 'Kernel updates',
    matchers: [{ field: 'labels.region', op: 'eq', value: 'eu' }],
    exceptSeverities: ['critical'],
    startsAt: new Date(new Date(sunday).setUTCHours(1, 0, 0, 0)).toISOString(),
    timezone: 'Europe/Berlin',
    rrule: 'FREQ=WEEKLY;BYDAY=SU',
    durationSeconds: 7200,
  });
  await make('/suppression', {
    name: 'Load test of the checkout',
    reason: 'Asked for by the release team',
    matchers: [{ field: 'labels.service', op: 'eq', value: 'load-test' }],
    startsAt: at(-3_600_000),
    endsAt: at(3 * 3_600_000),
  });
  await make('/suppression', {
    name: 'Acme moves to another data centre',
    clientIds: [acme.id],
    matchers: [{ field: 'labels.region', op: 'eq', value: 'us' }],
    startsAt: at(2 * day),
    endsAt: at(2 * day + 6 * 3_600_000),
  });
}

async function makeAlerts({ api, ingestUrl, prometheus, people: { ada, kim } }) {
  const send = async (url, body) => {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!ok) throw new Error(`the alert was answered with ${status}`);
  };
  const fire = (fingerprint, title, severity, labels, more = {}) =>
    send(ingestUrl, { fingerprint, title, severity, labels, ...more });
  const runbook = 'https://runbooks.example.com/checkout-latency';
  const description =
    'The 99th percentile of POST /checkout is 2.4 s; the limit is 1 s for 5 minutes. Customers see time-outs. ' +
    `What to do: ${runbook}`;

  await fire('cards', 'Card payments fail', 'critical', { team: 'payments', service: 'cards', region: 'eu' });
  await fire('disk', 'Disk of db-02 is 92 % full', 'high', { team: 'platform', host: 'db-02', region: 'eu' });
  const cards = await incidentOf(api, 'Card payments fail');
  await api('PUT', `/incidents/${cards.id}`, { status: 'acknowledged', onBehalfOf: ada.id, note: 'I look at it.' });
  const disk = await incidentOf(api, 'Disk of db-02');
  await api('PUT', `/incidents/${disk.id}`, { snoozedUntil: at(4 * 3_600_000), onBehalfOf: kim.id });
  await api('PUT', `/incidents/${cards.id}`, {
    status: 'resolved',
    onBehalfOf: ada.id,
    note: 'The card provider is back.',
  });

  await fire('queue', 'Queue of e-mails is longer than 5,000', 'high', { team: 'platform', service: 'mail' });
  const queue = await incidentOf(api, 'Queue of e-mails');
  await api('PUT', `/incidents/${queue.id}`, { status: 'acknowledged', onBehalfOf: kim.id });

  for (let i = 0; i < 3; i++) {
    await fire(
      'checkout',
      'Checkout latency is over 2 s',
      'critical',
      { team: 'payments', service: 'checkout', region: 'eu', env: 'production', pod: 'checkout-7d9f' },
      { description, annotations: { runbook, dashboard: 'https://grafana.example.com/d/checkout' } },
    );
  }
  await fire('checkout-errors', '5xx of the checkout are over 2 %', 'high', {
    team: 'payments',
    service: 'checkout',
    region: 'eu',
    env: 'production',
  });
  await fire('certificate', 'Certificate of api.example.com expires in 7 days', 'low', { service: 'edge' });
  await fire('replica', 'Replica db-03 is 40 s behind', 'medium', { host: 'db-03', region: 'us', team: 'data' });
  await fire('backup', 'Nightly backup took 3 h', 'info', { service: 'backup' });
  await fire('cpu', 'CPU of load-01 is 98 %', 'high', { service: 'load-test', host: 'load-01' });
  for (const [i, severity] of ['medium', 'low', 'info', 'medium', 'low', 'medium'].entries())
    await fire(`node-${i}`, `Memory of node-${10 + i} is ${80 + i} %`, severity, {
      host: `node-${10 + i}`,
      region: 'us',
    });
  await fire('done', 'Search index was rebuilt late', 'medium', { service: 'search' });
  await fire('done', 'Search index was rebuilt late', 'medium', { service: 'search' }, { status: 'resolved' });
  await send(prometheus.ingestUrl, {
    version: '4',
    status: 'firing',
    groupKey: '{}:{alertname="TargetDown"}',
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'TargetDown', severity: 'warning', instance: '10.0.4.17:9100', job: 'node' },
        annotations: { summary: 'Target 10.0.4.17:9100 is down', description: 'No sample since 3 minutes.' },
        startsAt: at(-180_000),
        endsAt: '0001-01-01T00:00:00Z',
        fingerprint: 'b3c1f9a2d4e5f607',
      },
    ],
  });
  const checkout = await incidentOf(api, 'Checkout latency');
  await api('PUT', `/incidents/${checkout.id}`, { note: 'Deploy 1482 went out at the same time.' });
  const replica = (await api('GET', '/alerts?q=Replica'))[0];
  if (replica) await api('POST', `/alerts/${replica.id}/acknowledge`, { note: 'a large import, it recovers' });
}

/** The incident with this alert, when the workflow has opened it. */
async function incidentOf(api, title) {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(500)) {
    const [found] = await api('GET', `/incidents?q=${encodeURIComponent(title)}`);
    if (found) return found;
  }
  throw new Error(`no incident was opened for "${title}"`);
}
