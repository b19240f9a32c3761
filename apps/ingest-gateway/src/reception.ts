/**
 * What every request of a sender goes through, whichever API it speaks: our webhook (webhook.ts), or one that we imitate
 * (pagerduty.ts, opsgenie.ts). The order of checks is
 *
 *   token form -> token known and enabled -> limit -> size -> content type, JSON -> mapping, required fields -> store
 *
 * so who is asking and how often comes before the body is looked at; that is why it is served below Nest and below
 * Fastify's own body handling. (PagerDuty's API has the token in the body, and begins with reading it.)
 *
 * What goes wrong is thrown as a Fault and answered in one place, in the words of the API that the sender speaks. No 2xx
 * before the broker has acknowledged that the events are on disk.
 */
import { Fault, mediaOf, newUuid, parsePayload, publicId, type FieldFault, type HandshakeTask } from '@ams/contracts';
import {
  mapDropIn,
  mapPayload,
  mayBeEmpty,
  partitionOf,
  type DropInBody,
  type DropInRequest,
  type ItemResult,
  type MappedEvent,
  type MappingWarning,
  type Received,
  type ReceivingApi,
} from '@ams/domain';
import { Metrics, Tokens, withoutCredentials, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answer, answerAndClose, answerFault, requestIdOf, type Refusal } from './answers.js';
import { declaredLength, decompress, readBody, textOf, type Raw } from './body.js';
import { RequestLog, type LoggedRequest } from './request-log.js';
import { handshakeRecord, Handshakes } from './handshakes.js';
import { bodyHash, entryKey, eventIdOf, Idempotency, isIdempotencyKey } from './idempotency.js';
import { Integrations, type Sender } from './integrations.js';
import { Limit } from './limit.js';
import { IngestSettings } from './settings.js';
import { Store, type Storable } from './store.js';
import { Streams } from './streams.js';

type Outcome =
  LoggedRequest['outcome'] | 'limited' | 'unauthorized' | 'unavailable' | 'refused' | 'aborted' | 'failed' | 'asked';

/** An API that senders speak. */
export interface Dialect {
  readonly name: ReceivingApi;
  /** The status of a request that is fine and stored nothing new. */
  readonly nothingNew: 200 | 202;
  /** A header with an id of the message that counts as an idempotency key, beside `Idempotency-Key`; `null` for none. */
  readonly messageIdHeader: string | null;
  refusal(fault: Fault, visit: Visit): Refusal;
}

/** One request while it is served. */
export interface Visit {
  readonly dialect: Dialect;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Of `performance.now()`, as is `deadline`. */
  readonly started: number;
  readonly deadline: number;
  /** Length that the sender declared; `null` when it did not. */
  readonly declared: number | null;
  /** The body, when reading it has begun. */
  body: Promise<Raw> | null;
  /** The secret that it came with: taken out of everything that is kept. */
  token: string | null;
  sender: Sender | null;
  /** When it was counted and let through. */
  admittedAt: string | null;
  /** What the log of the integration shows of the body. */
  kept: string | null;
  /** What was asked beside the body, as far as it is known. */
  received: Received;
}

export interface Content {
  bytes: Buffer;
  text: string;
  payload: unknown;
}

/** What a payload became. */
export interface Sorted {
  events: { json: string; event: MappedEvent; warnings: MappingWarning[]; index: number }[];
  ignored: number;
  faults: FieldFault[];
  /** For the record of the request: the items that are no events, as JSON. */
  others: string[];
}

/** The body of the answer when all that could be taken is stored; `ids` and `receivedAt` are those of the events. */
export type Answering = (sorted: Sorted, ids: readonly string[], receivedAt: string) => string;

/** Under which name the answer is kept, and what the request was, hashed. */
export interface Repeatable {
  key: string;
  hash: string;
}

export const invalidToken = new Fault('INVALID_INGEST_TOKEN', null);

@Injectable()
export class Reception implements Part {
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
    @Inject(RequestLog) private readonly requestLog: RequestLog,
  ) {
    this.requests = metrics.counter(
      'ams_ingest_requests_total',
      'Requests of senders, by the API they spoke and what became of them.',
      ['api', 'outcome'],
    );
    this.events = metrics.counter('ams_ingest_events_total', 'Events that were stored.');
    this.duration = metrics.durations('ams_ingest_duration_seconds', 'From the headers of a request to its answer.');
  }

  /** Serves what comes to the path. In place of a handler, since Fastify reads the body and checks its type before it calls one. */
  route(
    http: FastifyInstance,
    url: string,
    dialect: Dialect,
    serve: (visit: Visit, parameters: Record<string, string>) => Promise<void>,
  ): void {
    this.http = http;
    http.route({
      method: [...http.supportedMethods],
      url,
      exposeHeadRoute: false,
      onRequest: (request, reply) => {
        reply.hijack();
        const visit = this.visit(dialect, request.raw, reply.raw);
        serve(visit, request.params as Record<string, string>).catch((error: unknown) => this.failed(visit, error));
      },
      handler: () => undefined,
    });
  }

  /** Takes no new connection; what is being served is finished, and told to come back over another connection. */
  async drain(): Promise<void> {
    this.draining = true;
    await this.http?.close();
  }

  visit(dialect: Dialect, request: IncomingMessage, response: ServerResponse): Visit {
    const started = performance.now();
    return {
      dialect,
      request,
      response,
      started,
      requestId: requestIdOf(request),
      deadline: started + this.settings.storeTimeoutMs,
      declared: declaredLength(request),
      body: null,
      token: null,
      sender: null,
      admittedAt: null,
      kept: null,
      received: { api: dialect.name, operation: null, alertKey: null },
    };
  }

  /** Whose token it is. */
  async identify(visit: Visit, token: string | null): Promise<Sender> {
    const found = token === null ? null : this.integrations.find(token);
    const lookup = found instanceof Promise ? await found : found;
    if (lookup === null || lookup.kind === 'unknown') throw invalidToken;
    if (lookup.kind === 'unavailable') throw unavailable(visit);
    visit.token = token;
    visit.sender = lookup.sender;
    return lookup.sender;
  }

  /** Whose token it is, and that it may make one more request. */
  async admit(visit: Visit, token: string | null): Promise<Sender> {
    const { limit, limitWindowSeconds, maxBodyBytes } = this.settings;
    const sender = await this.identify(visit, token);
    // A body that is short enough is read while the broker counts; it is not looked at before the count is known.
    if (visit.declared !== null && visit.declared <= maxBodyBytes) visit.body ??= readBody(visit.request, maxBodyBytes);
    const admission = await this.limit.admit(sender.tokenHash, visit.deadline);
    if (admission.kind === 'unavailable') throw unavailable(visit);
    const now = new Date().toISOString();
    if (admission.kind === 'limited') {
      this.requestLog.addLimited(sender, now);
      throw new Fault('RATE_LIMITED', {
        scope: 'per ingest token',
        limit,
        windowSeconds: limitWindowSeconds,
        retryAfterSeconds: admission.retryAfterSeconds,
      });
    }
    visit.admittedAt = now;
    return sender;
  }

  /** The payload; `null` when the sender left before it had sent it. */
  async read(visit: Visit): Promise<Content | null> {
    const { maxBodyBytes } = this.settings;
    const { headers } = visit.request;
    if (visit.declared !== null && visit.declared > maxBodyBytes) throw tooLarge(maxBodyBytes);
    const media = mediaOf(headers['content-type']);
    if (media === null) throw new Fault('UNSUPPORTED_MEDIA_TYPE', null);
    const raw = await (visit.body ??= readBody(visit.request, maxBodyBytes));
    if (raw.kind === 'tooLarge') throw tooLarge(maxBodyBytes);
    if (raw.kind === 'aborted') {
      this.count(visit, 'aborted');
      return null;
    }
    const { bytes, text } = await this.open(visit, raw.bytes);
    return {
      bytes,
      text,
      payload: notTooDeep(() => parsePayload(text, media, mayBeEmpty(visit.received) ? {} : undefined)),
    };
  }

  /** The body as text. What cannot be read is kept as it is, for whoever has to find out why. */
  private async open(visit: Visit, sent: Buffer): Promise<{ bytes: Buffer; text: string }> {
    const encoding = visit.request.headers['content-encoding'];
    let bytes = sent;
    try {
      if (encoding !== undefined) bytes = await decompress(sent, encoding, this.settings.maxBodyBytes);
      const text = textOf(bytes);
      if (text === null) throw new Fault('INVALID_JSON', null, 'The body is not UTF-8.');
      visit.kept = text;
      return { bytes, text };
    } catch (error) {
      visit.kept = bytes.toString('utf8');
      throw error;
    }
  }

  /** The events in a payload; `handshake` when it is a subscription to confirm. */
  map(sender: Sender, payload: unknown): Sorted | 'handshake' {
    const mapped = notTooDeep(() => mapPayload(sender.mapper, payload, { explain: 'short' }));
    return mapped.kind === 'handshake' ? 'handshake' : this.sort(mapped.items);
  }

  /** The same of a request to an imitated paging service. There is nothing to confirm with those. */
  mapDropIn(sender: Sender, request: DropInRequest, body: DropInBody): Sorted {
    const mapper = sender.dropIn(request.api);
    return this.sort(notTooDeep(() => mapDropIn(mapper, request, body, { explain: 'short' })));
  }

  private sort(items: readonly ItemResult[]): Sorted {
    const sorted: Sorted = { events: [], ignored: 0, faults: [], others: [] };
    const room = this.store.maxEventBytes - 2048;
    for (let index = 0; index < items.length; index++) {
      const item = items[index]!;
      if (item.kind === 'event') {
        const json = `${JSON.stringify(item.event).slice(0, -1)},"provenance":${JSON.stringify(item.sources)}}`;
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
      const faults =
        item.kind === 'faulty'
          ? item.faults
          : [{ path: `[${index}]`, rule: 'maxBytes', message: 'the event is too large to be stored' }];
      for (const fault of faults) sorted.faults.push(fault);
      sorted.others.push(`{"outcome":"faulty","faults":${JSON.stringify(faults)}}`);
    }
    return sorted;
  }

  /** Stores what a payload became, answers, and writes it into the log of the integration. */
  take(
    visit: Visit,
    sender: Sender,
    sorted: Sorted,
    repeatable: Repeatable | null,
    answering: Answering,
  ): Promise<void> {
    return repeatable === null
      ? this.takeNew(visit, sender, sorted, answering)
      : this.takeOnce(visit, sender, sorted, repeatable, answering);
  }

  /** A request that does not say who it is: each time it comes it is a new one. */
  private async takeNew(visit: Visit, sender: Sender, sorted: Sorted, answering: Answering): Promise<void> {
    if (nothingTaken(sorted))
      return this.reject(visit, new Fault('VALIDATION_ERROR', { fields: sorted.faults }), sorted);
    const receivedAt = visit.admittedAt!;
    const ids = sorted.events.map(() => newUuid());
    await this.storeEvents(visit, sender, receivedAt, sorted, ids, false);
    const status = sorted.events.length > 0 ? 202 : visit.dialect.nothingNew;
    this.accept(visit, sender, receivedAt, sorted, ids, status, answering(sorted, ids, receivedAt), null);
  }

  /** A request with a key: see idempotency.ts. */
  private async takeOnce(
    visit: Visit,
    sender: Sender,
    sorted: Sorted,
    { key, hash }: Repeatable,
    answering: Answering,
  ): Promise<void> {
    const { idempotency } = this;
    const now = visit.admittedAt!;
    const none = nothingTaken(sorted);
    const ready = sorted.events.length === 0 ? answering(sorted, [], now) : null;
    const reserved = none
      ? await idempotency.find(key, hash, visit.deadline)
      : await idempotency.reserve(key, hash, now, ready, visit.deadline);
    if (reserved?.kind === 'unavailable') throw unavailable(visit);
    if (reserved?.kind === 'full') {
      // The sender's own key is a promise; that of SNS is one we made up.
      if (visit.request.headers['idempotency-key'] === undefined) return this.takeNew(visit, sender, sorted, answering);
      throw unavailable(visit);
    }
    if (reserved?.kind === 'reused') throw new Fault('IDEMPOTENCY_KEY_REUSED', null);
    if (reserved !== null && !reserved.first && reserved.reservation.answer !== null)
      return this.repeat(visit, sender, now, reserved.reservation.answer);
    if (none || reserved === null)
      return this.reject(visit, new Fault('VALIDATION_ERROR', { fields: sorted.faults }), sorted);

    const { first, reservation, revision } = reserved;
    const { receivedAt } = reservation;
    const ids = sorted.events.map(({ index }) => eventIdOf(reservation, index));
    await this.storeEvents(visit, sender, receivedAt, sorted, ids, true);
    const body = answering(sorted, ids, receivedAt);
    if (reservation.answer === null) await idempotency.finish(key, reservation, revision, body, visit.deadline);
    const status = first && sorted.events.length > 0 ? 202 : visit.dialect.nothingNew;
    this.accept(
      visit,
      sender,
      receivedAt,
      sorted,
      ids,
      status,
      body,
      first ? null : 'Taken up again: an earlier request with this key was not answered.',
    );
  }

  private async storeEvents(
    visit: Visit,
    sender: Sender,
    receivedAt: string,
    { events }: Sorted,
    ids: string[],
    repeatable: boolean,
  ): Promise<void> {
    if (events.length === 0) return;
    const { partitions } = this.streams;
    const head = `"receivedAt":"${receivedAt}",${sender.eventHead}${repeatable ? '"repeatable":true,' : ''}`;
    const storables: Storable[] = [];
    for (let i = 0; i < events.length; i++) {
      const { json, event } = events[i]!;
      const partition = partitionOf(sender.organizationId, sender.environment, event.fingerprint, partitions);
      storables.push({ partition, text: `{"id":"${ids[i]}",${head}${json.slice(1)}` });
    }
    if ((await this.store.store(storables, visit.deadline)) !== 'stored') throw unavailable(visit);
  }

  private accept(
    visit: Visit,
    sender: Sender,
    receivedAt: string,
    sorted: Sorted,
    ids: string[],
    status: number,
    body: string,
    note: string | null,
  ): void {
    const { events, faults, others } = sorted;
    const outcome = faults.length > 0 ? 'partial' : events.length === 0 ? 'ignored' : 'accepted';
    this.events.inc(events.length);
    this.done(visit, status, body, outcome);
    const items = events.map(
      ({ event, warnings }, i) =>
        `{"outcome":"event","eventId":"${publicId('event', ids[i]!)}","fingerprint":${JSON.stringify(event.fingerprint)},"warnings":${listOf(warnings)}}`,
    );
    this.record(visit, sender, {
      receivedAt,
      outcome,
      status,
      note,
      stored: events.length,
      items: `[${items.concat(others).join(',')}]`,
    });
  }

  private repeat(visit: Visit, sender: Sender, receivedAt: string, body: string): void {
    const status = visit.dialect.nothingNew;
    this.done(visit, status, body, 'repeated');
    this.record(visit, sender, {
      receivedAt,
      outcome: 'repeated',
      status,
      note: 'An earlier request with this key was answered already; its answer was given again.',
      stored: 0,
      items: '[]',
    });
  }

  async confirmLater(visit: Visit, sender: Sender, text: string): Promise<void> {
    const receivedAt = visit.admittedAt!;
    const task: HandshakeTask = {
      integration: { id: sender.id, organizationId: sender.organizationId, environment: sender.environment },
      recordId: newUuid(),
      receivedAt,
      requestId: withoutCredentials(visit.requestId),
      contentType: contentTypeOf(visit.request),
      payload: text,
    };
    if (!(await this.handshakes.queue(task, visit.deadline))) throw unavailable(visit);
    this.done(visit, 200, `{"data":{"events":[],"receivedAt":"${receivedAt}"}}`, 'handshake');
    this.requestLog.add(sender, handshakeRecord(task, 'waiting to be confirmed'));
  }

  /** An error that was thrown while the request was served. */
  failed(visit: Visit, error: unknown): void {
    if (error instanceof Fault) return this.reject(visit, error);
    this.log.error({ err: error, requestId: visit.requestId }, 'a request failed');
    if (visit.response.headersSent) visit.response.destroy();
    else this.refuse(visit, new Fault('INTERNAL_ERROR', { requestId: visit.requestId }), 'failed');
  }

  /** Answers an error, and writes it into the log of the integration if the request got so far. */
  private reject(visit: Visit, fault: Fault, sorted?: Sorted): void {
    this.refuse(visit, fault, outcomeOf[fault.code] ?? 'rejected');
    const { sender, admittedAt, kept, dialect } = visit;
    const notStored = fault.code === 'UNAVAILABLE';
    if (sender === null || admittedAt === null || (notStored && kept === null)) return;
    const items = sorted === undefined ? '[]' : `[${sorted.others.join(',')}]`;
    const note = notStored
      ? 'It could not be stored; the sender was asked to send it again.'
      : sorted === undefined
        ? fault.message
        : null;
    this.record(visit, sender, {
      receivedAt: admittedAt,
      outcome: 'rejected',
      status: dialect.refusal(fault, visit).status,
      note,
      stored: 0,
      items,
    });
  }

  private record(
    visit: Visit,
    sender: Sender,
    facts: Pick<LoggedRequest, 'receivedAt' | 'outcome' | 'status' | 'note' | 'stored' | 'items'>,
  ): void {
    const { token, received, kept, request, requestId } = visit;
    const hidden = (text: string | null): string | null =>
      text === null || token === null ? text : text.replaceAll(token, hiddenToken);
    this.requestLog.add(sender, {
      id: newUuid(),
      ...received,
      alertKey: hidden(received.alertKey),
      contentType: contentTypeOf(request),
      requestId: withoutCredentials(requestId),
      payload: hidden(kept),
      ...facts,
    });
  }

  /** Answers, and counts what became of the request. */
  done(visit: Visit, status: number, body: string, outcome: Outcome): void {
    answer(visit.response, status, visit.requestId, body, this.draining);
    this.count(visit, outcome);
  }

  /** Answers an error. A body that is not being read and may be long ends the connection. */
  private refuse(visit: Visit, fault: Fault, outcome: Outcome): void {
    const { request, response, requestId, declared, dialect } = visit;
    const short = declared !== null && declared <= this.settings.maxBodyBytes;
    const refusal = dialect.refusal(fault, visit);
    if (short || request.complete) answerFault(response, fault, requestId, this.draining, refusal);
    else answerAndClose(request, response, fault, requestId, refusal);
    this.count(visit, outcome);
  }

  private count(visit: Visit, outcome: Outcome): void {
    const ms = performance.now() - visit.started;
    this.requests.inc({ api: visit.dialect.name, outcome });
    this.duration.observe(ms / 1000);
    if (this.log.isLevelEnabled('debug'))
      this.log.debug(
        {
          requestId: visit.requestId,
          integrationId: visit.sender?.id,
          api: visit.dialect.name,
          outcome,
          ms: Math.round(ms),
        },
        'served',
      );
  }
}

/** What stands for a token in what is kept. */
export const hiddenToken = '[hidden]';

/** Under which outcome a fault is counted; every other one is the sender's mistake. */
const outcomeOf: Partial<Record<Fault['code'], Outcome>> = {
  INVALID_INGEST_TOKEN: 'unauthorized',
  RATE_LIMITED: 'limited',
  UNAVAILABLE: 'unavailable',
  METHOD_NOT_ALLOWED: 'refused',
  NOT_FOUND: 'refused',
};

const unavailable = (visit: Visit): Fault => new Fault('UNAVAILABLE', { requestId: visit.requestId });

const tooLarge = (limitBytes: number): Fault => new Fault('PAYLOAD_TOO_LARGE', { limitBytes });

/** Whoever nests a payload so deeply that the stack ends has sent nothing that could be understood. */
function notTooDeep<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new Fault('INVALID_JSON', null, 'The body is nested too deeply.');
    throw error;
  }
}

/** What the log of the integration shows, when that is not the body as it was sent. */
export function keep(visit: Visit, payload: object): void {
  visit.kept = notTooDeep(() => JSON.stringify(payload));
}

/** Only then it is the sender's mistake: some were ignored on purpose, or there were none. */
const nothingTaken = ({ events, ignored, faults }: Sorted): boolean =>
  events.length === 0 && ignored === 0 && faults.length > 0;

export const listOf = (list: readonly unknown[]): string => (list.length === 0 ? '[]' : JSON.stringify(list));

const contentTypeOf = (request: IncomingMessage): string | null =>
  request.headers['content-type']?.slice(0, 200) ?? null;

/** How a repeat of the request is known; `null` when it cannot be. `path` is what the request says beside its body. */
export function repeatableOf({ dialect, request }: Visit, sender: Sender, bytes: Buffer, path = ''): Repeatable | null {
  const key = keyOf(request, sender.tokenHash, dialect.messageIdHeader);
  return key === null
    ? null
    : { key, hash: bodyHash(path === '' ? bytes : Buffer.concat([Buffer.from(`${path}\n`), bytes])) };
}

function keyOf(request: IncomingMessage, tokenHash: string, messageIdHeader: string | null): string | null {
  const own = request.headers['idempotency-key'];
  if (own !== undefined) {
    if (typeof own === 'string' && isIdempotencyKey(own)) return entryKey(tokenHash, own);
    throw new Fault('VALIDATION_ERROR', {
      fields: [
        { path: 'Idempotency-Key', rule: 'format', message: 'Idempotency-Key has 1 to 255 printable characters' },
      ],
    });
  }
  const messageId = messageIdHeader === null ? undefined : request.headers[messageIdHeader];
  return typeof messageId === 'string' && isIdempotencyKey(messageId) ? entryKey(tokenHash, `sns ${messageId}`) : null;
}
