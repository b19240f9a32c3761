/**
 * POST /api/inbound/webhook/{token}: the one public operation of this service, and the busiest of the system. It is
 * served below Nest and below Fastify's own body handling, because the order of checks asks for it: who is asking and
 * how often comes before the body is looked at.
 *
 *   token form -> token known and enabled -> limit -> size -> content type, JSON -> mapping, required fields -> store
 *
 * No 2xx before the broker has acknowledged that the events are on disk.
 */
import { Fault, newUuid, publicId, type FieldFault, type HandshakeTask } from '@ams/contracts';
import { mapPayload, partitionOf, type Mapped, type MappedEvent, type MappingWarning } from '@ams/domain';
import { Metrics, Tokens, withoutCredentials, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answer, answerAndClose, answerFault, requestIdOf } from './answers.js';
import { declaredLength, decompress, mediaOf, parsePayload, readBody, textOf, type Raw } from './body.js';
import { Deliveries, type Delivery } from './deliveries.js';
import { handshakeDelivery, Handshakes } from './handshakes.js';
import { bodyHash, entryKey, eventIdOf, Idempotency, isIdempotencyKey } from './idempotency.js';
import { Integrations, type Sender } from './integrations.js';
import { Limit } from './limit.js';
import { IngestSettings } from './settings.js';
import { Store, type Storable } from './store.js';
import { Streams } from './streams.js';

export const webhookPath = '/api/inbound/webhook/';

type Outcome = Delivery['outcome'] | 'limited' | 'unauthorized' | 'unavailable' | 'refused' | 'aborted' | 'failed';

/** One request while it is served. */
interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  started: number;
  deadline: number;
  /** Length that the sender declared; `null` when it did not. */
  declared: number | null;
  /** The body, when reading it has begun. */
  body: Promise<Raw> | null;
  sender: Sender | null;
}

/** What a payload became. */
interface Sorted {
  events: { json: string; event: MappedEvent; warnings: MappingWarning[]; index: number }[];
  ignored: number;
  faults: FieldFault[];
  /** For the record of the delivery: the items that are no events, as JSON. */
  others: string[];
}

const invalidToken = new Fault('INVALID_INGEST_TOKEN', null);
const onlyPost = new Fault('METHOD_NOT_ALLOWED', { allowed: ['POST'] });

@Injectable()
export class Webhook implements Part {
  private http: FastifyInstance | null = null;
  private draining = false;
  private readonly requests;
  private readonly events;
  private readonly duration;

  constructor(
    @Inject(Tokens.settings) private readonly settings: IngestSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
    @Inject(Integrations) private readonly integrations: Integrations,
    @Inject(Limit) private readonly limit: Limit,
    @Inject(Streams) private readonly streams: Streams,
    @Inject(Store) private readonly store: Store,
    @Inject(Idempotency) private readonly idempotency: Idempotency,
    @Inject(Handshakes) private readonly handshakes: Handshakes,
    @Inject(Deliveries) private readonly deliveries: Deliveries,
  ) {
    this.requests = metrics.counter('ams_ingest_requests_total', 'Requests to the webhook, by what became of them.', ['outcome']);
    this.events = metrics.counter('ams_ingest_events_total', 'Events that were stored.');
    this.duration = metrics.durations('ams_ingest_duration_seconds', 'From the headers of a request to its answer.');
  }

  serveOn(http: FastifyInstance): void {
    this.http = http;
    // In place of a handler, since Fastify reads the body and checks its type before it calls one.
    http.route({
      method: [...http.supportedMethods],
      url: `${webhookPath}:token`,
      exposeHeadRoute: false,
      onRequest: (request, reply) => {
        reply.hijack();
        this.receive(request.raw, reply.raw, (request.params as { token: string }).token);
      },
      handler: () => undefined,
    });
  }

  /** Takes no new connection; what is being served is finished, and told to come back over another connection. */
  async drain(): Promise<void> {
    this.draining = true;
    await this.http?.close();
  }

  receive(request: IncomingMessage, response: ServerResponse, token: string): void {
    const started = performance.now();
    const visit: Visit = {
      request, response, started, requestId: requestIdOf(request), deadline: started + this.settings.storeTimeoutMs,
      declared: declaredLength(request), body: null, sender: null,
    };
    if (request.method !== 'POST') return this.refuse(visit, onlyPost, 'refused');
    this.serve(visit, token).catch((error: unknown) => {
      this.log.error({ err: error, requestId: visit.requestId }, 'a request failed');
      if (response.headersSent) response.destroy();
      else this.refuse(visit, new Fault('INTERNAL_ERROR', { requestId: visit.requestId }), 'failed');
    });
  }

  private async serve(visit: Visit, token: string): Promise<void> {
    const { settings } = this;
    const found = this.integrations.find(token);
    const lookup = found instanceof Promise ? await found : found;
    if (lookup.kind === 'unknown') return this.refuse(visit, invalidToken, 'unauthorized');
    if (lookup.kind === 'unavailable') return this.unavailable(visit);
    const { sender } = lookup;
    visit.sender = sender;

    // A body that is short enough is read while the broker counts; it is not looked at before the count is known.
    if (visit.declared !== null && visit.declared <= settings.maxBodyBytes) visit.body = readBody(visit.request, settings.maxBodyBytes);
    const admission = await this.limit.admit(sender.tokenHash, visit.deadline);
    if (admission.kind === 'unavailable') return this.unavailable(visit);
    const receivedAt = new Date().toISOString();
    if (admission.kind === 'limited') {
      this.deliveries.addLimited(sender, receivedAt);
      const { retryAfterSeconds } = admission;
      return this.refuse(visit, new Fault('RATE_LIMITED', { scope: 'per ingest token', limit: settings.limit, windowSeconds: settings.limitWindowSeconds, retryAfterSeconds }), 'limited');
    }

    if (visit.declared !== null && visit.declared > settings.maxBodyBytes) return this.reject(visit, sender, receivedAt, null, this.tooLarge());
    const media = mediaOf(visit.request.headers['content-type']);
    if (media === null) return this.reject(visit, sender, receivedAt, null, new Fault('UNSUPPORTED_MEDIA_TYPE', null));
    const raw = await (visit.body ??= readBody(visit.request, settings.maxBodyBytes));
    if (raw.kind === 'aborted') return this.count(visit, 'aborted');
    if (raw.kind === 'tooLarge') return this.reject(visit, sender, receivedAt, null, this.tooLarge());

    let bytes = raw.bytes;
    let text: string | null = null;
    let mapped: Mapped;
    let key: string | null;
    try {
      const encoding = visit.request.headers['content-encoding'];
      if (encoding !== undefined) bytes = await decompress(bytes, encoding, settings.maxBodyBytes);
      text = textOf(bytes);
      if (text === null) throw new Fault('INVALID_JSON', null, 'The body is not UTF-8.');
      const payload = parsePayload(text, media);
      key = keyOf(visit.request, sender);
      mapped = mapPayload(sender.mapper, payload);
    } catch (error) {
      if (error instanceof Fault) return this.reject(visit, sender, receivedAt, text ?? bytes.toString('utf8'), error);
      if (error instanceof RangeError) return this.reject(visit, sender, receivedAt, text, new Fault('INVALID_JSON', null, 'The body is nested too deeply.'));
      throw error;
    }
    if (mapped.kind === 'handshake') return this.handshake(visit, sender, receivedAt, text);
    const sorted = this.sort(mapped);
    return key === null
      ? this.take(visit, sender, receivedAt, text, sorted)
      : this.takeOnce(visit, sender, receivedAt, text, sorted, key, bodyHash(bytes));
  }

  private sort({ items }: Extract<Mapped, { kind: 'items' }>): Sorted {
    const sorted: Sorted = { events: [], ignored: 0, faults: [], others: [] };
    const room = this.store.maxEventBytes - 2048;
    for (let index = 0; index < items.length; index++) {
      const item = items[index]!;
      if (item.kind === 'event') {
        const json = JSON.stringify(item.event);
        if (json.length * 3 <= room || Buffer.byteLength(json) <= room) {
          sorted.events.push({ json, event: item.event, warnings: item.warnings, index });
          continue;
        }
      }
      if (item.kind === 'ignored') {
        sorted.ignored++;
        sorted.others.push(`{"outcome":"ignored","reason":${JSON.stringify(item.reason)}}`);
        continue;
      }
      const faults = item.kind === 'faulty' ? item.faults : [{ path: `[${index}]`, rule: 'maxBytes', message: 'the event is too large to be stored' }];
      for (const fault of faults) sorted.faults.push(fault);
      sorted.others.push(`{"outcome":"faulty","faults":${JSON.stringify(faults)}}`);
    }
    return sorted;
  }

  /** A request that does not say who it is: each time it comes it is a new one. */
  private async take(visit: Visit, sender: Sender, receivedAt: string, text: string, sorted: Sorted): Promise<void> {
    if (nothingTaken(sorted)) return this.reject(visit, sender, receivedAt, text, new Fault('VALIDATION_ERROR', { fields: sorted.faults }), sorted);
    const ids = sorted.events.map(() => newUuid());
    if (!(await this.storeEvents(visit, sender, receivedAt, sorted, ids, false))) return this.unavailable(visit, text, receivedAt);
    const status = sorted.events.length > 0 ? 202 : 200;
    this.accept(visit, sender, receivedAt, text, sorted, ids, status, answerOf(sorted, ids, receivedAt), null);
  }

  /** A request with a key: see idempotency.ts. */
  private async takeOnce(visit: Visit, sender: Sender, now: string, text: string, sorted: Sorted, key: string, hash: string): Promise<void> {
    const { idempotency } = this;
    const none = nothingTaken(sorted);
    const ready = sorted.events.length === 0 ? answerOf(sorted, [], now) : null;
    const reserved = none ? await idempotency.find(key, hash, visit.deadline) : await idempotency.reserve(key, hash, now, ready, visit.deadline);
    if (reserved?.kind === 'unavailable') return this.unavailable(visit, text, now);
    if (reserved?.kind === 'full') {
      // The sender's own key is a promise; that of SNS is one we made up.
      return visit.request.headers['idempotency-key'] === undefined ? this.take(visit, sender, now, text, sorted) : this.unavailable(visit, text, now);
    }
    if (reserved?.kind === 'reused') return this.reject(visit, sender, now, text, new Fault('IDEMPOTENCY_KEY_REUSED', null));
    if (reserved !== null && !reserved.first && reserved.reservation.answer !== null) return this.repeat(visit, sender, now, text, reserved.reservation.answer);
    if (none || reserved === null) return this.reject(visit, sender, now, text, new Fault('VALIDATION_ERROR', { fields: sorted.faults }), sorted);

    const { first, reservation, revision } = reserved;
    const { receivedAt } = reservation;
    const ids = sorted.events.map(({ index }) => eventIdOf(reservation, index));
    if (!(await this.storeEvents(visit, sender, receivedAt, sorted, ids, true))) return this.unavailable(visit, text, receivedAt);
    const body = answerOf(sorted, ids, receivedAt);
    if (reservation.answer === null) await idempotency.finish(key, reservation, revision, body, visit.deadline);
    const status = first && sorted.events.length > 0 ? 202 : 200;
    this.accept(visit, sender, receivedAt, text, sorted, ids, status, body, first ? null : 'Taken up again: an earlier request with this key was not answered.');
  }

  private async storeEvents(visit: Visit, sender: Sender, receivedAt: string, { events }: Sorted, ids: string[], repeatable: boolean): Promise<boolean> {
    if (events.length === 0) return true;
    const { partitions } = this.streams;
    const head = `"receivedAt":"${receivedAt}",${sender.eventHead}${repeatable ? '"repeatable":true,' : ''}`;
    const storables: Storable[] = [];
    for (let i = 0; i < events.length; i++) {
      const { json, event } = events[i]!;
      const partition = partitionOf(sender.organizationId, sender.environment, event.fingerprint, partitions);
      storables.push({ partition, text: `{"id":"${ids[i]}",${head}${json.slice(1)}` });
    }
    return (await this.store.store(storables, visit.deadline)) === 'stored';
  }

  private accept(visit: Visit, sender: Sender, receivedAt: string, text: string, sorted: Sorted, ids: string[], status: number, body: string, note: string | null): void {
    const { events, faults, others } = sorted;
    const outcome = events.length === 0 ? (faults.length > 0 ? 'partial' : 'ignored') : faults.length > 0 ? 'partial' : 'accepted';
    this.events.inc(events.length);
    this.done(visit, status, body, outcome);
    const items = events.map(({ event, warnings }, i) => `{"outcome":"event","eventId":"${publicId('event', ids[i]!)}","fingerprint":${JSON.stringify(event.fingerprint)},"warnings":${listOf(warnings)}}`);
    this.record(visit, sender, { receivedAt, outcome, status, payload: text, note, stored: events.length, items: `[${items.concat(others).join(',')}]` });
  }

  private repeat(visit: Visit, sender: Sender, receivedAt: string, text: string, body: string): void {
    this.done(visit, 200, body, 'repeated');
    this.record(visit, sender, { receivedAt, outcome: 'repeated', status: 200, payload: text, note: 'An earlier request with this key was answered already; its answer was given again.', stored: 0, items: '[]' });
  }

  private async handshake(visit: Visit, sender: Sender, receivedAt: string, text: string): Promise<void> {
    const task: HandshakeTask = {
      integration: { id: sender.id, organizationId: sender.organizationId, environment: sender.environment },
      deliveryId: newUuid(), receivedAt, requestId: withoutCredentials(visit.requestId), contentType: contentTypeOf(visit.request), payload: text,
    };
    if (!(await this.handshakes.queue(task, visit.deadline))) return this.unavailable(visit, text, receivedAt);
    this.done(visit, 200, `{"data":{"events":[],"receivedAt":"${receivedAt}"}}`, 'handshake');
    this.deliveries.add(sender, handshakeDelivery(task, 'waiting to be confirmed'));
  }

  private reject(visit: Visit, sender: Sender, receivedAt: string, payload: string | null, fault: Fault, sorted?: Sorted): void {
    this.refuse(visit, fault, 'rejected');
    const items = sorted === undefined ? '[]' : `[${sorted.others.join(',')}]`;
    this.record(visit, sender, { receivedAt, outcome: 'rejected', status: fault.status, payload, note: sorted === undefined ? fault.message : null, stored: 0, items });
  }

  /** The broker is away, or cannot take more. What the sender sent is in the log, if it got so far. */
  private unavailable(visit: Visit, payload?: string, receivedAt?: string): void {
    this.refuse(visit, new Fault('UNAVAILABLE', { requestId: visit.requestId }), 'unavailable');
    if (payload === undefined || receivedAt === undefined || visit.sender === null) return;
    this.record(visit, visit.sender, { receivedAt, outcome: 'rejected', status: 503, payload, note: 'It could not be stored; the sender was asked to send it again.', stored: 0, items: '[]' });
  }

  private tooLarge(): Fault {
    return new Fault('PAYLOAD_TOO_LARGE', { limitBytes: this.settings.maxBodyBytes });
  }

  private record(visit: Visit, sender: Sender, facts: Pick<Delivery, 'receivedAt' | 'outcome' | 'status' | 'payload' | 'note' | 'stored' | 'items'>): void {
    this.deliveries.add(sender, { id: newUuid(), contentType: contentTypeOf(visit.request), requestId: withoutCredentials(visit.requestId), ...facts });
  }

  private done(visit: Visit, status: number, body: string, outcome: Outcome): void {
    answer(visit.response, status, visit.requestId, body, this.draining);
    this.count(visit, outcome);
  }

  /** Answers an error. A body that is not being read and may be long ends the connection. */
  private refuse(visit: Visit, fault: Fault, outcome: Outcome): void {
    const { request, response, requestId, declared } = visit;
    const short = declared !== null && declared <= this.settings.maxBodyBytes;
    if (short || request.complete) answerFault(response, fault, requestId, this.draining);
    else answerAndClose(request, response, fault, requestId);
    this.count(visit, outcome);
  }

  private count(visit: Visit, outcome: Outcome): void {
    const ms = performance.now() - visit.started;
    this.requests.inc({ outcome });
    this.duration.observe(ms / 1000);
    if (this.log.isLevelEnabled('debug')) this.log.debug({ requestId: visit.requestId, integrationId: visit.sender?.id, outcome, ms: Math.round(ms) }, 'served');
  }
}

/** Only then it is the sender's mistake: some were ignored on purpose, or there were none. */
const nothingTaken = ({ events, ignored, faults }: Sorted): boolean => events.length === 0 && ignored === 0 && faults.length > 0;

const listOf = (list: readonly unknown[]): string => (list.length === 0 ? '[]' : JSON.stringify(list));

/** The answer to what was taken, written by hand: it is the most frequent text of the system. */
function answerOf({ events, faults }: Sorted, ids: readonly string[], receivedAt: string): string {
  let text = '{"data":{"events":[';
  for (let i = 0; i < events.length; i++) {
    const { event, warnings } = events[i]!;
    text += `${i > 0 ? ',' : ''}{"id":"${publicId('event', ids[i]!)}","fingerprint":${JSON.stringify(event.fingerprint)},"warnings":${listOf(warnings)}}`;
  }
  return `${text}],${faults.length > 0 ? `"faults":${JSON.stringify(faults)},` : ''}"receivedAt":"${receivedAt}"}}`;
}

const contentTypeOf = (request: IncomingMessage): string | null => request.headers['content-type']?.slice(0, 200) ?? null;

/** Under which name the answer is kept; `null` when the request has no key. SNS repeats a message under its message id. */
function keyOf(request: IncomingMessage, sender: Sender): string | null {
  const own = request.headers['idempotency-key'];
  if (own !== undefined) {
    if (typeof own === 'string' && isIdempotencyKey(own)) return entryKey(sender.tokenHash, own);
    throw new Fault('VALIDATION_ERROR', { fields: [{ path: 'Idempotency-Key', rule: 'format', message: 'Idempotency-Key has 1 to 255 printable characters' }] });
  }
  const ofSns = request.headers['x-amz-sns-message-id'];
  return typeof ofSns === 'string' && isIdempotencyKey(ofSns) ? entryKey(sender.tokenHash, `sns ${ofSns}`) : null;
}

