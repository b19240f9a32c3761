// Twenty suppression windows with costly patterns, and batches of alerts with long texts.
import { bits, matchers } from './costly.mjs';

export const what = 'patterns in windows';
export const clients = 4;

export async function prepare({ call }) {
  for (let i = 0; i < 20; i++)
    await call('POST', '/suppression', {
      name: `w${i}`,
      matchers: [matchers[i % matchers.length]],
      startsAt: new Date(Date.now() - 60_000).toISOString(),
      endsAt: new Date(Date.now() + 86_400_000).toISOString(),
      timezone: 'UTC',
      onEnd: 'resume',
    });
  return bits(30_000);
}

export const act = ({ send, tokens }, description, n) =>
  send(tokens[n % tokens.length], { title: `a${n}`, fingerprint: `a${n}`, severity: 'low', description });
