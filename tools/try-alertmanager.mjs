// A real Prometheus Alertmanager against a running installation (or one that is started for it): firing, mixed and resolved
// notifications, and what became of them, read through the REST API. Exit code 0 when all is as expected.
//
// Alertmanager and amtool are Debian's package prometheus-alertmanager: from the PATH, or unpacked (lib/alertmanager.mjs).
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createReporter } from './lib/reporter.mjs';
import { ensureBuilt, ensureDependencies, root } from './lib/workspace.mjs';

const run = promisify(execFile);
const say = (text) => console.log(text);
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

/** The installation of `npm start` when it runs; else one of its own, thrown away afterwards. */
async function installation() {
  const file = join(root, '.local/credentials.json');
  if (existsSync(file)) {
    const facts = JSON.parse(readFileSync(file, 'utf8'));
    if (await fetch(`${facts.baseUrl}/readyz`).then((r) => r.ok, () => false)) return facts;
  }
  const state = join(folder, 'state');
  const port = await freePort();
  say('no installation runs here; starting one for this …');
  const child = spawn(process.execPath, [join(root, 'tools/start.mjs'), '--state', state, '--port', String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  cleanUp.unshift(async () => {
    child.kill('SIGINT');
    await new Promise((resolve) => child.once('exit', resolve));
    await run(process.execPath, ['-e', `import('@ams/embedded').then((e) => e.removeState(${JSON.stringify(state)}))`], { cwd: join(root, 'tools') }).catch(() => undefined);
  });
  for (let i = 0; i < 300; i++) {
    const own = join(state, 'credentials.json');
    if (existsSync(own) && JSON.parse(readFileSync(own, 'utf8')).ingestUrl) return JSON.parse(readFileSync(own, 'utf8'));
    if (child.exitCode !== null) throw new Error('the installation could not be started; npm start says why');
    await sleep(200);
  }
  throw new Error('the installation did not start within a minute');
}

async function main() {
  const { findAlertmanager } = await import('./lib/alertmanager.mjs');
  const { command, amtool, why } = findAlertmanager(say);
  if (!command) throw new Error(`There is no Alertmanager: ${why}.`);
  const facts = await installation();
  const api = async (path, init = {}) => {
    const response = await fetch(`${facts.apiUrl}${path}`, { ...init, headers: { authorization: `Bearer ${facts.key}`, 'content-type': 'application/json' } });
    const body = response.status === 204 ? null : await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body.error}`);
    return body?.data;
  };
  const integration = await api('/integrations', { method: 'POST', body: JSON.stringify({ name: 'Alertmanager', type: 'alertmanager' }) });
  say(`integration ${integration.id} of the type alertmanager`);

  const port = await freePort();
  const configuration = join(folder, 'alertmanager.yml');
  writeFileSync(
    configuration,
    `route: { receiver: ams, group_by: [alertname], group_wait: 1s, group_interval: 2s, repeat_interval: 1h }\nreceivers:\n  - name: ams\n    webhook_configs: [ { url: '${integration.ingestUrl}', send_resolved: true } ]\n`,
    { mode: 0o600 },
  );
  const server = spawn(
    command[0],
    [...command.slice(1), `--config.file=${configuration}`, `--storage.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  server.stderr.on('data', (chunk) => (log += chunk));
  cleanUp.unshift(() => server.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  for (let i = 0; !(await fetch(`${url}/-/ready`).then((r) => r.ok, () => false)); i++) {
    if (server.exitCode !== null || i > 100) throw new Error(`Alertmanager did not start:\n${log}`);
    await sleep(100);
  }
  say(`Alertmanager on ${url}, posting to the ingest URL`);

  const post = (instance, end) =>
    run(amtool, [
      'alert', 'add', 'alertname=InstanceDown', `instance=${instance}`, 'severity=critical', `--annotation=summary=${instance} is down`,
      '--annotation=runbook_url=https://runbooks.example.test/down', `--alertmanager.url=${url}`, ...(end ? [`--end=${end}`] : []),
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
        say(`  ok  ${what}: ${JSON.stringify(seen)}`);
        return;
      }
      await sleep(300);
    }
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, but there is ${JSON.stringify(seen)}`);
  };

  await post('web-01');
  await post('web-02');
  await expectStates('two alerts fire in one notification', { 'web-01': 'firing', 'web-02': 'firing' });
  await post('web-01', new Date(Date.now() - 1000).toISOString());
  await expectStates('a mixed notification resolves the one and keeps the other', { 'web-01': 'resolved', 'web-02': 'firing' });
  await post('web-02', new Date(Date.now() - 1000).toISOString());
  await expectStates('a resolved notification resolves the other', { 'web-01': 'resolved', 'web-02': 'resolved' });

  const [alert] = await api(`/alerts?integrationId=${integration.id}&label=instance:web-01`);
  say(`  ok  title «${alert.title}», severity ${alert.severity}, resolved by ${alert.resolvedBy.name} (${alert.resolveReason}), ${alert.occurrenceCount} occurrence(s)`);
  const deliveries = await api(`/integrations/${integration.id}/deliveries`);
  say(`  ok  ${deliveries.length} notifications in the log of the integration, the last one ${deliveries[0].outcome}`);
  await api(`/integrations/${integration.id}`, { method: 'DELETE' });
}

try {
  await ensureDependencies(createReporter());
  await ensureBuilt(createReporter());
  await main();
  say('A real Alertmanager works.');
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
} finally {
  for (const step of cleanUp) await step();
}
