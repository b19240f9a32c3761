// Tests a real Prometheus Alertmanager against a running installation (or one that it starts): sends firing, mixed and
// resolved notifications, and checks the results through the REST API. Exit code 0 on success.
//
//   --receiver webhook|pagerduty|opsgenie   how Alertmanager sends: with webhook_configs, or with the API of PagerDuty
//                                           or Opsgenie. Repeatable; default: all of them in turn.
//
// Alertmanager and amtool are Debian's package prometheus-alertmanager: from the PATH, or unpacked
// (lib/alertmanager.mjs).
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { createReporter } from './lib/reporter.mjs';
import { ensureBuilt, ensureDependencies, root } from './lib/workspace.mjs';

const run = promisify(execFile);
const print = (text) => console.log(text);
const folder = mkdtempSync(join(tmpdir(), 'try-alertmanager-'));
const cleanUp = [() => rmSync(folder, { recursive: true, force: true })];

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** The installation of `npm start` if it runs, otherwise a temporary one. */
async function installation() {
  const file = join(root, '.local/credentials.json');
  if (existsSync(file)) {
    const facts = JSON.parse(readFileSync(file, 'utf8'));
    if (
      await fetch(`${facts.baseUrl}/api/docs/openapi.json`).then(
        (r) => r.ok,
        () => false,
      )
    )
      return facts;
  }
  const state = join(folder, 'state');
  const port = await freePort();
  print('no installation is running here; starting a temporary one …');
  const child = spawn(process.execPath, [join(root, 'tools/start.mjs'), '--state', state, '--port', String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  cleanUp.unshift(async () => {
    child.kill('SIGINT');
    await new Promise((resolve) => child.once('exit', resolve));
    await run(
      process.execPath,
      ['-e', `import('@ams/embedded').then((e) => e.removeState(${JSON.stringify(state)}))`],
      { cwd: join(root, 'tools') },
    ).catch(() => undefined);
  });
  for (let i = 0; i < 300; i++) {
    const own = join(state, 'credentials.json');
    if (existsSync(own) && JSON.parse(readFileSync(own, 'utf8')).ingestUrl)
      return JSON.parse(readFileSync(own, 'utf8'));
    if (child.exitCode !== null) throw new Error('the installation could not be started; run npm start to see why');
    await sleep(200);
  }
  throw new Error('the installation did not start within a minute');
}

/**
 * The configuration of each receiver; all of them report the same alerts. For the two paging services an event is a
 * group: one for each instance.
 */
const receivers = {
  webhook: {
    type: 'alertmanager',
    groupBy: '[alertname]',
    configs: ({ ingestUrl }) => `webhook_configs: [ { url: '${ingestUrl}', send_resolved: true } ]`,
  },
  pagerduty: {
    type: 'pagerduty_events_v2',
    groupBy: '[alertname, instance]',
    configs: ({ baseUrl, token }) => `pagerduty_configs:
      - url: '${baseUrl}/v2/enqueue'
        routing_key: '${token}'
        description: '{{ .CommonAnnotations.summary }}'
        severity: '{{ .CommonLabels.severity }}'
        details: { instance: '{{ .CommonLabels.instance }}' }`,
  },
  opsgenie: {
    type: 'opsgenie',
    groupBy: '[alertname, instance]',
    configs: ({ baseUrl, token }) => `opsgenie_configs:
      - api_url: '${baseUrl}/'
        api_key: '${token}'
        message: '{{ .CommonAnnotations.summary }}'
        priority: P1
        tags: 'prod,team:sre'
        update_alerts: true`,
  },
};

const chosen = () => {
  const { values } = parseArgs({ options: { receiver: { type: 'string', multiple: true } } });
  const names = values.receiver ?? Object.keys(receivers);
  const unknown = names.find((name) => !Object.hasOwn(receivers, name));
  if (unknown !== undefined)
    throw new Error(`--receiver must be one of ${Object.keys(receivers).join(', ')}, not ${unknown}`);
  return names;
};

async function main() {
  const names = chosen();
  const { findAlertmanager } = await import('./lib/alertmanager.mjs');
  const programs = findAlertmanager(print);
  if (!programs.command) throw new Error(`Alertmanager is not available: ${programs.why}.`);
  const facts = await installation();
  for (const name of names) await tryReceiver(name, facts, programs);
}

/** A running Alertmanager with its own configuration. */
async function startReceiver(name, { command }, addresses) {
  const { groupBy, configs } = receivers[name];
  const configurationFile = join(folder, `${name}.yml`);
  writeFileSync(
    configurationFile,
    `route: { receiver: ams, group_by: ${groupBy}, group_wait: 1s, group_interval: 2s, repeat_interval: 1h ` +
      `}\nreceivers:\n  - name: ams\n    ${configs(addresses)}\n`,
    { mode: 0o600 },
  );
  const { startAlertmanager } = await import('./lib/alertmanager.mjs');
  const server = await startAlertmanager({
    command,
    configurationFile,
    folder: join(folder, name),
    port: await freePort(),
  });
  cleanUp.unshift(server.kill);
  return server;
}

async function tryReceiver(name, facts, programs) {
  const api = async (path, init = {}) => {
    const response = await fetch(`${facts.apiUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${facts.key}`, 'content-type': 'application/json' },
    });
    const body = response.status === 204 ? null : await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body.error}`);
    return body?.data;
  };
  const { type } = receivers[name];
  const integration = await api('/integrations', {
    method: 'POST',
    body: JSON.stringify({ name: `Alertmanager, ${name}`, type }),
  });
  print(`\n${name}: integration ${integration.id} of the type ${type}`);
  const { ingestUrl } = integration;
  const { url, kill } = await startReceiver(name, programs, {
    ingestUrl,
    baseUrl: new URL(ingestUrl).origin,
    token: ingestUrl.split('/').at(-1),
  });
  print(`Alertmanager on ${url}, sending by ${name}_configs`);

  const post = (instance, end) =>
    run(programs.amtool, [
      'alert',
      'add',
      'alertname=InstanceDown',
      `instance=${instance}`,
      'severity=critical',
      `--annotation=summary=${instance} is down`,
      '--annotation=runbook_url=https://runbooks.example.test/down',
      `--alertmanager.url=${url}`,
      ...(end ? [`--end=${end}`] : []),
    ]);
  const states = async () => {
    const alerts = await api(`/alerts?integrationId=${integration.id}&sort=createdAt`);
    return Object.fromEntries(alerts.map((alert) => [alert.labels.instance, alert.status]));
  };
  const expectStates = async (what, expected) => {
    let seen;
    for (let i = 0; i < 100; i++) {
      seen = await states();
      if (JSON.stringify(Object.entries(seen).sort()) === JSON.stringify(Object.entries(expected).sort())) {
        print(`  ok  ${what}: ${JSON.stringify(seen)}`);
        return;
      }
      await sleep(300);
    }
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(seen)}`);
  };
  const past = () => new Date(Date.now() - 1000).toISOString();

  await post('web-01');
  await post('web-02');
  await expectStates('two alerts are firing', { 'web-01': 'firing', 'web-02': 'firing' });
  await post('web-01', past());
  await expectStates('one alert is resolved, the other is still firing', { 'web-01': 'resolved', 'web-02': 'firing' });
  await post('web-02', past());
  await expectStates('the other alert is resolved', { 'web-01': 'resolved', 'web-02': 'resolved' });

  const [alert] = await api(`/alerts?integrationId=${integration.id}&label=instance:web-01`);
  if (alert.title !== 'web-01 is down' || alert.severity !== 'critical')
    throw new Error(`expected a critical alert "web-01 is down", received "${alert.title}", ${alert.severity}`);
  print(
    `  ok  title "${alert.title}", severity ${alert.severity}, resolved by ${alert.resolvedBy.name} ` +
      `(${alert.resolveReason}), ${alert.occurrenceCount} occurrence(s)`,
  );
  const requests = await api(`/integrations/${integration.id}/requests`);
  const refused = requests.find(({ status }) => status >= 300);
  if (refused) throw new Error(`a request got ${refused.status}: ${refused.note}`);
  print(
    `  ok  ${requests.length} requests in the log of the integration, the last one ${requests[0].outcome}, ` +
      'none rejected',
  );
  await kill();
  await api(`/integrations/${integration.id}`, { method: 'DELETE' });
}

try {
  await ensureDependencies(createReporter());
  await ensureBuilt(createReporter());
  await main();
  print('A real Alertmanager works.');
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
} finally {
  for (const step of cleanUp) await step();
}
