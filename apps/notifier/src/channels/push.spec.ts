/** Push messages to a push service on this machine, from the sealed address of a device to what the browser gets. */
import { recordOfSubscription, type SendReply, type SendRequest } from '@ams/contracts';
import { SealedSecrets } from '@ams/service';
import { newVapidKeys, startPushService, type PushService } from '@ams/testing';
import { incident, notice, request } from '../../testing/notices.js';
import { Clock } from '../clock.js';
import { HttpClient } from '../http/http-client.js';
import { Resolver } from '../http/resolver.js';
import { MailServer } from '../mail/mail-server.js';
import { PushEncryption } from '../push/push-encryption.js';
import { topicOf, type PushPayload } from '../push/push-payload.js';
import { NotifierSettings } from '../settings.js';
import { deliveryOf } from './channel-senders.js';
import { Transports } from './transports.js';

const deviceId = '01938f3a-7c2e-7d4a-b1c2-d3e4f5060170';
const secretsKey = 'the secret of the devices';
const { publicKey, privateKey } = newVapidKeys();
const vapid = { vapidPublicKey: publicKey, vapidPrivateKey: privateKey, vapidSubject: 'mailto:alerts@example.com' };

let service: PushService;
let subscription: ReturnType<PushService['subscribe']>;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service?.stop());
beforeEach(() => {
  service.messages.length = 0;
  service.requests = 0;
  service.answer = () => ({ status: 201 });
  subscription = service.subscribe();
});

function transportsWith(changed: Partial<NotifierSettings> = {}): Transports {
  const settings = Object.assign(new NotifierSettings(), {
    outboundAllow: '127.0.0.1',
    secretsKey,
    ...vapid,
    ...changed,
  });
  const http = new HttpClient(settings, new Resolver());
  return new Transports(settings, http, new MailServer(settings), new PushEncryption(settings), new Clock());
}

const sealedFor = (id: string, value: unknown = subscription): string =>
  new SealedSecrets([secretsKey]).seal(Buffer.from(JSON.stringify(value)), recordOfSubscription(id)).toString('base64');

const asked = (sealed = sealedFor(deviceId), fields: Partial<SendRequest['notice']> = {}): SendRequest =>
  request(
    { channel: 'push', deviceId, name: 'Ann', subscription: sealed },
    { notice: notice({ incident: incident(), ...fields }) },
  );

const send = async (to = asked(), changed: Partial<NotifierSettings> = {}): Promise<SendReply> =>
  (await deliveryOf(to, transportsWith(changed)).attempt()).reply;

const host = (): string => new URL(subscription.endpoint).host;

test('a page is encrypted for the browser, signed for the push service, and waits there for four hours', async () => {
  expect(await send()).toEqual({ kind: 'sent', detail: null });
  const [message] = service.messages;
  expect(JSON.parse(message?.text ?? '') as PushPayload).toMatchObject({ tag: incident().id, number: 42 });
  expect(message?.headers).toMatchObject({
    ttl: '14400',
    urgency: 'high',
    topic: topicOf(asked()),
    'content-encoding': 'aes128gcm',
  });
  expect(message?.publicKey).toBe(publicKey);
  expect(message?.claims).toMatchObject({ aud: `http://${host()}`, sub: 'mailto:alerts@example.com' });
  const seconds = Date.now() / 1000;
  expect(message?.claims.exp).toBeGreaterThan(seconds);
  expect(message?.claims.exp).toBeLessThanOrEqual(seconds + 24 * 3600);
});

test('what is over, or of low urgency, does not wake a device that saves power', async () => {
  for (const fields of [{ status: 'resolved' }, { urgency: 'low' }] as const)
    await send(asked(sealedFor(deviceId), { incident: incident(fields) }));
  expect(service.messages.map(({ headers }) => headers['urgency'])).toEqual(['normal', 'normal']);
});

test.each([404, 410])('%i: the device is gone, and there is no other attempt', async (status) => {
  service.answer = () => ({ status });
  expect(await send()).toEqual({
    kind: 'failed',
    reason: `${host()} does not know the device any more (${status}): nothing is pushed to it again.`,
    retry: false,
    retryAfterSeconds: null,
    gone: true,
  });
});

test.each<[number, Record<string, string>, object]>([
  [429, { 'retry-after': '120' }, { retry: true, retryAfterSeconds: 120 }],
  [503, {}, { retry: true, retryAfterSeconds: null }],
  [500, {}, { retry: true, retryAfterSeconds: null }],
  [403, {}, { retry: false, reason: expect.stringContaining('refuses the VAPID keys (403)') as string }],
  [413, {}, { retry: false }],
])('%i: whether there is another attempt, and the device stays', async (status, headers, expected) => {
  service.answer = () => ({ status, headers });
  const reply = await send();
  expect(reply).toMatchObject({ kind: 'failed', ...expected });
  expect(reply).not.toHaveProperty('gone');
});

test.each<[string, () => Promise<SendReply>, string]>([
  ['without keys', () => send(asked(), { vapidPublicKey: undefined }), 'The operator has not set up push messages.'],
  ['without the key of secrets', () => send(asked(), { secretsKey: undefined }), 'The operator has not set up'],
  ['sealed for another device', () => send(asked(sealedFor('another'))), 'cannot be decrypted'],
  ['in a private network', () => send(asked(), { outboundAllow: '' }), 'is in a private network'],
])('nothing is sent to a device %s', async (_what, attempt, reason) => {
  expect(await attempt()).toMatchObject({
    kind: 'failed',
    retry: false,
    reason: expect.stringContaining(reason) as string,
  });
  expect(service.requests).toBe(0);
});

test('a device whose key is not there yet is attempted again', async () => {
  expect(await send(asked(), { secretsKey: 'another secret of theirs' })).toMatchObject({
    kind: 'failed',
    retry: true,
  });
  expect(service.requests).toBe(0);
});

test('no reason and no name of a target has the endpoint', async () => {
  service.answer = () => ({ status: 400 });
  const delivery = deliveryOf(asked(), transportsWith());
  const told = JSON.stringify([delivery.target, delivery.hops, await delivery.attempt()]);
  expect(told).not.toContain(new URL(subscription.endpoint).pathname.slice(6));
});
