// `npm test`: everything that has to hold before a change is handed in. Lint, types, and the tests of every project
// against a real PostgreSQL and NATS, then the whole system. Arguments are names of projects: npm test -- domain auth
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReporter } from './lib/reporter.mjs';
import { ensureBuilt, ensureDependencies, requireNode, root } from './lib/workspace.mjs';

const report = createReporter();
requireNode(report);
await ensureDependencies(report);
await ensureBuilt(report);
const { findNatsServer } = await import('@ams/embedded');
await report.step('NATS server for the tests', (log) => findNatsServer({ log }));

const chosen = process.argv.slice(2);
const scope = chosen.length > 0 ? ['-p', chosen.map((name) => `@ams/${name}`).join(',')] : [];
const scratch = mkdtempSync(join(tmpdir(), 'ams-test-'));
process.env.AMS_TEST_FAILURES = join(scratch, 'failures');
const nx = (label, args) => {
  report.line(`\n== ${label}`);
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'tools/nx.mjs'), 'run-many', ...args, ...scope, '--output-style=stream'],
    { cwd: root, stdio: 'inherit' },
  );
  return { label, ok: status === 0 };
};
const tool = (label, ...args) => ({
  label,
  ok: spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0,
});
const results = [
  tool('generated files are current', 'tools/generate-docs.mjs', '--check'),
  tool('the OpenAPI document is clean', 'tools/lint-openapi.mjs'),
  nx('lint and types', ['-t', 'lint', 'typecheck', '--parallel=2']),
  nx('tests', ['-t', 'test', '--parallel=1']),
];
if (existsSync(process.env.AMS_TEST_FAILURES)) {
  const failures = readFileSync(process.env.AMS_TEST_FAILURES, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  report.line(`\n== ${failures.length === 1 ? 'one test' : `${failures.length} tests`} failed`);
  for (const { path, name, message } of failures.slice(0, 8))
    report.line(
      `${path}: ${name}\n    ${message
        .slice(0, 1_500)
        .split('\n')
        .slice(0, failures.length > 3 ? 4 : 12)
        .join('\n    ')}`,
    );
}
rmSync(scratch, { recursive: true, force: true });
report.line('');
for (const { label, ok } of results) report.line(`${ok ? 'passed' : 'FAILED'}  ${label}`);
report.line(`${(report.elapsedMs() / 1000).toFixed(0)} s`);
process.exit(results.every(({ ok }) => ok) ? 0 : 1);
