/**
 * Passes requests of senders on to the ingest gateway, for installations without a router in front that could tell the two
 * apart by their path: one base address for everything. Larger installations route `/api/inbound` and `/v2` themselves.
 */
import { Fault } from '@ams/contracts';
import { Tokens } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { Agent, request as ask, type IncomingMessage } from 'node:http';
import type { Exchange, HeaderList } from './exchange.js';
import { ApiGatewaySettings } from './settings.js';

const inboundPrefix = '/api/inbound/';

/** Where clients of PagerDuty and of Opsgenie post when only the host of their URL was changed. */
const dropIns = ['/v2/enqueue', '/v2/alerts'];

/** Whether the path is one that senders of alerts post to. */
export const isInbound = (path: string): boolean =>
  path.startsWith(inboundPrefix) || dropIns.includes(path) || path.startsWith('/v2/alerts/');

/** Headers that belong to one connection, not to the request (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
]);
/** Answers' headers that this side writes itself. */
const ours = new Set([...hopByHop, 'x-request-id', 'x-content-type-options', 'content-length', 'date']);

const answerBytes = 8 * 1024 * 1024;

@Injectable()
export class Inbound {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64 });

  constructor(@Inject(Tokens.settings) private readonly settings: ApiGatewaySettings) {}

  /** Whether an ingest gateway is behind this one. */
  get on(): boolean {
    return this.settings.ingestUrl !== undefined;
  }

  async serve(exchange: Exchange): Promise<void> {
    exchange.operation = 'ingest';
    const { status, headers, body } = await this.pass(exchange);
    exchange.answer(status, headers, body);
  }

  private pass(exchange: Exchange): Promise<{ status: number; headers: HeaderList; body: Buffer }> {
    const { request, requestId } = exchange;
    const unavailable = (): Fault => new Fault('UNAVAILABLE', { requestId });
    const headers: Record<string, string | string[]> = { 'x-request-id': requestId };
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined && !hopByHop.has(name)) headers[name] ??= value;
    const forwarded = [request.headers['x-forwarded-for'], exchange.peer]
      .flat()
      .filter((address) => address !== undefined && address !== null);
    headers['x-forwarded-for'] = forwarded.join(', ');
    if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
    return new Promise((resolve, reject) => {
      const upstream = ask(new URL(request.url ?? '/', this.settings.ingestUrl), {
        method: request.method ?? 'POST',
        headers,
        agent: this.agent,
        timeout: this.settings.callTimeoutMs,
      });
      upstream.on('response', (answer) => readAnswer(answer).then(resolve, () => reject(unavailable())));
      upstream.on('timeout', () => upstream.destroy(new Error('timeout')));
      upstream.on('error', () => reject(unavailable())); // after the answer has come it changes nothing
      exchange.whenOver(() => upstream.destroy());
      exchange.askForBody();
      request.pipe(upstream);
    });
  }
}

async function readAnswer(answer: IncomingMessage): Promise<{ status: number; headers: HeaderList; body: Buffer }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > answerBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  const headers: HeaderList = [];
  for (let i = 0; i < answer.rawHeaders.length; i += 2) {
    const name = (answer.rawHeaders[i] as string).toLowerCase();
    if (!ours.has(name)) headers.push(name, answer.rawHeaders[i + 1] as string);
  }
  return { status: answer.statusCode ?? 502, headers, body: Buffer.concat(chunks) };
}
