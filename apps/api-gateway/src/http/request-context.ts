/** What the gateway knows about each request besides its head and body: properties of Fastify's request and reply. */
import { newUuid } from '@ams/contracts';
import type { ReceivingApi } from '@ams/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

declare module 'fastify' {
  interface FastifyRequest {
    /** Used in metrics and the log instead of the URL, which may contain a secret. */
    operation: string;
    /** The API of a sender, in whose form errors are answered. Null for our own. */
    senderApi: ReceivingApi | null;
  }
  interface FastifyReply {
    /** Whether the answer was passed to Node. `sent` says whether it has ended, which may be later. */
    answered: boolean;
    /** The answer is a stream that stays open, or its connection lingers. Its duration says nothing. */
    lasting: boolean;
  }
}

export function addRequestContext(app: FastifyInstance): void {
  app.decorateRequest('operation', 'none');
  app.decorateRequest('senderApi', null);
  app.decorateReply('answered', false);
  app.decorateReply('lasting', false);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.answered = true;
    done(null, payload);
  });
}

/** Whether an answer has no recipient: the request is answered, or the caller has closed the connection. */
export const isOver = (reply: FastifyReply): boolean => reply.answered || reply.raw.destroyed;

const visible = /^[\x21-\x7e]{1,200}$/;

/** The caller's `X-Request-Id`, or a new id when that is not 1 to 200 visible ASCII characters. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && visible.test(sent) ? sent : newUuid();
}

/** The caller's address. Behind a trusted proxy it is the value that the proxy reports, if that is an address. */
export const addressOf = (request: FastifyRequest): string | null =>
  isIP(request.ip) ? withoutMapping(request.ip) : peerAddressOf(request);

/** The address at the other end of the connection. */
export const peerAddressOf = ({ raw }: FastifyRequest): string | null =>
  raw.socket.remoteAddress === undefined ? null : withoutMapping(raw.socket.remoteAddress);

/** An IPv4 address that an IPv6 socket reports as `::ffff:192.0.2.1`. */
const withoutMapping = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address);

export const userAgentOf = ({ headers }: FastifyRequest): string | null => headers['user-agent']?.slice(0, 512) ?? null;
