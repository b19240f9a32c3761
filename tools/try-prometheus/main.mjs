// The run: a new installation, Prometheus and Alertmanager, and phases that change hosts and kill programs.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as embedded from '@ams/embedded';
import { remove, temporaryFolder } from '../bench/installation.mjs';
import { findAlertmanager, startAlertmanager } from '../lib/alertmanager.mjs';
import { startInstallation } from '../start/installation.mjs';
import { ruleFile, startHosts } from './hosts.mjs';
import { differences, keyOf, theirAlerts } from './lists.mjs';
import { newOrganization } from './organization.mjs';
import { startPages, startSecondReceiver } from './receivers.mjs';
import { phases } from './phases.mjs';
import { findPrometheus, startPrometheus } from './prometheus.mjs';

const run = promisify(execFile);

/** Everything must be the same within this time after a phase. */
const patienceMs = 180_000;

export async function main(report) {
  const programs = { prometheus: findPrometheus(report.line), alertmanager: findAlertmanager(report.line) };
  for (const [name, { why }] of Object.entries(programs)) if (why) throw new Error(`${name} is not available: ${why}.`);
  const folder = temporaryFolder();
  const running = [];
  const keep = (part) => (running.unshift(part), part);
  try {
    return await tryAll(programs, folder, keep, report);
  } finally {
    for (const part of running) await part.stop().catch((error) => report.line(error.message));
    remove(folder);
  }
}

async function tryAll(programs, folder, keep, report) {
  const hosts = keep(await startHosts());
  const pages = keep(await startPages());
  const second = keep(await startSecondReceiver());
  const installation = keep(
    await startInstallation(
      {
        state: join(folder, 'state'),
        host: '127.0.0.1',
        port: await embedded.freePort(),
        environment: (name) => (name === 'notifier' ? { OUTBOUND_ALLOW: '127.0.0.1' } : {}),
      },
      report,
    ),
  );
  const api = await newOrganization(installation);
  const integration = await api('/integrations', { name: 'Alertmanager', type: 'alertmanager' });
  await api('/workflows', {
    name: 'Page for each alert',
    trigger: { events: ['alert.created'] },
    steps: [{ id: 'page', type: 'webhook', params: { url: pages.url } }],
  });
  const theirs = await startTheirs(programs, folder, { urls: [integration.ingestUrl, second.url], hosts }, keep);
  const world = { ...theirs, ...installation, hosts };

  const rows = [];
  for (const { name, act } of phases()) {
    report.line(`\n${name}`);
    await act(world);
    const began = performance.now();
    const { theirs: list, left } = await untilTheSame(world, api, integration);
    const seconds = (performance.now() - began) / 1000;
    rows.push({ phase: name, firing: list.length, seconds: seconds.toFixed(1), differences: left.length });
    report.line(`  ${list.length} alerts fire in both lists after ${seconds.toFixed(1)} s`);
    for (const line of left.slice(0, 10)) report.line(`  DIFFERENT ${line}`);
    if (left.length > 0) break;
  }
  console.table(rows);
  const faults = [
    ...rows.filter((row) => row.differences > 0).map(({ phase }) => `the lists differ after "${phase}"`),
    ...(await judge(world, api, integration, { pages, second }, report)),
  ];
  for (const fault of faults) report.line(`FAULT ${fault}`);
  return faults;
}

/** Prometheus with its rules, and Alertmanager, which sends to the URLs. */
async function startTheirs(programs, folder, { urls, hosts }, keep) {
  const own = (name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const files = own('configuration');
  const write = (name, content) => {
    writeFileSync(join(files, name), content, { mode: 0o600 });
    return join(files, name);
  };
  const alertmanagerPort = await embedded.freePort();
  const routes = { receiver: 'ams', group_by: ['alertname'] };
  const alertmanager = keep(
    await startAlertmanager({
      ...programs.alertmanager,
      configurationFile: write(
        'alertmanager.yml',
        JSON.stringify({
          route: { ...routes, group_wait: '1s', group_interval: '5s', repeat_interval: '15s' },
          receivers: [{ name: 'ams', webhook_configs: urls.map((url) => ({ url, send_resolved: true })) }],
        }),
      ),
      folder: own('alertmanager'),
      port: alertmanagerPort,
    }),
  );
  const rules = write('rules.yml', ruleFile());
  await run(programs.prometheus.promtool, ['check', 'rules', rules]);
  const prometheus = keep(
    await startPrometheus({
      ...programs.prometheus,
      configurationFile: write(
        'prometheus.yml',
        JSON.stringify({
          global: { scrape_interval: '5s', evaluation_interval: '1s' },
          rule_files: [rules],
          alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertmanagerPort}`] }] }] },
          scrape_configs: [{ job_name: 'hosts', static_configs: [{ targets: [hosts.address] }] }],
        }),
      ),
      folder: own('prometheus'),
      port: await embedded.freePort(),
    }),
  );
  return { alertmanager, prometheus };
}

/** Waits until both lists are equal and agree with the hosts. Returns the lists and the remaining differences. */
async function untilTheSame({ alertmanager, hosts }, api, { id }) {
  let state = { theirs: [], left: ['no list could be read'] };
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(1000)) {
    try {
      const theirs = await theirAlerts(alertmanager);
      const ours = await api.all('/alerts', { integrationId: id, status: 'firing' });
      state = { theirs, left: differences(theirs, ours, hosts.failing()) };
      if (state.left.length === 0) return state;
    } catch (error) {
      state.left = [error.message]; // a program was killed
    }
  }
  return state;
}

/** What must be true of the whole run: one alert and one page for each outage, and no request refused. */
async function judge({ alertmanager, hosts }, api, { id }, { pages, second }, report) {
  const faults = [];
  const alerts = await api.all('/alerts', { integrationId: id });
  const arePaged = () => alerts.every((alert) => pages.ofAlert(alert.id) > 0);
  for (const until = Date.now() + patienceMs; !arePaged() && Date.now() < until;) await sleep(1000);
  await sleep(3000); // a second page would follow
  const alertsOf = (key) => alerts.filter((alert) => keyOf(alert) === key);
  for (const [key, outages] of hosts.outages) {
    const found = alertsOf(key);
    const seen = second.outages(key);
    if (found.length < outages || found.length > Math.max(outages, seen))
      faults.push(`${key}: ${outages} outages, Alertmanager sent ${seen}, ${found.length} alerts`);
    for (const { status, resolveReason } of found)
      if (status !== 'resolved' || resolveReason !== 'ingest')
        faults.push(`${key}: ${status} by ${resolveReason}, not resolved by its sender`);
  }
  const pagesOf = alerts.map((alert) => pages.ofAlert(alert.id));
  const lost = pagesOf.filter((count) => count === 0).length;
  const doubled = pagesOf.filter((count) => count > 1).length;
  if (lost + doubled > 0) faults.push(`of ${alerts.length} pages, ${lost} were lost and ${doubled} were sent twice`);
  const refused = alertmanager.log().filter((line) => /unexpected status code 4\d\d/.test(line));
  if (refused.length > 0) faults.push(`${refused.length} requests of Alertmanager were refused: ${refused[0]}`);
  const requests = await api.all(`/integrations/${id}/requests`, {});
  const largest = Math.max(...requests.map(({ payload }) => Buffer.byteLength(payload ?? '')));
  const outages = [...hosts.outages.values()].reduce((sum, count) => sum + count, 0);
  const sent = [...hosts.outages.keys()].reduce((sum, key) => sum + second.outages(key), 0);
  report.line(
    `${outages} outages, Alertmanager sent ${sent}, ${alerts.length} alerts; ${alerts.length} pages due, ` +
      `${alerts.length - lost} sent, ${lost} lost, ${doubled} doubled, ${pages.repeated} attempts repeated; ` +
      `the largest of the last ${requests.length} requests has ${largest} bytes`,
  );
  return faults;
}
