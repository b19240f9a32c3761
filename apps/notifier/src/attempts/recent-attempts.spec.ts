import type { SendReply } from '@ams/contracts';
import { RecentAttempts } from './recent-attempts.js';

const sent: SendReply = { kind: 'sent', detail: null };
const failed: SendReply = { kind: 'failed', reason: 'it is down', retry: true, retryAfterSeconds: null };
const heldBack: SendReply = { kind: 'heldBack', reason: 'no free slot', retryAfterSeconds: 1 };

it('a request that is repeated during the attempt gets the same reply, and the message is sent once', async () => {
  const recent = new RecentAttempts();
  let attempts = 0;
  let finish: (reply: SendReply) => void = () => undefined;
  const send = () => {
    attempts += 1;
    return new Promise<SendReply>((resolve) => (finish = resolve));
  };
  const replies = [recent.once('a', send), recent.once('a', send), recent.once('a', send)];
  finish(sent);
  expect(await Promise.all(replies)).toEqual([sent, sent, sent]);
  expect(await recent.once('a', send)).toEqual(sent);
  expect(attempts).toBe(1);
});

it.each([
  ['failed', failed],
  ['was held back', heldBack],
])('another attempt is made when the last one %s', async (_what, first) => {
  const recent = new RecentAttempts();
  expect(await recent.once('a', async () => first)).toEqual(first);
  expect(await recent.once('a', async () => sent)).toEqual(sent);
});

it('another attempt is made when the last one threw an error', async () => {
  const recent = new RecentAttempts();
  await expect(recent.once('a', () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
  expect(await recent.once('a', async () => sent)).toEqual(sent);
});

it('a notification is forgotten after 15 minutes, others are independent of it', async () => {
  let now = 0;
  const recent = new RecentAttempts(() => now);
  let attempts = 0;
  const send = async () => {
    attempts += 1;
    return sent;
  };
  await recent.once('a', send);
  now = 14 * 60_000;
  await recent.once('b', send);
  await recent.once('a', send);
  expect(attempts).toBe(2);
  now = 15 * 60_000;
  await recent.once('a', send);
  await recent.once('b', send);
  expect(attempts).toBe(3);
});
