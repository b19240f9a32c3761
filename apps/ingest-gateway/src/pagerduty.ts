/**
 * PagerDuty's Events API v2 as its clients know it, so that a tool switches to us by changing the URL: POST /v2/enqueue, with
 * the ingest token as `routing_key`. Source: https://developer.pagerduty.com/docs/events-api-v2-overview and the schema in
 * github.com/PagerDuty/api-schema (reference/events-v2): 202, 400 (clients do not retry), 429 and 5xx (they do).
 *
 * A routing key that is none of ours makes the event an invalid one, 400: this API has no 401, and 400 is the status of which
 * clients show the errors. Severities, sources and details are taken more freely than there.
 */
import { Fault, newUuid, type FieldFault } from '@ams/contracts';
import { dedupKeyOf, dropInBody, wordIn, type DropInBody, type DropInRequest } from '@ams/domain';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import type { Refusal } from './answers.js';
import { hiddenToken, keep, Reception, repeatableOf, type Dialect, type Repeatable, type Visit } from './reception.js';

const paths = ['/v2/enqueue', '/api/inbound/pagerduty/v2/enqueue'];

const onlyPost = new Fault('METHOD_NOT_ALLOWED', { allowed: ['POST'] });

const dialect: Dialect = { name: 'pagerduty', nothingNew: 202, messageIdHeader: null, refusal };

@Injectable()
export class PagerDuty {
  constructor(@Inject(Reception) private readonly reception: Reception) {}

  serveOn(http: FastifyInstance): void {
    for (const path of paths) this.reception.route(http, path, dialect, (visit) => this.serve(visit));
  }

  private async serve(visit: Visit): Promise<void> {
    const { reception } = this;
    if (visit.request.method !== 'POST') throw onlyPost;
    // The key is in the body: here it has to be read before anything is known of the sender.
    const content = await reception.read(visit);
    if (content === null) return;
    const event = eventOf(content.payload);
    keep(visit, { ...event, routing_key: hiddenToken });
    const sender = await reception.admit(visit, routingKeyOf(event));
    const repeatable = repeatableOf(visit, sender, content.bytes, dialect.name);
    const ownKey = dedupKeyOf(event);
    const dedupKey = ownKey ?? newDedupKey(repeatable);
    const asked: DropInRequest = { api: 'pagerduty', operation: null, alertKey: ownKey === null ? dedupKey : null };
    visit.received = asked;
    const sorted = reception.mapDropIn(sender, asked, event);
    const answer = JSON.stringify({ status: 'success', message: 'Event processed', dedup_key: dedupKey });
    return reception.take(visit, sender, sorted, repeatable, () => answer);
  }
}

function eventOf(payload: unknown): DropInBody {
  const event = dropInBody(payload);
  if (event !== null) return event;
  throw new Fault('VALIDATION_ERROR', { fields: [fault('', 'type', 'the event must be a JSON object')] });
}

/** Throws when there is none that could be a key. */
function routingKeyOf({ routing_key: key }: DropInBody): string {
  if (wordIn(key) === null)
    throw new Fault('VALIDATION_ERROR', {
      fields: [fault('routing_key', 'required', "'routing_key' is missing or blank")],
    });
  const text = String(key);
  if (text.length === routingKeyLength) return text;
  throw new Fault('VALIDATION_ERROR', {
    fields: [
      fault('routing_key', 'length', `Length of 'routing_key' is incorrect (should be ${routingKeyLength} characters)`),
    ],
  });
}

const routingKeyLength = 32;

const fault = (path: string, rule: string, message: string): FieldFault => ({ path, rule, message });

/** The key of an event that came without one: a repeat of the same request has to get the same. */
const newDedupKey = (repeatable: Repeatable | null): string =>
  repeatable === null
    ? newUuid().replaceAll('-', '')
    : createHash('sha256').update(repeatable.key).digest('hex').slice(0, 32);

/** `status` is a word for programs, `message` and `errors` are for people; clients print all three. */
function refusal(fault: Fault): Refusal {
  const { code, details } = fault;
  if (code === 'RATE_LIMITED') return said(429, 'throttle exceeded', fault.message);
  if (code === 'INVALID_INGEST_TOKEN')
    return invalidEvent(["Invalid 'routing_key': it is no token of an integration here, or of one that is disabled"]);
  if (code === 'VALIDATION_ERROR')
    return invalidEvent(
      (details as Fault<'VALIDATION_ERROR'>['details']).fields.map(({ path, message }) =>
        message.includes(path) ? message : `${path}: ${message}`,
      ),
    );
  if (code === 'INVALID_JSON') return invalidEvent([fault.message]);
  return said(fault.status, fault.status >= 500 ? 'error' : 'invalid event', fault.message);
}

const invalidEvent = (errors: string[]): Refusal => said(400, 'invalid event', 'Event object is invalid', errors);

const said = (status: number, word: string, message: string, errors: string[] = [message]): Refusal => ({
  status,
  body: JSON.stringify({ status: word, message, errors }),
});
