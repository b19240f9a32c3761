// Requests whose mapping extracts by costly patterns, and is refused.
import { bits } from './costly.mjs';
import { mapped } from './mapped.mjs';

export const what = 'extracts of mappings';
export const clients = 12;

const fieldMappings = Array.from({ length: 50 }, (_, i) => ({
  target: `labels.l${i}`,
  source: 't',
  extract: i % 2 ? '(?:0?){100}(2)' : '(1[01]{200}2)',
}));

export const prepare = (a) => mapped(a, { fieldMappings });

export const act = ({ send }, tokens, n) => send(tokens[n % tokens.length], { t: bits(4_000) });
