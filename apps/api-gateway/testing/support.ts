/** A NATS server, gateways on it, and stubs of owners and of admission that answer as the real services do. */
import {
  admitRequest,
  credentialHash,
  csrfTokenOf,
  newAccountToken,
  allOperations,
  announcementOf,
  newApiKey,
  newUuid,
  operationsOf,
  keyRevokedRequest,
  subjectOf,
  type AdmitFacts,
  type AdmitReply,
  type AdmitRequest,
  type Announcement,
  type Answer,
  type Call,
  type Operation,
  type Owner,
  type Principal,
} from '@ams/contracts';
import { startNats, removeState, type EmbeddedNats } from '@ams/embedded';
import {
  announce,
  announcementsKv,
  brokerDefaults,
  connectNats,
  keepBroker,
  type NatsConnection,
} from '@ams/messaging';
import type { Environment } from '@ams/scopes';
import { createLogger, startService } from '@ams/service';
import { eventually, httpClient, type HttpClient } from '@ams/testing';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiGateway, ApiGatewaySettings } from '../src/service.js';

export interface Gateway {
  port: number;
  url: string;
  client: HttpClient;
  /** Of health and metrics. */
  management: HttpClient;
  /** Sends bytes and returns what arrived until the connection ended, so many milliseconds passed, or the promise settled. */
  raw(bytes: string | Uint8Array, until?: number | Promise<unknown>): Promise<string>;
  log: Record<string, unknown>[];
  stop(): Promise<void>;
}

export interface World {
  nats: EmbeddedNats;
  connection: NatsConnection;
  startGateway(settings?: Partial<ApiGatewaySettings>): Promise<Gateway>;
  announce(announcement: Announcement): Promise<void>;
  /** Puts any value into the bucket. */
  putRaw(name: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const dir = mkdtempSync(join(tmpdir(), 'ams-gateway-'));
  const nats = await startNats({ dir, durable: false });
  const connection = await connectNats({ url: nats.url, name: 'test' });
  await keepBroker(connection, brokerDefaults, { everyMs: 1000 });
  const gateways: Gateway[] = [];
  // On a busy machine the broker may answer too late.
  const bucket = () => eventually(() => announcementsKv(connection, { replicas: 1 }));
  return {
    nats,
    connection,
    async startGateway(overrides = {}) {
      const lines: Record<string, unknown>[] = [];
      const log = createLogger('api-gateway', 'debug', {
        write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
      });
      const settings = Object.assign(new ApiGatewaySettings(), {
        httpHost: '127.0.0.1',
        httpPort: 0,
        managementHost: '127.0.0.1',
        managementPort: 0,
        failuresPerAddress: 1_000_000,
        natsUrl: nats.url,
        settleMs: 0,
        ...overrides,
      });
      const { port, managementPort, stop } = await startService(apiGateway(), settings, log);
      const url = `http://127.0.0.1:${port}`;
      const gateway: Gateway = {
        port,
        url,
        client: httpClient(url),
        management: httpClient(`http://127.0.0.1:${managementPort}`),
        raw: (bytes, until) => rawRequest(port, bytes, until),
        log: lines,
        stop,
      };
      gateways.push(gateway);
      return gateway;
    },
    announce: async (announcement) => {
      const announcements = await bucket();
      await eventually(() => announce(announcements, announcement));
    },
    putRaw: async (name, text) => void (await (await bucket()).put(name, text)),
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await connection.close();
      await nats.stop();
      removeState(dir);
    },
  };
}

export const announcement = (owner: Owner): Announcement => announcementOf(owner, operationsOf(owner));

export const owners: Owner[] = [...new Set(allOperations.map(({ owner }) => owner))];

export const principalOf = (more: Partial<Principal> = {}): Principal => ({
  type: 'api_key',
  id: newUuid(),
  name: 'a key',
  organizationId: newUuid(),
  environment: 'live',
  scopes: ['alerts:read'],
  ...more,
});

export const rate = { limit: 300, remaining: 299, resetSeconds: 41 };
export const aKey = newApiKey('live');
export const withKey = (key = aKey, more: Record<string, string> = {}): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${key}`, ...more },
});

/** A request for admission. That of a session has an empty hash of a key. */
export type Asked = AdmitFacts & { keyHash: string; sessionHash?: string; environment?: Environment };

/** Answers admissions with what `decide` returns; `undefined` sends no reply. */
export async function admission(
  connection: NatsConnection,
  decide: (request: Asked) => AdmitReply | undefined | Promise<AdmitReply | undefined>,
) {
  const asked: Asked[] = [];
  const subscription = connection.subscribe(admitRequest.subject, {
    queue: 'auth',
    callback: (_error, message) => {
      const request: Asked = { keyHash: '', ...message.json<AdmitRequest>() };
      asked.push(request);
      void Promise.resolve(decide(request)).then((reply) => reply && message.respond(JSON.stringify(reply)));
    },
  });
  await connection.flush();
  return { asked, stop: () => unsubscribe(connection, subscription) };
}

export const admitAll = (connection: NatsConnection, principal = principalOf()) =>
  admission(connection, () => ({ kind: 'admitted', principal, rate }));

/** A session cookie as a browser on this machine sends it, with what a page of this installation adds. */
export const aSession = (token = newAccountToken()) => ({
  token,
  hash: credentialHash(token),
  read: { cookie: `other=1; session=${token}` },
  change: { cookie: `session=${token}`, 'x-csrf-token': csrfTokenOf(credentialHash(token)) },
});

/** Answers an operation, as an owner does; `undefined` sends no reply. A string is sent unchanged. */
export async function owner(
  connection: NatsConnection,
  operation: Operation<never, never, never> | Operation,
  answer: (call: Call) => Answer | string | undefined | Promise<Answer | string | undefined>,
) {
  const calls: Call[] = [];
  const subscription = connection.subscribe(subjectOf(operation as Operation), {
    queue: 'owner',
    callback: (_error, message) => {
      const call = message.json<Call>();
      calls.push(call);
      void Promise.resolve(answer(call)).then((reply) => {
        if (reply !== undefined) message.respond(typeof reply === 'string' ? reply : JSON.stringify(reply));
      });
    },
  });
  await connection.flush();
  return { calls, stop: () => unsubscribe(connection, subscription) };
}

async function unsubscribe(connection: NatsConnection, subscription: { unsubscribe(): void }): Promise<void> {
  subscription.unsubscribe();
  await connection.flush();
}

export const one = (data: unknown, version: number | null = null, status: 200 | 201 = 200): Answer => ({
  ok: true,
  status,
  body: { data },
  version,
});

export async function revoke(
  connection: NatsConnection,
  keyId: string,
  sparedRequestId: string | null = null,
): Promise<number> {
  let replies = 0;
  const answers = await connection.requestMany(keyRevokedRequest.subject, JSON.stringify({ keyId, sparedRequestId }), {
    strategy: 'stall',
    stall: 100,
    maxWait: 500,
  });
  for await (const _answer of answers) replies++;
  return replies;
}

export function rawRequest(
  port: number,
  bytes: string | Uint8Array,
  until: number | Promise<unknown> = 2000,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = (): void => void socket.destroy();
    const timer = typeof until === 'number' ? setTimeout(end, until) : undefined;
    if (typeof until !== 'number') until.then(end, end);
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.write(bytes);
  });
}

/** Status, headers and body of the first answer in the data of a connection. */
export function parseAnswer(text: string): { status: number; headers: Record<string, string>; body: unknown } {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = rest.join('\r\n\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers,
    body: body === '' ? null : JSON.parse(body.slice(0, Number(headers['content-length'] ?? body.length))),
  };
}

export const envelope = (code: string, details: unknown = null) => ({ error: expect.any(String), code, details });
