// Previews of a window with costly patterns, over alerts with long texts.
import { bits, matchers } from './costly.mjs';

export const what = 'previews of windows';
export const clients = 4;

export async function prepare({ send, tokens }) {
  for (let i = 0; i < 200; i++)
    await send(tokens[i % tokens.length], {
      title: `p${i}`,
      fingerprint: `p${i}`,
      severity: 'low',
      description: bits(30_000),
    });
}

export const act = async ({ call }, _prepared, n) =>
  (await call('POST', '/suppression/preview', { matchers: [matchers[n % matchers.length]] })).status;
