/** Rules, dashboard and manifests use only metrics that the services export. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../system/replica.js';
import { sharedSystem } from '../system/shared-system.js';
import { healthy } from './rule-cases.js';
import { readObservability, rules } from './rule-files.js';

/** The names of metrics in an expression: words before a selector, a range or the end of an argument. */
const metricsIn = (expression: string): string[] =>
  [...expression.replace(/"[^"]*"/g, '""').matchAll(/\b(?:ams|nodejs|process)_\w+/g)].map(([name]) => name);

test('the services export every metric that rules, dashboard and manifests use', async () => {
  const texts = await (await sharedSystem()).metrics();
  const exported = new Set<string>();
  for (const { text } of texts)
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      exported.add(name);
      if (type === 'histogram') for (const suffix of ['bucket', 'sum', 'count']) exported.add(`${name}_${suffix}`);
    }
  const used = [
    ...rules.map(({ expr }) => expr),
    ...expressionsOf(JSON.parse(readObservability('grafana-dashboard.json'))),
    readFileSync(join(root, 'docker/kubernetes/overlays/production/pipeline-scaling.yaml'), 'utf8'),
    ...Object.keys(healthy),
  ].flatMap(metricsIn);
  expect(used.length).toBeGreaterThan(rules.length);
  expect([...new Set(used)].filter((name) => !exported.has(name))).toEqual([]);
});

/** The values of all `expr` in the dashboard. */
function expressionsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'expr' && typeof one === 'string' ? [one] : expressionsOf(one),
  );
}
