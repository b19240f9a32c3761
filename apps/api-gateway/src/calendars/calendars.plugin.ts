/**
 * Calendar feeds at /api/calendars/<token>.ics. The token is the only credential. The log and the metrics name the
 * operation, never the URL, and only the hash of the token is sent to the owner. A token that is unknown, ended or of
 * another form gets the same answer after the same work.
 */
import { calendarRequest, credentialHash, Fault, type CalendarReply, type CalendarRequest } from '@ams/contracts';
import { Throttle } from '@ams/service';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { noneMatch } from '../http/conditional.js';
import { addResource } from '../http/methods.js';
import { addressOf } from '../http/request-context.js';
import { restartPauseMs } from '../rpc/owners.js';
import type { RawRpcClient } from '../rpc/raw-rpc-client.js';

/** Of one replica. A calendar server reads the feeds of many members from few addresses. */
export const calendarLimits = { tokenPerMinute: 30, addressPerMinute: 300 } as const;

const suffix = '.ics';

export interface CalendarsOptions {
  rpc: RawRpcClient;
  timeoutMs: number;
}

export const calendars: FastifyPluginAsync<CalendarsOptions> = async (app, { rpc, timeoutMs }) => {
  const ofToken = new Throttle(calendarLimits.tokenPerMinute);
  const ofAddress = new Throttle(calendarLimits.addressPerMinute);

  app.addHook('onRequest', (request, _reply, done) => {
    request.operation = 'calendarFeed';
    done();
  });
  addResource(app, '/*', {
    GET: async (request, reply) => {
      const file = (request.params as { '*': string })['*'];
      const tokenHash = credentialHash(file.endsWith(suffix) ? file.slice(0, -suffix.length) : '');
      refuseTooMany(ofAddress, addressOf(request) ?? '', 'address', calendarLimits.addressPerMinute);
      refuseTooMany(ofToken, tokenHash, 'token', calendarLimits.tokenPerMinute);
      return send(request, reply, await read(rpc, { tokenHash }, timeoutMs, request.id));
    },
  });
};

/** Throws RATE_LIMITED. */
function refuseTooMany(throttle: Throttle, key: string, scope: string, limit: number): void {
  const retryAfterSeconds = throttle.secondsToWait(key, performance.now());
  if (retryAfterSeconds !== null)
    throw new Fault('RATE_LIMITED', { scope, limit, windowSeconds: 60, retryAfterSeconds });
}

/** Throws UNAVAILABLE. */
async function read(
  rpc: RawRpcClient,
  request: CalendarRequest,
  timeoutMs: number,
  requestId: string,
): Promise<CalendarReply> {
  const ask = () => rpc.request(calendarRequest, JSON.stringify(request), timeoutMs);
  let result = await ask();
  if (result.kind === 'noResponders') {
    await sleep(restartPauseMs);
    result = await ask();
  }
  if (result.kind !== 'reply') throw new Fault('UNAVAILABLE', { requestId });
  return JSON.parse(Buffer.from(result.data).toString()) as CalendarReply;
}

function send({ headers }: FastifyRequest, reply: FastifyReply, calendar: CalendarReply): FastifyReply {
  if (calendar.kind === 'unknown') throw new Fault('NOT_FOUND', null);
  const { text, lastModified } = calendar;
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  reply.headers({
    etag,
    'last-modified': new Date(lastModified).toUTCString(),
    // A copy is asked for again each time: a feed that was rotated or deleted ends at once.
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  if (noneMatch(headers['if-none-match'], etag)) return reply.code(304).send();
  return reply
    .headers({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="on-call.ics"',
    })
    .send(text);
}
