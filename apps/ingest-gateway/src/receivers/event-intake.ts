/** Stores the events of a mapped payload, answers the request, and adds it to the request log. */
import { Fault, ingestStream, newUuid, publicId, type FieldFault } from '@ams/contracts';
import { partitionOf } from '@ams/domain';
import { Metrics } from '@ams/service';
import { childSpan, inSpan, SpanKind, traceContext, type Span } from '@ams/tracing';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sender } from '../integrations/integrations.js';
import { ByteLimiter } from '../limit/byte-limiter.js';
import { BytePace } from '../limit/byte-pace.js';
import { EventGroups } from '../limit/event-groups.js';
import { EventStore, type EventChunk } from '../publishing/event-store.js';
import { eventIdOf, Idempotency } from '../publishing/idempotency.js';
import { RequestLog } from '../publishing/request-log.js';
import { Streams } from '../publishing/streams.js';
import type { IdempotentRequest } from './idempotent-request.js';
import { isFaultyOnly, type MappedPayload } from './mapped-payload.js';
import { unavailable, type RequestContext } from './request-context.js';
import { Reception } from '../reception/reception.js';
import { Responder } from './responder.js';

/** The body of the answer when all events are stored. `ids` and `receivedAt` are those of the events. */
export type AnswerBody = (mapped: MappedPayload, ids: readonly string[], receivedAt: string) => string;

interface StoredRequest {
  receivedAt: string;
  ids: string[];
  status: number;
  body: string;
  /** For the request log. */
  note: string | null;
}

interface EventsOfRequest {
  receivedAt: string;
  events: MappedPayload['events'];
  ids: string[];
  repeatable: boolean;
}

/** Other requests may share the message. */
const spanOfStorage = (events: number) => ({
  name: `send ${ingestStream}`,
  kind: SpanKind.PRODUCER,
  attributes: {
    'messaging.system': 'nats',
    'messaging.operation.type': 'send',
    'messaging.operation.name': 'send',
    'messaging.destination.name': ingestStream,
    'messaging.batch.message_count': events,
  },
});

@Injectable()
export class EventIntake {
  private readonly events;

  constructor(
    metrics: Metrics,
    private readonly streams: Streams,
    private readonly eventStore: EventStore,
    private readonly idempotency: Idempotency,
    private readonly responder: Responder,
    private readonly reception: Reception,
    private readonly byteLimiter: ByteLimiter,
    private readonly pace: BytePace,
    private readonly groups: EventGroups,
    private readonly requestLog: RequestLog,
  ) {
    this.events = metrics.counter('ams_ingest_events_total', 'Events that were stored.');
  }

  take(
    context: RequestContext,
    sender: Sender,
    mapped: MappedPayload,
    idempotent: IdempotentRequest | null,
    answerBody: AnswerBody,
  ): Promise<void> {
    return idempotent === null
      ? this.takeNew(context, sender, mapped, answerBody)
      : this.takeOnce(context, sender, mapped, idempotent, answerBody);
  }

  /** A request without an idempotency key: a repetition counts as a new one. */
  private async takeNew(
    context: RequestContext,
    sender: Sender,
    mapped: MappedPayload,
    answerBody: AnswerBody,
  ): Promise<void> {
    if (isFaultyOnly(mapped)) return this.responder.reject(context, invalidItems(mapped.faults), mapped);
    const receivedAt = context.admittedAt!;
    const ids = mapped.events.map(() => newUuid());
    await this.storeEvents(context, sender, receivedAt, mapped.events, ids, false);
    const status = mapped.events.length > 0 ? 202 : context.api.nothingNewStatus;
    const body = answerBody(mapped, ids, receivedAt);
    this.accept(context, sender, mapped, { receivedAt, ids, status, body, note: null });
  }

  /** A request with an idempotency key: see publishing/idempotency.ts. */
  private async takeOnce(
    context: RequestContext,
    sender: Sender,
    mapped: MappedPayload,
    { key, hash }: IdempotentRequest,
    answerBody: AnswerBody,
  ): Promise<void> {
    const { idempotency } = this;
    const now = context.admittedAt!;
    const faultyOnly = isFaultyOnly(mapped);
    const knownAnswer = mapped.events.length === 0 ? answerBody(mapped, [], now) : null;
    const reserved = faultyOnly
      ? await idempotency.find(key, hash, context.deadline)
      : await idempotency.reserve(key, hash, now, knownAnswer, context.deadline);
    if (reserved?.kind === 'unavailable') throw unavailable(context);
    if (reserved?.kind === 'full') {
      // Idempotency is promised for the sender's own key, not for the message id of SNS.
      if (context.request.headers['idempotency-key'] !== undefined) throw unavailable(context);
      return this.takeNew(context, sender, mapped, answerBody);
    }
    if (reserved?.kind === 'reused') throw new Fault('IDEMPOTENCY_KEY_REUSED', null);
    if (reserved !== null && !reserved.first && reserved.reservation.answer !== null) {
      return this.repeatAnswer(context, sender, now, reserved.reservation.answer);
    }
    if (faultyOnly || reserved === null) {
      return this.responder.reject(context, invalidItems(mapped.faults), mapped);
    }

    const { first, reservation, revision } = reserved;
    const { receivedAt } = reservation;
    const ids = mapped.events.map(({ index }) => eventIdOf(reservation, index));
    await this.storeEvents(context, sender, receivedAt, mapped.events, ids, true);
    const body = answerBody(mapped, ids, receivedAt);
    if (reservation.answer === null) await idempotency.finish(key, reservation, revision, body, context.deadline);
    const status = first && mapped.events.length > 0 ? 202 : context.api.nothingNewStatus;
    const note = first ? null : 'Continued: an earlier request with this key was not answered.';
    this.accept(context, sender, mapped, { receivedAt, ids, status, body, note });
  }

  /** Throws UNAVAILABLE when they are not stored, RATE_LIMITED when the organization stores too many bytes. */
  async storeEvents(
    context: RequestContext,
    sender: Sender,
    receivedAt: string,
    events: MappedPayload['events'],
    ids: string[],
    repeatable: boolean,
  ): Promise<void> {
    if (events.length === 0) return;
    const span = childSpan(() => spanOfStorage(events.length));
    return inSpan(span, () => this.storeIn(span, context, sender, { receivedAt, events, ids, repeatable }));
  }

  /** In its span, whose trace the events continue. */
  private async storeIn(
    span: Span | undefined,
    context: RequestContext,
    sender: Sender,
    request: EventsOfRequest,
  ): Promise<void> {
    const chunks = this.chunksOf(span, sender, request);
    const counted =
      this.pace.refusalOf(sender.organizationId) ??
      (await this.byteLimiter.count(sender.organizationId, bytesOf(chunks), context.deadline));
    if (counted.kind === 'limited') {
      this.requestLog.addLimited(sender, request.receivedAt);
      throw counted.fault;
    }
    if (counted.kind === 'unavailable') {
      this.reception.interrupt();
      throw unavailable(context);
    }
    const waitedMs = await this.groups.turnOf(sender.organizationId, request.events.length);
    context.deadline += waitedMs;
    for (const part of partsOf(chunks)) {
      const waitMs = this.pace.take(sender.organizationId, bytesOf(part));
      if (waitMs > 0) {
        await pause(waitMs);
        context.deadline += waitMs;
      }
      if ((await this.eventStore.store(part, context.deadline)) === 'stored') continue;
      this.reception.interrupt();
      throw unavailable(context);
    }
  }

  /** As they are stored. Takes the JSON of the events, which would be held a second time until they are stored. */
  private chunksOf(
    span: Span | undefined,
    sender: Sender,
    { receivedAt, events, ids, repeatable }: EventsOfRequest,
  ): EventChunk[] {
    const { organizationId, environment, eventHead } = sender;
    const { partitions } = this.streams;
    const trace = span ? `${JSON.stringify(traceContext(span)).slice(1, -1)},` : '';
    const head = `"receivedAt":"${receivedAt}",${eventHead}${repeatable ? '"repeatable":true,' : ''}`;
    return this.eventStore.chunked(
      events.map((event, i) => {
        const text = `{"id":"${ids[i]}",${trace}${head}${event.json.slice(1)}`;
        event.json = '';
        return { partition: partitionOf(organizationId, environment, event.fingerprint, partitions), text };
      }),
    );
  }

  private accept(
    context: RequestContext,
    sender: Sender,
    { events, faults, otherItems }: MappedPayload,
    { receivedAt, ids, status, body, note }: StoredRequest,
  ): void {
    const outcome = faults.length > 0 ? 'partial' : events.length === 0 ? 'ignored' : 'accepted';
    this.events.inc(events.length);
    this.responder.respond(context, status, body, outcome);
    const items = events.map(({ fingerprint, warnings }, i) => {
      const id = publicId('event', ids[i]!);
      const fields = `"eventId":"${id}","fingerprint":${JSON.stringify(fingerprint)},"warnings":${jsonList(warnings)}`;
      return `{"outcome":"event",${fields}}`;
    });
    this.responder.record(context, sender, {
      receivedAt,
      outcome,
      status,
      note,
      stored: events.length,
      items: `[${items.concat(otherItems).join(',')}]`,
    });
  }

  private repeatAnswer(context: RequestContext, sender: Sender, receivedAt: string, body: string): void {
    const status = context.api.nothingNewStatus;
    this.responder.respond(context, status, body, 'repeated');
    this.responder.record(context, sender, {
      receivedAt,
      outcome: 'repeated',
      status,
      note: 'An earlier request with this key was answered already; its answer was given again.',
      stored: 0,
      items: '[]',
    });
  }
}

/** The events of a large request go on in parts of this size: what is stored at once delays others. */
const pacedBytes = 32 * 1024;

const bytesOf = (chunks: readonly EventChunk[]): number => chunks.reduce((sum, { json }) => sum + json.length, 0);

function partsOf(chunks: readonly EventChunk[]): EventChunk[][] {
  const parts: EventChunk[][] = [];
  let room = 0;
  for (const chunk of chunks) {
    room -= chunk.json.length;
    if (room >= 0) {
      parts.at(-1)!.push(chunk);
      continue;
    }
    parts.push([chunk]);
    room = pacedBytes - chunk.json.length;
  }
  return parts;
}

const invalidItems = (fields: FieldFault[]): Fault => new Fault('VALIDATION_ERROR', { fields });

export const jsonList = (list: readonly unknown[]): string => (list.length === 0 ? '[]' : JSON.stringify(list));
