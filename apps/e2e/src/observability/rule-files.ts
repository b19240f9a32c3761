/** The files of docker/observability. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../system/replica.js';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const folder = join(root, 'docker/observability');

export const rulesFile = join(folder, 'rules.yaml');
export const readObservability = (name: string): string => readFileSync(join(folder, name), 'utf8');

const { groups } = parse(readObservability('rules.yaml')) as { groups: { rules: Rule[] }[] };
export const rules = groups.flatMap((group) => group.rules);
