// Runs the workloads one after another, each on its own installation, and reports the results.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../lib/workspace.mjs';
import { remove, startBenchInstallation, temporaryFolder } from './installation.mjs';
import { busyShare, machineFacts } from './machine.mjs';
import { help, parseBenchOptions } from './options.mjs';
import { Results } from './report.mjs';
import * as ingest from './workloads/ingest.mjs';
import * as pipeline from './workloads/pipeline.mjs';
import * as sustained from './workloads/sustained.mjs';
import * as latency from './workloads/latency.mjs';
import * as storm from './workloads/storm.mjs';
import * as api from './workloads/api.mjs';
import * as page from './workloads/page.mjs';
import * as outage from './workloads/outage.mjs';
import * as fairness from './workloads/fairness.mjs';
import * as neighbours from './workloads/neighbours.mjs';
import * as slowSenders from './workloads/slow-senders.mjs';
import * as list from './workloads/list.mjs';
import * as stored from './workloads/stored.mjs';
import * as facets from './workloads/facets.mjs';
import * as stream from './workloads/stream.mjs';
import * as growth from './workloads/growth.mjs';
import * as dashboard from './workloads/dashboard.mjs';
import * as memory from './workloads/memory.mjs';
import * as start from './workloads/start.mjs';

/** What is measured when no workload is named. */
const usual = [ingest, pipeline, sustained, latency, storm, page, api, list, memory, start];
const workloads = [...usual, outage, fairness, neighbours, slowSenders, stored, growth, facets, stream, dashboard];

/** The share of the CPU time that other processes may use. */
const mostBusy = 0.1;

/** The exit code: 0 success, 1 a measurement failed, 2 nothing was measured: invalid arguments, a busy machine. */
export async function main(args, report) {
  let options;
  try {
    options = parseBenchOptions(args, workloads, usual);
  } catch (error) {
    report.line(`${error.message}\n\n${help(usual, workloads)}`);
    return 2;
  }
  if (options.help) {
    report.line(help(usual, workloads));
    return 0;
  }
  const results = new Results();
  const busy = await busyShare(2000);
  const isNoisy = busy > mostBusy;
  const noise = `other processes use ${Math.round(100 * busy)} % of the machine`;
  if (isNoisy && !options.noisy) {
    report.line(`${noise}: nothing is measured. Stop them, or use --noisy.`);
    return 2;
  }
  const machine = machineFacts();
  report.line(
    `${machine.cores} cores (${machine.processor}), ${machine.memoryMegabytes} MB, ${machine.system}, Node ` +
      `${machine.node}, a durable write ${machine.fsyncMs} ms`,
  );
  if (isNoisy) results.note(`${noise}: only the ratios are meaningful.`);
  const dir = temporaryFolder();
  const file = options.json ?? join(root, 'bench-results', `${machine.at.replaceAll(':', '-').slice(0, 19)}.json`);
  mkdirSync(dirname(file), { recursive: true });
  const save = () => {
    const { rows, notes } = results;
    writeFileSync(file, `${JSON.stringify({ machine, busy, options, rows, notes }, null, 1)}\n`);
  };
  const tell = () => report.line(`\n${results.table()}\n\n${relative(process.cwd(), file)}`);
  const stops = [];
  const stopAll = async () => {
    for (let stop = stops.pop(); stop; stop = stops.pop())
      await stop().catch((error) => report.line(`          ${error.message}`));
  };
  let interrupted = false;
  const interrupt = () => {
    if (interrupted) process.exit(130);
    interrupted = true;
    report.line('\nstopping (Ctrl-C again: immediately)');
    void stopAll().finally(() => {
      remove(dir);
      tell();
      process.exit(130);
    });
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);

  let failed = false;
  try {
    for (const workload of workloads.filter(({ name }) => options.names.includes(name))) {
      const quiet = { ...report, step: (_what, work) => work(() => undefined) };
      const own = {
        options,
        report,
        results,
        dir,
        /** Started parts are stopped after the workload; null is ignored. */
        cleanUp: (thing) => (thing && stops.push(() => thing.stop()), thing),
        start: async (settings, mail, replicas) =>
          own.cleanUp(
            await startBenchInstallation({
              dir,
              report: options.verbose ? report : quiet,
              profile: options.profile && join(options.profile, workload.name),
              settings,
              mail,
              replicas,
            }),
          ),
      };
      try {
        await report.step(workload.name, () => workload.run(own));
      } catch (error) {
        if (interrupted) return 130;
        failed = true;
        results.note(`${workload.name} is incomplete: ${error.message.split('\n')[0]}`);
        report.line(`          ${workload.name} failed: ${error.stack}`);
      }
      save();
      await stopAll();
    }
  } finally {
    await stopAll();
    if (!interrupted) remove(dir);
  }
  tell();
  return failed ? 1 : 0;
}
