// The run: a new installation under load, Prometheus with the faster rules, a quiet phase, and one fault after another.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import * as embedded from '@ams/embedded';
import { remove, temporaryFolder } from '../bench/installation.mjs';
import { until } from '../bench/until.mjs';
import { root } from '../lib/workspace.mjs';
import { serviceNames } from '../start/installation.mjs';
import { findPrometheus, startPrometheus } from '../try-prometheus/prometheus.mjs';
import { watchAlerts } from './alerts.mjs';
import { faults, withoutFault } from './faults.mjs';
import { fasterRules } from './faster-rules.mjs';
import { differencesOf, ruleOf, uncovered } from './judge.mjs';
import { startLoad, startWorld } from './world.mjs';

const run = promisify(execFile);

const quietSeconds = 60;
/** How long a fault is made for its rules at most. */
const faultSeconds = 90;
/** Within this time after the fault all alerts have ended: the longest range of a rule is a minute here. */
const endSeconds = 150;

export async function main(names, report) {
  const rules = parse(readFileSync(join(root, 'docker/observability/rules.yaml'), 'utf8'));
  const ruleNames = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  const gaps = uncovered(ruleNames, faults, withoutFault);
  if (gaps.length > 0) throw new Error(gaps.join(', '));
  const unknown = names.filter((name) => !faults.some((fault) => fault.name === name));
  if (unknown.length > 0) throw new Error(`Unknown faults: ${unknown.join(', ')}`);
  const chosen = names.length > 0 ? faults.filter(({ name }) => names.includes(name)) : faults;
  const program = findPrometheus(report.line);
  if (program.why) throw new Error(`Prometheus is not available: ${program.why}.`);
  const folder = temporaryFolder();
  const running = [];
  const keep = (part) => (running.unshift(part), part);
  try {
    return await tryAll(chosen, { program, rules, folder, keep }, report);
  } finally {
    for (const part of running) await part.stop().catch((error) => report.line(error.message));
    remove(folder);
  }
}

async function tryAll(chosen, { program, rules, folder, keep }, report) {
  const installation = await startWorld(folder, keep, report);
  keep(await startLoad(installation));
  const prometheus = keep(await startTheirs(program, folder, rules, installation));
  const alerts = keep(watchAlerts(prometheus));
  const fires = (rule) => until(`${rule} fires`, () => alerts.firing().includes(rule), faultSeconds * 1000, 200);
  const world = { ...installation, fires, prometheus };

  const differences = [];
  const show = (lines) => {
    differences.push(...lines);
    for (const line of lines) report.line(`  DIFFERENT ${line}`);
  };
  // Before the first measurements every service is missing.
  await until('Prometheus measures all services', () => prometheus.measures(serviceNames.length), 60_000, 1000);
  await untilItLasts(() => alerts.firing().length === 0, endSeconds);
  report.line(`\nquiet: the load alone, for ${quietSeconds} s`);
  const quiet = alerts.begin();
  await sleep(quietSeconds * 1000);
  show(differencesOf({ name: 'quiet', must: [] }, quiet, true));

  const rows = [];
  for (const fault of chosen) {
    report.line(`\n${fault.name}: ${fault.what}`);
    const { record, begun, mended, ended } = await make(fault, world, alerts);
    show(differencesOf(fault, record, ended));
    const found = rowsOf(fault, record, begun, mended);
    rows.push(...found.map(({ alerts: _alerts, ...row }) => row));
    for (const { alerts: names, fired, ended: over } of found)
      report.line(`  ${names} fired after ${fired} s, and ended ${over} s after the fault was mended`);
  }
  console.table(rows.sort((one, other) => one.rule.localeCompare(other.rule)));
  for (const [rule, why] of Object.entries(withoutFault)) report.line(`${rule} has no fault here: ${why}`);
  for (const line of differences) report.line(`DIFFERENT ${line}`);
  return differences;
}

/** Makes a fault until its rules fire, mends it, and waits until all alerts have ended. */
async function make(fault, world, alerts) {
  const record = alerts.begin();
  const begun = performance.now();
  const mend = await fault.begin(world);
  const haveFired = () => differencesOf({ ...fault, may: {} }, onlyWanted(fault, record), true).length === 0;
  await until('the rules fire', haveFired, (fault.seconds ?? faultSeconds) * 1000, 200).catch(() => undefined);
  await mend();
  const mended = performance.now();
  const isOver = () => alerts.readAt() > mended && alerts.firing().length === 0;
  const ended = await untilItLasts(isOver, endSeconds);
  return { record, begun, mended, ended };
}

const onlyWanted = ({ must }, record) => {
  const wanted = new Set(must.map(ruleOf));
  return new Map([...record].filter(([rule]) => wanted.has(rule)));
};

/** Whether it holds for three seconds together, within this time. */
async function untilItLasts(holds, seconds) {
  const lastsMs = 3000;
  let since = null;
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(200)) {
    since = holds() ? (since ?? performance.now()) : null;
    if (since !== null && performance.now() - since > lastsMs) return true;
  }
  return false;
}

/** `fired`: seconds after the begin of the fault. `ended`: seconds after its end; less than 0 before it. */
const rowsOf = ({ name, must }, record, begun, mended) =>
  [...record].map(([rule, { firstAt, lastAt, alerts }]) => ({
    rule,
    fault: name,
    expected: must.some((wanted) => ruleOf(wanted) === rule) ? 'must' : 'may',
    fired: Math.round((firstAt - begun) / 1000),
    ended: Math.round((lastAt - mended) / 1000),
    alerts: [...alerts].join(' '),
  }));

/**
 * Prometheus with the faster rules. As with docker/observability, the metrics have the label `service` of their
 * service, and each instance has a label of its own.
 */
async function startTheirs({ command, promtool }, folder, rules, { services }) {
  const own = (name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const files = own('configuration');
  const write = (name, content) => {
    writeFileSync(join(files, name), JSON.stringify(content), { mode: 0o600 });
    return join(files, name);
  };
  const ruleFile = write('rules.yml', fasterRules(rules));
  await run(promtool, ['check', 'rules', ruleFile]);
  const instances = Object.fromEntries(
    Object.values(services).map(({ name, managementPort }) => [
      name,
      { port: managementPort, generation: 1, isKnown: true },
    ]),
  );
  const writeTargets = () =>
    write(
      'targets.json',
      Object.entries(instances)
        .filter(([, { isKnown }]) => isKnown)
        .map(([name, { port, generation }]) => ({
          targets: [`127.0.0.1:${port}`],
          labels: { instance: `${name}-${generation}` },
        })),
    );
  const prometheus = await startPrometheus({
    command,
    configurationFile: write('prometheus.yml', {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [ruleFile],
      scrape_configs: [{ job_name: 'ams', file_sd_configs: [{ files: [writeTargets()] }] }],
    }),
    folder: own('prometheus'),
    port: await embedded.freePort(),
  });
  return {
    ...prometheus,
    /** Whether it measures so many instances. */
    async measures(count) {
      const response = await fetch(`${prometheus.url}/api/v1/query?query=sum(up)`);
      const { data } = await response.json();
      return Number(data.result[0]?.value[1]) === count;
    },
    /** Prometheus does not find the service any more. */
    forget(name) {
      instances[name].isKnown = false;
      writeTargets();
    },
    /** Prometheus finds the service again, at another address, as that of a new container. */
    find(name) {
      instances[name].generation++;
      instances[name].isKnown = true;
      writeTargets();
    },
  };
}
