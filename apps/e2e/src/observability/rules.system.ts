/**
 * Prometheus' promtool judges the rules and the metrics: the rules fire in the fault that they name and otherwise not,
 * and each has a runbook. Needs promtool, of Debian's package `prometheus`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { findPrometheus } from '../../../../tools/try-prometheus/prometheus.mjs';
import { root } from '../system/replica.js';
import { sharedSystem } from '../system/shared-system.js';
import { healthy, ruleCases, type Series } from './rule-cases.js';
import { rules, rulesFile } from './rule-files.js';

let promtool: string;
beforeAll(() => {
  const found = findPrometheus(() => undefined);
  if ('why' in found) throw new Error(`promtool is needed: ${found.why}`);
  promtool = found.promtool;
});

/** What promtool prints; throws with its errors. */
function run(args: string[], input = ''): string {
  try {
    return execFileSync(promtool, args, { input, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  }
}

/** Judges the rules after 30 minutes of each case, and compares the alerts that fire then. */
function judge(cases: { name: string; series: Series; firing: string[] }[]): void {
  const tests = cases.map(({ name, series, firing }) => ({
    name,
    interval: '1m',
    input_series: Object.entries({ ...healthy, ...series }).map(([one, values]) => ({ series: one, values })),
    promql_expr_test: [
      {
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '30m',
        exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  }));
  const work = mkdtempSync(join(tmpdir(), 'ams-rules-'));
  try {
    const file = join(work, 'tests.json');
    writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests }));
    run(['test', 'rules', file]);
  } finally {
    rmSync(work, { recursive: true });
  }
}

describe('the rules', () => {
  test('are valid, and each has a case, a severity and a runbook', () => {
    run(['check', 'rules', '--lint-fatal', rulesFile]);
    expect(Object.keys(ruleCases).sort()).toEqual(rules.map(({ alert }) => alert).sort());
    const headings = readFileSync(join(root, 'docs/runbooks.md'), 'utf8').match(/(?<=^## ).*$/gm) ?? [];
    expect(headings.sort()).toEqual(rules.map(({ alert }) => alert).sort());
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    }
  });

  test('a test of a rule that does not fire is an error', () => {
    expect(() => judge([{ name: 'wrong', series: {}, firing: ['AmsEventsWait'] }])).toThrow(/AmsEventsWait/);
  });

  test('each fires in its fault, alone, and is quiet without it', () => {
    judge([
      { name: 'healthy', series: {}, firing: [] },
      ...Object.entries(ruleCases).flatMap(([alert, { fires, firesToo, quiet }]) => [
        { name: `${alert} fires`, series: fires, firing: [alert] },
        ...(firesToo ? [{ name: `${alert} fires, too`, series: firesToo, firing: [alert] }] : []),
        { name: `${alert} is quiet`, series: quiet, firing: [] },
      ]),
    ]);
  });
});

test('the metrics of the services are as promtool wants them', async () => {
  const texts = await (await sharedSystem()).metrics();
  expect(new Set(texts.map(({ name }) => name.replace(/-\d+$/, ''))).size).toBe(7);
  for (const { name, text } of texts)
    expect({ name, errors: run(['check', 'metrics'], text) }).toEqual({ name, errors: '' });
  expect(() => run(['check', 'metrics'], '# TYPE wrong_total gauge\nwrong_total 1\n')).toThrow(/wrong_total/);
});
