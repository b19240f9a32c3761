// `npm test`: all checks of a change: lint, types, documents, the tests of every project against a real PostgreSQL and
// NATS, and those of the whole system. Nx runs what is not cached. Arguments are names of projects:
// npm test -- domain auth
//
// One PostgreSQL serves all projects of the run; each test file has its own database in it. The last line has the
// numbers of passed and failed tests, including those of cached projects.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReporter } from './lib/reporter.mjs';
import { resultsFile } from './lib/results-reporter.mjs';
import { ensureBuilt, ensureDependencies, requireNode, root } from './lib/workspace.mjs';

const report = createReporter();
requireNode(report);
await ensureDependencies(report);
await ensureBuilt(report);

const tested = ['libs', 'apps']
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => ({ name, folder: join(root, kind, name) })))
  .filter(({ folder }) => existsSync(join(folder, 'package.json')))
  .filter(({ folder }) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts?.test);
const names = process.argv.slice(2);
const chosen = names.length === 0 ? tested : tested.filter(({ name }) => names.includes(name));
const servers = await report.step('PostgreSQL and NATS for the tests', startServers);
const env = { ...process.env, TEST_POSTGRES_URL: servers.postgresUrl, TEST_NATS_URL: servers.natsUrl };
const nx = (args, stdio = 'inherit') =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'tools/nx.mjs'), ...args], { cwd: root, stdio, env });
    child.on('exit', (code) => resolve(code ?? 1));
  });
const output = '--output-style=stream';
let codes;
if (names.length === 0) {
  const checks = ['test', 'lint-workspace', 'typecheck-workspace', 'check-docs', 'check-licences', 'lint-openapi'];
  const wholeSystem = ['@ams/e2e'];
  await nx(['show', 'projects'], 'ignore'); // both runs read the project graph that this one writes
  // Nx would run the whole-system tests last, because no project depends on them, and alone: they are the longest part.
  codes = await Promise.all([
    nx(['run-many', '-t', 'test', '-p', ...wholeSystem, output]),
    nx(['run-many', '-t', ...checks, '--exclude', ...wholeSystem, '--parallel=3', output]),
  ]);
} else {
  const projects = names.map((name) => `@ams/${name}`).join(',');
  codes = [await nx(['run-many', '-t', 'test', 'lint', 'typecheck', '-p', projects, '--parallel=3', output])];
}
await servers.stop();
const passed = codes.every((code) => code === 0);

const results = chosen.map(({ name, folder }) =>
  existsSync(resultsFile(folder))
    ? JSON.parse(readFileSync(resultsFile(folder), 'utf8'))
    : {
        passed: 0,
        failed: 1,
        skipped: 0,
        files: [],
        failures: [{ path: name, name: 'all tests', message: 'ended too early' }],
      },
);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const failures = results.flatMap((result) => result.failures);
if (failures.length > 0) report.line(`\n== failed`);
for (const { path, name, message } of failures.slice(0, 8)) {
  const lines = message.slice(0, 1_500).split('\n');
  report.line([`${path}: ${name}`, ...lines.slice(0, failures.length > 3 ? 4 : 12)].join('\n    '));
}
const most = (key) =>
  results
    .flatMap(({ files }) => files)
    .sort((a, b) => b[key] - a[key])
    .slice(0, 20)
    .map((file) => `${file.path} ${file[key]} s`)
    .join(', ');
report.line(`\nthe slowest files: ${most('seconds')}`);
report.line(`\nthe most CPU time: ${most('cpuSeconds')}`);
report.line(`\n${passed ? 'passed' : 'FAILED'} in ${(report.elapsedMs() / 1000).toFixed(0)} s`);
report.line(
  `${sum('passed')} passed, ${sum('failed')} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}`,
);
process.exitCode = passed && failures.length === 0 ? 0 : 1;

/** Starts servers that do not wait for the disk, unless TEST_… variables name other servers. */
async function startServers(log) {
  const { TEST_POSTGRES_URL, TEST_NATS_URL } = process.env;
  const { startTestInfrastructure } = await import('@ams/testing');
  if (TEST_POSTGRES_URL && TEST_NATS_URL)
    return { postgresUrl: TEST_POSTGRES_URL, natsUrl: TEST_NATS_URL, stop: async () => undefined };
  const started = await startTestInfrastructure({ log });
  return {
    postgresUrl: TEST_POSTGRES_URL || started.postgresUrl,
    natsUrl: TEST_NATS_URL || started.natsUrl,
    stop: started.stop,
  };
}
