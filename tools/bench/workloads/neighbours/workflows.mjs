// Fifty workflows whose conditions have costly patterns, and alerts with long texts.
import { bits, matchers } from './costly.mjs';

export const what = 'conditions of workflows';
export const clients = 4;

export async function prepare({ call }) {
  for (let i = 0; i < 50; i++)
    await call('POST', '/workflows', {
      name: `c${i}`,
      trigger: { events: ['alert.created'] },
      conditions: { all: [matchers[i % matchers.length], { field: 'title', op: 'eq', value: 'never' }] },
      steps: [{ id: 'label', type: 'addLabels', params: { labels: { a: 'b' } } }],
    });
  return bits(30_000);
}

export const act = ({ send, tokens }, description, n) =>
  send(tokens[n % tokens.length], { title: `c${n}`, fingerprint: `c${n}`, severity: 'low', description });
