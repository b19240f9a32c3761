// Requests of 44 KB, of which the mapping makes as many large events as it may.
import { mapped } from './mapped.mjs';

export const what = 'amplification';
export const clients = 4;

export const prepare = (a) =>
  mapped(a, {
    itemsPath: 'items',
    fieldMappings: [
      { target: 'description', source: '$.d' },
      { target: 'severity', value: 'low' },
    ],
  });

const items = (n) => Array.from({ length: 700 }, (_, i) => ({ title: `${n}-${i}` }));

export const act = ({ send }, tokens, n) =>
  send(tokens[n % tokens.length], { d: 'x'.repeat(30_000), items: items(n % 20) });
