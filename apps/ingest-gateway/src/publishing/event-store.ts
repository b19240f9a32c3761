/**
 * Stores events in JetStream by group commit. Each partition has one message in flight; events that arrive meanwhile
 * are sent together in the next one. There is no timer: an idle service adds no latency, and in a busy service many
 * requests share a disk write.
 *
 * One message in flight also keeps the order: when a message is sent again (with the same message id, so it is stored
 * once), the next one of its partition cannot be stored before it.
 */
import { ingestSubject, newUuid } from '@ams/contracts';
import { Logger } from '@ams/messaging';
import { Metrics } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { Publisher, type Ack } from './publisher.js';
import { IngestSettings } from '../settings.js';
import { Streams } from './streams.js';

/** Why the events of a request were not stored. */
const reasons = ['backlog', 'timeout', 'refused', 'disconnected'] as const;
type Reason = (typeof reasons)[number];

export type StoreResult = 'stored' | 'unavailable';

export interface StorableEvent {
  partition: number;
  /** An IngestEvent as JSON. */
  text: string;
}

/** A request that waits until all its events are stored. */
interface WaitingRequest {
  /** The number of chunks that are not stored yet. */
  left: number;
  failure: Reason | null;
  deadline: number;
  answered: boolean;
  resolve(outcome: StoreResult): void;
}

/** Events of one request and one partition, in order. */
export interface EventChunk {
  partition: number;
  /** Their JSON with commas between them. Bytes are outside the heap of V8: no collection copies what waits. */
  json: Buffer;
  events: number;
}

interface QueuedChunk {
  chunk: EventChunk;
  waiting: WaitingRequest;
}

const maxBatchEvents = 500;
const maxBatchBytes = 512 * 1024;
const maxChunkEvents = 100;
/** UTF-16 code units; each of them has at most three bytes. */
const maxChunkLength = 32 * 1024;
/** Room for `{"events":[]}`, the commas and the headers. */
const overheadBytes = 2048;
const refusalLogMs = 10_000;
const sweepMs = 50;
/** How long the acknowledgement of a message that was sent just before the deadline may take. */
const graceMs = 250;

@Injectable()
export class EventStore {
  private readonly queues = new Map<number, PartitionQueue>();
  private backlog = 0;
  private readonly waitingRequests = new Set<WaitingRequest>();
  private sweeper: NodeJS.Timeout | null = null;
  private refusalLoggedAt = -Infinity;
  private readonly batchEvents;
  private readonly notStored;

  constructor(
    private readonly settings: IngestSettings,
    private readonly log: Logger,
    metrics: Metrics,
    private readonly publisher: Publisher,
    private readonly streams: Streams,
  ) {
    this.batchEvents = metrics.sizes('ams_ingest_batch_events', 'Events that shared one message to NATS.');
    this.notStored = metrics.counter(
      'ams_ingest_not_stored_total',
      'Requests that were answered 503 because their events were not stored, by reason: backlog ' +
        '(INGEST_BACKLOG_BYTES is reached), timeout (not stored within INGEST_STORE_TIMEOUT_MS), refused (the stream ' +
        'is full), disconnected (from NATS).',
      ['reason'],
    );
    for (const reason of reasons) this.notStored.inc({ reason }, 0);
    metrics.gauge('ams_ingest_backlog_bytes', 'Events that wait for NATS.', [], (gauge) => gauge.set(this.backlog));
  }

  /** The largest event that fits into a message. */
  get maxEventBytes(): number {
    return this.publisher.maxPayload - overheadBytes;
  }

  /** The events for `store`. A chunk has up to a hundred of them and some 32 KB, more if its only event is larger. */
  chunked(events: readonly StorableEvent[]): EventChunk[] {
    if (events.length === 1) return [chunkOf(events[0]!.partition, [events[0]!.text])];
    return [...chunksOf(events, Math.min(maxChunkLength, this.maxMessageBytes / 3))];
  }

  /**
   * `unavailable`: not all events are stored, but some of them may be. `deadline` is a time of `performance.now()`.
   */
  store(chunks: readonly EventChunk[], deadline: number): Promise<StoreResult> {
    if (this.backlog > this.settings.backlogBytes) {
      this.notStored.inc({ reason: 'backlog' });
      return Promise.resolve('unavailable');
    }
    return new Promise((resolve) => {
      const waiting: WaitingRequest = { left: chunks.length, failure: null, deadline, answered: false, resolve };
      this.waitingRequests.add(waiting);
      this.sweeper ??= setInterval(() => this.sweep(), sweepMs);
      for (const chunk of chunks) {
        this.backlog += chunk.json.length;
        this.queueOf(chunk.partition).add({ chunk, waiting });
      }
    });
  }

  private get maxMessageBytes(): number {
    return Math.min(maxBatchBytes, this.maxEventBytes);
  }

  private queueOf(partition: number): PartitionQueue {
    let queue = this.queues.get(partition);
    if (queue === undefined) {
      queue = new PartitionQueue(
        (batch) => this.send(partition, batch),
        () => this.maxMessageBytes,
        (work) => this.publisher.atEndOfTurn(work),
      );
      this.queues.set(partition, queue);
    }
    return queue;
  }

  /** Waiting events of requests that were already answered 503 are not stored. */
  private withoutAnswered(taken: QueuedChunk[]): QueuedChunk[] {
    if (!taken.some(({ waiting }) => waiting.answered)) return taken;
    return taken.filter(({ chunk, waiting }) => {
      if (waiting.answered) this.backlog -= chunk.json.length;
      return !waiting.answered;
    });
  }

  /** Logged for the operator, but not for every request: the stream is full, or NATS has no space. */
  private logRefusal(description: string): void {
    const now = performance.now();
    if (now - this.refusalLoggedAt < refusalLogMs) return;
    this.refusalLoggedAt = now;
    this.log.error({ description }, 'NATS refuses events: senders get 503');
  }

  private async send(partition: number, taken: QueuedChunk[]): Promise<void> {
    const batch = this.withoutAnswered(taken);
    if (batch.length === 0) return;
    const deadline = batch.reduce((least, { waiting }) => Math.min(least, waiting.deadline), Infinity);
    const data = Buffer.concat([
      begin,
      ...batch.flatMap(({ chunk }, i) => (i === 0 ? [chunk.json] : [comma, chunk.json])),
      end,
    ]);
    const publication = { subject: ingestSubject(partition), data, messageId: newUuid() };
    const ack = await this.publisher.persist(publication, deadline, () => this.streams.restore());
    const failure = failureOf(ack.kind);
    if (failure === null) this.batchEvents.observe(batch.reduce((sum, { chunk }) => sum + chunk.events, 0));
    if (ack.kind === 'refused') this.logRefusal(ack.description);
    for (const { chunk, waiting } of batch) {
      this.backlog -= chunk.json.length;
      waiting.failure ??= failure;
      if (--waiting.left === 0) this.settle(waiting);
    }
  }

  private settle(waiting: WaitingRequest): void {
    this.waitingRequests.delete(waiting);
    if (waiting.answered) return;
    waiting.answered = true;
    if (waiting.failure !== null) this.notStored.inc({ reason: waiting.failure });
    waiting.resolve(waiting.failure === null ? 'stored' : 'unavailable');
  }

  /** Limits how long a request waits for a message that NATS does not acknowledge. */
  private sweep(): void {
    const now = performance.now();
    for (const waiting of this.waitingRequests) {
      if (now < waiting.deadline + graceMs) continue;
      waiting.failure ??= 'timeout';
      this.settle(waiting);
    }
    if (this.waitingRequests.size > 0 || this.sweeper === null) return;
    clearInterval(this.sweeper);
    this.sweeper = null;
  }
}

const begin = Buffer.from('{"events":[');
const comma = Buffer.from(',');
const end = Buffer.from(']}');

function* chunksOf(events: Iterable<StorableEvent>, maxLength: number): Generator<EventChunk> {
  const open = new Map<number, { texts: string[]; length: number }>();
  for (const { partition, text } of events) {
    let chunk = open.get(partition);
    if (chunk && (chunk.length + text.length >= maxLength || chunk.texts.length === maxChunkEvents)) {
      yield chunkOf(partition, chunk.texts);
      chunk = undefined;
    }
    if (!chunk) open.set(partition, (chunk = { texts: [], length: 0 }));
    chunk.texts.push(text);
    chunk.length += text.length + 1;
  }
  for (const [partition, { texts }] of open) yield chunkOf(partition, texts);
}

const chunkOf = (partition: number, texts: string[]): EventChunk => ({
  partition,
  json: Buffer.from(texts.join(',')),
  events: texts.length,
});

function failureOf(kind: Ack['kind']): Reason | null {
  if (kind === 'stored') return null;
  return kind === 'noStream' ? 'disconnected' : kind;
}

/** The events of one partition, in the order in which they arrived. */
class PartitionQueue {
  private queue: QueuedChunk[] = [];
  private busy = false;

  constructor(
    private readonly send: (batch: QueuedChunk[]) => Promise<void>,
    private readonly maxBytes: () => number,
    private readonly atEndOfTurn: (work: () => void) => void,
  ) {}

  add(queued: QueuedChunk): void {
    this.queue.push(queued);
    if (this.busy) return;
    this.busy = true;
    // Requests that were read in the same turn of the event loop share a message.
    this.atEndOfTurn(() => void this.work());
  }

  private async work(): Promise<void> {
    while (this.queue.length > 0) await this.send(this.take());
    this.busy = false;
  }

  /** The oldest events that fit into a message. */
  private take(): QueuedChunk[] {
    const limit = this.maxBytes();
    let bytes = 0;
    let events = 0;
    let count = 0;
    for (; count < this.queue.length; count++) {
      const { chunk } = this.queue[count]!;
      bytes += chunk.json.length + 1;
      events += chunk.events;
      if ((bytes > limit || events > maxBatchEvents) && count > 0) break;
    }
    if (count === this.queue.length) {
      const all = this.queue;
      this.queue = [];
      return all;
    }
    return this.queue.splice(0, count);
  }
}
