/**
 * A push service of a test, on this machine: it takes messages for browsers, decrypts them as a browser does (RFC 8188 and
 * RFC 8291), and checks their signature (RFC 8292). Everything is done with the functions of Node.
 */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, randomUUID, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PushedMessage {
  /** Which subscription it is for. */
  endpoint: string;
  headers: IncomingHttpHeaders;
  /** The payload. */
  text: string;
  /** The claims of the signature, which is valid, and the key that made it. */
  claims: { aud: string; exp: number; sub: string };
  publicKey: string;
}

export interface PushService {
  /** A subscription of a new browser, as `PushSubscription.toJSON()` gives it. */
  subscribe(): { endpoint: string; keys: { p256dh: string; auth: string } };
  messages: PushedMessage[];
  /** The answer to each message: a status, and headers. */
  answer: (endpoint: string) => { status: number; headers?: Record<string, string> };
  /** How many requests came, those without a valid message too. */
  requests: number;
  stop(): Promise<void>;
}

interface Browser {
  key: Buffer;
  publicKey: Buffer;
  auth: Buffer;
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      service.requests++;
      const endpoint = `${origin()}${request.url}`;
      const browser = browsers.get(endpoint);
      if (!browser) return void response.writeHead(404).end();
      const { status, headers = {} } = service.answer(endpoint);
      if (status < 300)
        service.messages.push({
          endpoint,
          headers: request.headers,
          text: decrypted(Buffer.concat(chunks), browser),
          ...signatureOf(request.headers.authorization ?? ''),
        });
      response.writeHead(status, headers).end();
    });
  });
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: PushService = {
    subscribe() {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const browser = { key: ecdh.getPrivateKey(), publicKey: ecdh.getPublicKey(), auth: randomBytes(16) };
      const endpoint = `${origin()}/push/${randomUUID()}`;
      browsers.set(endpoint, browser);
      const keys = { p256dh: browser.publicKey.toString('base64url'), auth: browser.auth.toString('base64url') };
      return { endpoint, keys };
    },
    messages: [],
    answer: () => ({ status: 201 }),
    requests: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

const derived = (key: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

function decrypted(body: Buffer, { key, publicKey, auth }: Browser): string {
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + body.readUInt8(20);
  const sender = body.subarray(21, keyEnd);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(key);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
  const secret = derived(ecdh.computeSecret(sender), auth, info, 32);
  const contentKey = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce).setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
  // The last record: the text, 2, and zeros.
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** Throws when the signature is not valid. */
function signatureOf(authorization: string): Pick<PushedMessage, 'claims' | 'publicKey'> {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    throw new Error('the signature of a push message is not valid');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as PushedMessage['claims'], publicKey };
}

/** Keys of a service, in base64url. */
export function newVapidKeys(): { publicKey: string; privateKey: string } {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const padded = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()]).subarray(-32);
  return { publicKey: ecdh.getPublicKey('base64url'), privateKey: padded.toString('base64url') };
}
