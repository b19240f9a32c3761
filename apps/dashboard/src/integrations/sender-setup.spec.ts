import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendersOf } from '../../build/senders.mjs';
import { setupOf, splitAtJson, tryIt } from './sender-setup.js';

const senders = sendersOf(readFileSync(join(import.meta.dirname, '../../../../docs/ingest.md'), 'utf8'));
const token = '0A1b2C3d4E5f6G7h8I9j0K1l2M3nZk3Q';
const address = { ingestUrl: `https://alerts.example.com/api/inbound/webhook/${token}`, token };

it('reads every type of docs/ingest.md', () => {
  expect(senders.length).toBeGreaterThan(20);
  expect(senders.find(({ type }) => type === 'alertmanager')?.name).toBe('Prometheus Alertmanager');
});

describe.each(senders.map(({ type, setup }) => [type, setup]))('the setup of %s', (type, setup) => {
  const parts = setupOf(type, setup, address);
  const all = parts.map(({ text }) => text).join('\n');

  it('has something to follow, and no placeholder of ours', () => {
    expect(parts.length).toBeGreaterThan(0);
    expect(all).not.toMatch(/\{base_url\}|<ingest URL>/);
  });

  it('shows JSON as code that can be read', () => {
    for (const part of parts) {
      if (part.kind === 'text') expect(part.text).not.toContain('{"');
      else if (part.title === 'JSON') expect(() => JSON.parse(part.text) as unknown).not.toThrow();
    }
  });

  it('can be tried with the address of the integration', () => {
    expect(tryIt(type, address)).toContain(token);
  });
});

it.each([
  ['no JSON here', [{ kind: 'text', text: 'no JSON here' }]],
  ['', []],
  [
    'send {"a":"{b}"}. Then wait.',
    [
      { kind: 'text', text: 'send' },
      { kind: 'code', title: 'JSON', text: '{\n  "a": "{b}"\n}' },
      { kind: 'text', text: 'Then wait.' },
    ],
  ],
  ['an open brace {"a"', [{ kind: 'text', text: 'an open brace {"a"' }]],
])('splits %j', (text, expected) => {
  expect(splitAtJson(text)).toEqual(expected);
});
