/** The whole service with the NATS permissions of the notifier, called over NATS as the workflow engine does. */
import {
  attemptLookupRequest,
  attemptResultRequest,
  newUuid,
  publicId,
  sendRequest,
  type AttemptResultReply,
  type SendingReply,
  type SendReply,
  type SendRequest,
  type SendTarget,
} from '@ams/contracts';
import { replacedInDestination } from '@ams/domain';
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import { brokerAccount, connectNats, natsAccounts, type NatsConnection } from '@ams/messaging';
import {
  createLogger,
  masterKeysOfFile,
  newDataKey,
  readSettings,
  recordOfDataKey,
  settingsOf,
  startService,
  TenantSecrets,
  type RunningService,
} from '@ams/service';
import { eventually, manualClock, masterKeyFile, newMasterKey, type ManualClock } from '@ams/testing';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { startMailbox, type Mailbox } from '../testing/mailbox.js';
import { alert, incident, notice, request } from '../testing/notices.js';
import { startWebServer, type WebServer } from '../testing/web-server.js';
import { maskedAddress } from './channels/email.js';
import { Clock } from './clock.js';
import { Resolver } from './http/resolver.js';
import { NotifierModule } from './notifier.module.js';
import { notifier } from './service.js';
import { SealedTargets } from './secrets/sealed-targets.js';
import { NotifierSettings } from './settings.js';

let dir: string;
let nats: EmbeddedNats;
let engine: NatsConnection;
let target: WebServer;
let box: Mailbox;
let running: RunningService[] = [];
let lines: string[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'notifier-'));
  const accounts = { value: natsAccounts((user) => user), owner: brokerAccount };
  nats = await startNats({ dir, durable: false, accounts });
  engine = await connectNats({ url: nats.url, user: 'workflow-engine', password: 'workflow-engine', name: 'engine' });
  [target, box] = await Promise.all([startWebServer({ host: '127.0.0.1' }), startMailbox()]);
});

afterAll(async () => {
  await engine.close();
  await Promise.all([target.stop(), box.stop(), nats.stop()]);
  removeState(dir);
});

beforeEach(() => {
  target.received.length = 0;
  target.answer = (_request, response) => void response.end('ok');
  box.mails.length = 0;
  lines = [];
});

afterEach(async () => {
  await Promise.all(running.map((service) => service.stop()));
  running = [];
});

class TestResolver extends Resolver {
  override inDns(name: string): Promise<string[]> {
    return name === 'private.test' ? Promise.resolve(['10.0.0.7']) : super.inDns(name);
  }
}

async function start(
  environment: Record<string, string> = {},
  clock: ManualClock = manualClock(),
): Promise<RunningService> {
  const settings = readSettings(NotifierSettings, {
    NATS_URL: nats.url,
    NATS_USER: 'notifier',
    NATS_PASSWORD: 'notifier',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    OUTBOUND_ALLOW: '127.0.0.1,localhost',
    OUTBOUND_WAIT_MS: '0',
    SMTP_URL: `smtp://127.0.0.1:${box.port}`,
    MASTER_KEY_FILE: masterKeyFile(),
    MAIL_FROM: 'Alerts <alerts@alerts.example.com>',
    ...environment,
  });
  const module = {
    module: NotifierModule,
    providers: [
      { provide: Resolver, useClass: TestResolver },
      { provide: Clock, useValue: { now: () => clock.now().getTime() } },
    ],
  };
  const log = createLogger('notifier', 'info', { write: (line) => lines.push(line) });
  const service = await startService({ ...notifier, module }, settings, log);
  running.push(service);
  return service;
}

/** The first attempt of a new notification, unless `fields` has the id of an earlier one. */
async function send(to: SendTarget, fields: Partial<SendRequest> = {}): Promise<SendReply> {
  const asked = request(to, { notificationId: publicId('notification', newUuid()), ...fields });
  const reply = await engine.request(sendRequest.subject, JSON.stringify(asked), { timeout: 10_000 });
  return reply.json<SendReply>();
}

async function resultOf(replicaId: string, notificationId: string): Promise<AttemptResultReply> {
  const asked = JSON.stringify({ notificationId, waitMs: 50 });
  return (await engine.request(attemptResultRequest(replicaId).subject, asked, { timeout: 10_000 })).json();
}

const url = (path: string) => `http://127.0.0.1:${target.port}${path}`;
const slackPath = '/services/T00000000/B00000000/XXXXYYYYZZZZ';
const webhook = (fields: Partial<Extract<SendTarget, { channel: 'webhook' }>> = {}): SendTarget => ({
  channel: 'webhook',
  url: url('/hook'),
  secret: null,
  headers: {},
  timeoutSeconds: 5,
  ...fields,
});
const email: SendTarget = { channel: 'email', address: 'ann@example.com', name: 'Ann' };

describe('each channel', () => {
  test('email', async () => {
    await start();
    expect(await send(email, { notice: notice({ incident: incident() }) })).toEqual({
      kind: 'sent',
      detail: expect.stringMatching(/^250/) as string,
    });
    expect(box.mails[0]?.headers.get('subject')).toBe('[#42 CRITICAL] Checkout is slow — Acme');
    expect(box.mails[0]?.headers.get('message-id')).toMatch(/^<ntf_\w+@alerts\.example\.com>$/);
  });

  test.each(['slack', 'mattermost', 'discord', 'teams'] as const)('%s', async (channel) => {
    await start();
    expect(await send({ channel, url: url(slackPath) })).toEqual({ kind: 'sent', detail: null });
    const [{ method, path, headers, body }] = target.received as [WebServer['received'][0]];
    expect([method, path, headers['content-type']]).toEqual(['POST', slackPath, 'application/json']);
    expect(body).toContain('High CPU');
  });

  test('webhook, verified as receivers do it, on the first attempt and on a later one', async () => {
    const clock = manualClock();
    await start({}, clock);
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw plain-old-secret';
    const notificationId = publicId('notification', newUuid());
    for (const status of [503, 200]) {
      target.answer = (_request, response) => void response.writeHead(status).end();
      const to = webhook({ secret, headers: { 'X-Team': 'web', 'webhook-id': 'mine' } });
      expect(await send(to, { notificationId })).toMatchObject({ kind: status === 200 ? 'sent' : 'failed' });
      const { headers, body } = target.received.at(-1)!;
      const [id, at] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
      expect([headers['x-team'], id, at]).toEqual(['web', notificationId, String(clock.now().getTime() / 1000)]);
      const verifiers = [
        new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
        new Webhook('plain-old-secret', { format: 'raw' }),
      ];
      expect(headers['webhook-signature']).toBe(
        verifiers.map((verifier) => verifier.sign(id, new Date(Number(at) * 1000), body)).join(' '),
      );
      expect(JSON.parse(body)).toMatchObject({ id: 'evt_1', type: 'alert.created' });
      clock.advance(2000);
    }
  });

  test('a host that is allowed by its name', async () => {
    await start();
    expect(await send({ channel: 'slack', url: `http://localhost:${target.port}/x` })).toMatchObject({ kind: 'sent' });
  });
});

describe('the answer of the target', () => {
  test('404: no other attempt, and the reason quotes the answer', async () => {
    await start();
    target.answer = (_request, response) => void response.writeHead(404).end('no_service');
    expect(await send({ channel: 'slack', url: url(slackPath) })).toEqual({
      kind: 'failed',
      reason: `127.0.0.1:${target.port} answered 404: no_service`,
      retry: false,
      retryAfterSeconds: null,
    });
  });

  test('429: another attempt at the time of Retry-After, also when it is a date', async () => {
    await start({}, manualClock('2026-11-20T14:00:00Z'));
    target.answer = (_request, response) =>
      void response.writeHead(429, { 'retry-after': 'Fri, 20 Nov 2026 14:00:40 GMT' }).end();
    expect(await send(webhook())).toMatchObject({ kind: 'failed', retry: true, retryAfterSeconds: 40 });
  });

  test('no answer: another attempt', async () => {
    await start();
    target.answer = () => undefined;
    expect(await send(webhook({ timeoutSeconds: 1 }))).toMatchObject({
      kind: 'failed',
      retry: true,
      reason: expect.stringContaining('did not answer in time') as string,
    });
  });

  test('a redirect into a private network: no other attempt', async () => {
    await start();
    target.answer = (_request, response) => void response.writeHead(307, { location: 'http://private.test/' }).end();
    expect(await send(webhook())).toEqual({
      kind: 'failed',
      retry: false,
      retryAfterSeconds: null,
      reason:
        'private.test is in a private network or this one; such targets are called only if the operator allows them.',
    });
  });

  test('the reason contains no secrets of the request', async () => {
    await start();
    target.answer = (asked, response) =>
      void response.writeHead(400).end(`bad: ${asked.url ?? ''} ${String(asked.headers.authorization)}`);
    for (const to of [
      { channel: 'slack', url: url(slackPath) },
      webhook({ headers: { authorization: 'Bearer very-secret' } }),
    ] as SendTarget[]) {
      expect(JSON.stringify(await send(to))).not.toMatch(/XXXXYYYYZZZZ|very-secret/);
    }
  });
});

describe('what cannot be sent', () => {
  test.each<[string, SendTarget, string]>([
    ['to a private name', { channel: 'teams', url: 'http://private.test/x' }, 'private network'],
    ['to a private address', { channel: 'discord', url: 'http://10.1.2.3/x' }, 'private network'],
    ['to no address', { channel: 'slack', url: 'nonsense' }, 'not an address'],
    ['with credentials in the address', { channel: 'slack', url: 'https://user:pw@example.com' }, 'user or a password'],
    [
      'with a secret that cannot be read',
      { channel: 'webhook', url: 'http://127.0.0.1/', secret: 'whsec_?', headers: {}, timeoutSeconds: 5 },
      'not base64',
    ],
    [
      'with a header that cannot be written',
      {
        channel: 'webhook',
        url: 'http://127.0.0.1/',
        secret: null,
        headers: { 'X-A': 'a\r\nX-B: b' },
        timeoutSeconds: 5,
      },
      'HTTP does not allow',
    ],
    [
      'to two mail addresses',
      { channel: 'email', address: 'ann@example.com, bob@example.com', name: null },
      'not an address',
    ],
    [
      'to a mail address with a line break',
      { channel: 'email', address: 'ann@example.com\r\nRCPT TO:<bob@example.com>', name: null },
      'not an address',
    ],
    [
      'to a mail address with a name',
      { channel: 'email', address: 'Ann <ann@example.com>', name: null },
      'not an address',
    ],
  ])('%s', async (_what, to, why) => {
    await start();
    expect(await send(to)).toMatchObject({
      kind: 'failed',
      retry: false,
      reason: expect.stringContaining(why) as string,
    });
    expect([target.received.length, box.mails.length]).toEqual([0, 0]);
  });

  test('a mail without a configured mail server', async () => {
    await start({ SMTP_URL: '', MAIL_FROM: '' });
    expect(await send(email)).toMatchObject({
      kind: 'failed',
      retry: false,
      reason: expect.stringContaining('SMTP_URL') as string,
    });
  });

  test('a mail while the mail server cannot be reached: another attempt', async () => {
    await start({ SMTP_URL: 'smtp://127.0.0.1:1' });
    expect(await send(email)).toMatchObject({ kind: 'failed', retry: true });
  });

  test('an unknown channel: an internal error, which is logged', async () => {
    await start();
    expect(await send({ channel: 'pigeon', url: url('/') } as unknown as SendTarget)).toMatchObject({
      kind: 'failed',
      retry: true,
      reason: 'An internal error occurred in the notifier.',
    });
    expect(lines.join('')).toContain('because of an error in the notifier');
  });
});

test('a target that keeps failing is not called for some time, other targets are', async () => {
  const clock = manualClock();
  await start({}, clock);
  target.answer = (asked, response) => void response.writeHead(asked.url === '/down' ? 500 : 200).end();
  const down = webhook({ url: url('/down') });
  for (let n = 0; n < 5; n++)
    expect(await send(down)).toMatchObject({ kind: 'failed', retry: true, retryAfterSeconds: null });
  expect(await send(down)).toMatchObject({ kind: 'heldBack', retryAfterSeconds: 30 });
  expect(await send(webhook({ url: url('/down?other=query') }))).toMatchObject({ retryAfterSeconds: 30 });
  expect(await send(webhook({ url: url('/up') }))).toMatchObject({ kind: 'sent' });
  expect(target.received.length).toBe(6);
  clock.advance(30_000);
  target.answer = (_request, response) => void response.end();
  expect(await send(down)).toMatchObject({ kind: 'sent' });
});

test('a slow target uses two slots, and does not delay other targets', async () => {
  await start();
  const held: (() => void)[] = [];
  target.answer = (asked, response) =>
    asked.url === '/slow' ? void held.push(() => response.end()) : void response.end();
  const slow = [1, 2, 3, 4].map(() => send(webhook({ url: url('/slow') })));
  const replies = await Promise.all(slow.slice(2));
  for (const reply of replies)
    expect(reply).toMatchObject({
      kind: 'heldBack',
      retryAfterSeconds: 2,
      reason: expect.stringContaining('at once') as string,
    });
  expect(await send(webhook({ url: url('/quick') }))).toMatchObject({ kind: 'sent' });
  for (const end of held) end();
  expect(await Promise.all(slow.slice(0, 2))).toEqual([
    { kind: 'sent', detail: null },
    { kind: 'sent', detail: null },
  ]);
});

test('a request that is repeated before or after its reply sends one message', async () => {
  await start();
  const held: (() => void)[] = [];
  target.answer = (_asked, response) => void held.push(() => response.end());
  const notificationId = publicId('notification', newUuid());
  const replies = [1, 2, 3].map(() => send(webhook(), { notificationId }));
  await eventually(async () => expect(held).toHaveLength(1));
  held[0]?.();
  expect(new Set((await Promise.all(replies)).map(({ kind }) => kind))).toEqual(new Set(['sent']));
  expect(await send(webhook(), { notificationId })).toEqual({ kind: 'sent', detail: null });
  expect(target.received).toHaveLength(1);
});

test('an attempt takes longer than its caller waits: the caller asks the replica for the result', async () => {
  await start();
  const held: (() => void)[] = [];
  target.answer = (_asked, response) => void held.push(() => response.end());
  const notificationId = publicId('notification', newUuid());
  const { replicaId } = (await send(webhook(), { notificationId, waitMs: 50 })) as unknown as SendingReply;
  expect(await resultOf(replicaId, notificationId)).toEqual({ kind: 'sending', replicaId });
  held[0]?.();
  await eventually(async () =>
    expect(await resultOf(replicaId, notificationId)).toEqual({ kind: 'sent', detail: null }),
  );
  expect(await resultOf(replicaId, 'ntf_of_nobody')).toEqual({ kind: 'unknown' });
  expect(target.received).toHaveLength(1);
});

test('of all replicas, the one that makes an attempt or has sent its message answers who lost the reply', async () => {
  await start();
  await start();
  const held: (() => void)[] = [];
  target.answer = (_asked, response) => void held.push(() => response.end());
  const lookedUp = async (notificationId: string, timeout = 10_000): Promise<AttemptResultReply> => {
    const asked = JSON.stringify({ notificationId, waitMs: 50 });
    return (await engine.request(attemptLookupRequest.subject, asked, { timeout })).json();
  };
  const notificationId = publicId('notification', newUuid());
  const sending = await send(webhook(), { notificationId, waitMs: 50 });
  expect(await lookedUp(notificationId)).toEqual(sending);
  held[0]?.();
  await eventually(async () => expect(await lookedUp(notificationId)).toEqual({ kind: 'sent', detail: null }));

  const failed = publicId('notification', newUuid());
  target.answer = (_asked, response) => void response.writeHead(500).end();
  expect(await send(webhook(), { notificationId: failed })).toMatchObject({ kind: 'failed' });
  await expect(lookedUp(failed, 500)).rejects.toThrow(/timeout/i);
  await expect(lookedUp('ntf_of_nobody', 500)).rejects.toThrow(/timeout/i);
});

test('a replica that stops finishes its attempts, and waits until the caller has the results', async () => {
  const service = await start();
  const held: (() => void)[] = [];
  target.answer = (_asked, response) => void held.push(() => response.end());
  const notificationId = publicId('notification', newUuid());
  const { replicaId } = (await send(webhook(), { notificationId, waitMs: 50 })) as unknown as SendingReply;
  const stopped = service.stop();
  await eventually(async () => expect(await resultOf(replicaId, notificationId)).toMatchObject({ kind: 'sending' }));
  held[0]?.();
  await eventually(async () => expect(await resultOf(replicaId, notificationId)).toMatchObject({ kind: 'sent' }));
  await stopped;
});

test('the log has one line for each attempt, without secrets, URLs of chats and local parts of addresses', async () => {
  await start();
  target.answer = (asked, response) =>
    void response.writeHead(asked.url === slackPath ? 500 : 200).end(`echo ${asked.url ?? ''}`);
  const ids = [1, 2, 3].map(() => publicId('notification', newUuid()));
  await send({ channel: 'slack', url: url(slackPath) }, { notificationId: ids[0] });
  await send(
    webhook({
      url: url('/hook/very-secret-path?token=very-secret-query'),
      secret: 'very-secret-key',
      headers: { authorization: 'Bearer very-secret-header' },
    }),
    { notificationId: ids[1] },
  );
  await send(email, { notificationId: ids[2] });
  const attempts = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'attempt');
  expect(attempts).toMatchObject([
    { notificationId: ids[0], channel: 'slack', target: `127.0.0.1:${target.port}`, result: 'retry', code: '500' },
    { notificationId: ids[1], channel: 'webhook', target: `127.0.0.1:${target.port}`, result: 'sent', code: '200' },
    { notificationId: ids[2], channel: 'email', target: 'a…@example.com', result: 'sent', code: '250' },
  ]);
  expect(lines.join('')).not.toMatch(/XXXXYYYYZZZZ|very-secret|ann@|High CPU/);
});

test('metrics count attempts by channel and result', async () => {
  const { port } = await start();
  await send(email);
  await send(webhook());
  target.answer = (_request, response) => void response.writeHead(410).end();
  await send(webhook());
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  for (const labels of [
    'channel="email",result="sent"',
    'channel="webhook",result="sent"',
    'channel="webhook",result="failed"',
  ]) {
    expect(text).toMatch(new RegExp(`ams_notifier_attempts_total\\{[^}]*${labels}[^}]*\\} 1`));
  }
  expect(text).toMatch(/ams_notifier_attempt_seconds_count\{[^}]*channel="webhook"[^}]*\} 2/);
});

test('two replicas share the work, and a stopping replica finishes its attempts', async () => {
  await start();
  const second = await start();
  let answer = (): void => undefined;
  const arrived = new Promise<void>(
    (resolve) =>
      (target.answer = (_request, response) => {
        answer = () => void response.end();
        resolve();
      }),
  );
  const reply = send(webhook());
  await arrived;
  const stopped = Promise.all([second.stop(), running[0]!.stop()]);
  answer();
  expect(await reply).toMatchObject({ kind: 'sent' });
  await stopped;
  running = [];
  expect(target.received.length).toBe(1);
});

describe('sealed secrets', () => {
  const tenant = { organizationId: newUuid(), environment: 'live' } as const;
  const dataKey = newDataKey();
  const sealedFor = publicId('workflow', newUuid());
  let sealed: SendTarget;
  beforeAll(() => {
    const headers = { authorization: 's3cret-header' };
    const plain = webhook({ url: url('/hooks/s3cret-path'), secret: 's3cret', headers });
    const sealing = new TenantSecrets(dataKey, tenant).sealing(sealedFor);
    sealed = { ...replacedInDestination(plain, sealing), sealedFor } as SendTarget;
  });
  const secrets = async (file = masterKeyFile()) => {
    const key = await masterKeysOfFile(file).seal(dataKey, recordOfDataKey(tenant));
    return { ...tenant, dataKey: key.toString('base64') };
  };

  test('are opened here, and nowhere in the log', async () => {
    expect(JSON.stringify(sealed)).not.toContain('s3cret');
    await start();
    expect(await send(sealed, { secrets: await secrets() })).toMatchObject({ kind: 'sent' });
    const [{ path, headers }] = target.received as [WebServer['received'][0]];
    expect([path, headers['authorization']]).toEqual(['/hooks/s3cret-path', 's3cret-header']);
    expect(headers['webhook-signature']).toBeDefined();
    expect(lines.join('')).not.toContain('s3cret');
  });

  test('with a key that this replica does not have wait, until it has it', async () => {
    const other = join(dir, 'other-keys');
    writeFileSync(other, `${newMasterKey()}\n`);
    const ofOther = await secrets(other);
    const replica = await start();
    expect(await send(sealed, { secrets: ofOther })).toMatchObject({
      kind: 'heldBack',
      reason: expect.stringContaining('is not known to the notifier') as string,
    });
    expect(await send(sealed)).toMatchObject({ kind: 'heldBack' });
    await replica.stop();
    const both = join(dir, 'both-keys');
    writeFileSync(both, `${readFileSync(masterKeyFile(), 'utf8')}${readFileSync(other, 'utf8')}`);
    await start({ MASTER_KEY_FILE: both });
    for (const key of [ofOther, await secrets()])
      expect(await send(sealed, { secrets: key })).toMatchObject({ kind: 'sent' });
  });

  test.each([
    ['another record', { sealedFor: publicId('workflow', newUuid()) }, {}],
    ['another tenant', {}, { organizationId: newUuid() }],
    ['another address', { url: 'http://127.0.0.1/elsewhere' }, {}],
  ])('of %s do not open, and nothing is sent', async (_what, changed, of) => {
    await start();
    const to = { ...sealed, ...changed } as SendTarget;
    expect(await send(to, { secrets: { ...(await secrets()), ...of } })).toMatchObject({
      kind: 'heldBack',
      reason: 'The address cannot be decrypted: it was changed, or belongs to another record.',
    });
    expect(target.received).toEqual([]);
  });

  test('wait while the key management service does not answer; what a file has sealed opens meanwhile', async () => {
    const tokenFile = join(dir, 'token');
    writeFileSync(tokenFile, 'a-token');
    await start({
      MASTER_KEY_VAULT_URL: 'http://127.0.0.1:1/v1/transit/keys/alerts',
      MASTER_KEY_VAULT_TOKEN_FILE: tokenFile,
    });
    const ofEngine = { ...tenant, dataKey: Buffer.from('vault:v1:c2VhbGVk').toString('base64') };
    expect(await send(sealed, { secrets: ofEngine })).toMatchObject({
      kind: 'heldBack',
      reason: 'The address cannot be decrypted: the key management service cannot be used at present.',
    });
    expect(await send(sealed, { secrets: await secrets() })).toMatchObject({ kind: 'sent' });
    expect(lines.join('')).not.toContain('a-token');
  });

  test('without master keys the service does not start, and says why', () => {
    const settings = Object.assign(new NotifierSettings(), { masterKeyFile: join(dir, 'missing') });
    const log = createLogger('notifier', 'info', { write: () => undefined });
    expect(() => new SealedTargets(settings, log)).toThrow('MASTER_KEY_FILE cannot be read');
  });
});

describe('settings', () => {
  test.each([
    [{ SMTP_URL: 'smtp://mail.example.com' }, /MAIL_FROM/],
    [{ SMTP_URL: 'mail.example.com', MAIL_FROM: 'a@example.com' }, /SMTP_URL/],
    [{ SMTP_URL: 'smtp://', MAIL_FROM: 'a@example.com' }, /SMTP_URL/],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Alerts' }, /MAIL_FROM/],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Alerts <a@example.com>\r\nBcc: b@example.com' }, /MAIL_FROM/],
    [{ OUTBOUND_ALLOW: '10.0.0.0/8,http://x' }, /OUTBOUND_ALLOW/],
    [{ OUTBOUND_CONCURRENCY: '0' }, /OUTBOUND_CONCURRENCY/],
  ])('%j are refused', (environment, fault) =>
    expect(() => readSettings(NotifierSettings, environment)).toThrow(fault),
  );

  test('MASTER_KEY_FILE or MASTER_KEY_VAULT_URL is required, all others are optional', () => {
    expect(() => readSettings(NotifierSettings, {})).toThrow(/MASTER_KEY_FILE/);
    const url = { MASTER_KEY_VAULT_URL: 'https://vault.example.com/v1/transit/keys/alerts' };
    expect(() => readSettings(NotifierSettings, url)).toThrow(/MASTER_KEY_VAULT_TOKEN_FILE/);
    expect(readSettings(NotifierSettings, { ...url, MASTER_KEY_VAULT_TOKEN_FILE: '/token' })).toBeDefined();
    expect(readSettings(NotifierSettings, { MASTER_KEY_FILE: '/keys' })).toMatchObject({
      outboundAllow: '',
      concurrency: 100,
      concurrencyPerTarget: 2,
    });
  });
  test('each has a description', () => {
    for (const { sentence } of settingsOf(NotifierSettings)) expect(sentence).toMatch(/\.$/);
  });
});

test.each([
  ['ann@example.com', 'a…@example.com'],
  ['@', '@…@'],
  ['nonsense', 'n…@nonsense'],
])('%s is logged as %s', (address, masked) => expect(maskedAddress(address)).toBe(masked));

test('every channel can send an alert whose fields have their maximum length', async () => {
  await start();
  const full = notice({
    alert: alert({
      title: '😀'.repeat(512),
      description: '<b>@everyone *\n'.repeat(2300),
      labels: Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`label-${n}`, 'ü'.repeat(512)])),
      annotations: Object.fromEntries(
        Array.from({ length: 64 }, (_, n) => [`link-${n}`, `https://example.com/${'x'.repeat(1000)}`]),
      ),
    }),
    message: 'm'.repeat(4000),
    otherAlerts: Array<string>(10).fill('t'.repeat(1024)),
  });
  for (const channel of ['slack', 'mattermost', 'discord', 'teams'] as const)
    expect(await send({ channel, url: url('/') }, { notice: full })).toMatchObject({ kind: 'sent' });
  expect(await send(email, { notice: full })).toMatchObject({ kind: 'sent' });
});
