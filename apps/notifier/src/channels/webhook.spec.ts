import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { request } from '../../testing/notices.js';
import { secretsOf, webhookMessage, type WebhookTarget } from './webhook.js';

const at = Date.parse('2026-11-20T14:00:05.900Z');
const { event, notificationId } = request({ channel: 'email', address: '', name: null });
const target = (fields: Partial<WebhookTarget> = {}): WebhookTarget => ({
  channel: 'webhook',
  url: 'https://example.com/hook',
  secret: null,
  headers: {},
  timeoutSeconds: 10,
  ...fields,
});

function message(fields: Partial<WebhookTarget> = {}) {
  const made = webhookMessage(event, target(fields), notificationId, at);
  if (made.kind !== 'message') throw new Error(made.why);
  return made;
}

test('the body is the event, and the headers make a repetition recognizable', () => {
  const { body, headers } = message();
  expect(JSON.parse(body)).toEqual({
    id: 'evt_1',
    type: 'alert.created',
    occurredAt: '2026-11-20T14:00:00.000Z',
    version: 2,
    data: { alert: { title: 'High CPU', severity: 'critical' } },
  });
  expect(headers).toEqual({
    'content-type': 'application/json',
    'webhook-id': notificationId,
    'webhook-timestamp': '1795183205',
  });
});

test('the signature follows the specification', () => {
  // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md:
  // HMAC-SHA256 over id, time and body with dots between
  const { body, headers } = message({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(`${notificationId}.1795183205.${body}`).digest('base64')}`,
  );
});

test.each([
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 1],
  ['a-plain-text-secret-with-ümlaut', 1],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw the-next-one', 2],
  ['  old   new ', 2],
])('%j signs %d times, each verifiable by its own secret', (secret, count) => {
  const { body, headers } = message({ secret });
  const signatures = headers['webhook-signature']!.split(' ');
  expect(signatures).toHaveLength(count);
  secretsOf(secret).forEach((one, index) => {
    const verifier = one.startsWith('whsec_') ? new Webhook(one) : new Webhook(Buffer.from(one), { format: 'raw' });
    expect(verifier.sign(notificationId, new Date(at), body)).toBe(signatures[index]);
  });
});

test.each([[null], [''], ['  ']])('with the secret %j there is no signature', (secret) =>
  expect(message({ secret }).headers).not.toHaveProperty('webhook-signature'),
);

test('the reason for an unreadable secret does not contain the secret', () => {
  const made = webhookMessage(event, target({ secret: 'whsec_!!not-base64!!' }), notificationId, at);
  expect(made).toMatchObject({ kind: 'unusable', why: expect.not.stringContaining('!!') });
  expect(webhookMessage(event, target({ secret: 'whsec_' }), notificationId, at).kind).toBe('unusable');
});

test('an author can add headers, but cannot change ours', () => {
  const ours = [
    'Host',
    'Content-Type',
    'content-length',
    'WEBHOOK-ID',
    'webhook-signature',
    'Webhook-Anything',
    'Transfer-Encoding',
    'Connection',
    'Proxy-Authorization',
    'Expect',
    'User-Agent',
    'accept-encoding',
    'upgrade',
    'te',
  ];
  const { headers, authorHeaders } = message({
    headers: { ...Object.fromEntries(ours.map((name) => [name, 'mine'])), Authorization: 'Bearer x', 'X-Team': 'web' },
  });
  expect(authorHeaders).toEqual({ Authorization: 'Bearer x', 'X-Team': 'web' });
  expect(Object.values(headers)).not.toContain('mine');
});

test.each([
  [{ 'X-A\r\nX-B': '1' }],
  [{ 'X-A': '1\r\nX-B: 2' }],
  [{ 'X A': '1' }],
  [{ 'X-A': 'ü' }],
  [{ 'X-A': '\u0000' }],
  [{ '': 'x' }],
])('headers %j are not sent', (headers) =>
  expect(webhookMessage(event, target({ headers }), notificationId, at).kind).toBe('unusable'),
);

test('the body is the event, for any event', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      const made = webhookMessage({ ...event, data }, target({ secret: 's' }), notificationId, at);
      expect(JSON.parse(made.kind === 'message' ? made.body : '')).toEqual({
        ...event,
        data: JSON.parse(JSON.stringify(data)),
      });
    }),
  );
});
