/**
 * Stores events in the broker: group commit. Of each partition one message is on its way at a time; what comes
 * meanwhile waits and goes together in the next. There is no timer: an idle service adds no latency, a busy one shares
 * each disk write among many requests.
 *
 * One at a time is also what keeps order: a message that has to be sent again (same message id, so it is stored once)
 * cannot be overtaken by the next of its partition.
 */
import { ingestSubject, newUuid } from '@ams/contracts';
import { Metrics, Tokens, type Logger } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { Publisher } from './publisher.js';
import { IngestSettings } from './settings.js';
import { Streams } from './streams.js';

export type StoreOutcome = 'stored' | 'unavailable';

export interface Storable {
  partition: number;
  /** An IngestEvent as JSON. */
  text: string;
}

/** What a request waits for: all its events. */
interface Ticket {
  left: number;
  outcome: StoreOutcome;
  deadline: number;
  answered: boolean;
  resolve(outcome: StoreOutcome): void;
}

interface Queued {
  text: string;
  bytes: number;
  ticket: Ticket;
}

const maxBatchEvents = 500;
const maxBatchBytes = 512 * 1024;
/** Room for `{"events":[]}`, the commas and the headers. */
const overheadBytes = 2048;
const complainMs = 10_000;
const sweepMs = 50;
/** A message that was sent just before the deadline gets this long for its answer. */
const graceMs = 250;

@Injectable()
export class Store {
  private readonly lanes = new Map<number, Lane>();
  private backlog = 0;
  private readonly tickets = new Set<Ticket>();
  private sweeper: NodeJS.Timeout | null = null;
  private complainedAt = -Infinity;
  private readonly batchEvents;

  constructor(
    @Inject(Tokens.settings) private readonly settings: IngestSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
    @Inject(Publisher) private readonly publisher: Publisher,
    @Inject(Streams) private readonly streams: Streams,
  ) {
    this.batchEvents = metrics.sizes('ams_ingest_batch_events', 'Events that shared one message to the broker.');
    metrics.gauge('ams_ingest_backlog_bytes', 'Events that wait for the broker.', [], (gauge) =>
      gauge.set(this.backlog),
    );
  }

  /** The largest event that fits into a message. */
  get maxEventBytes(): number {
    return this.publisher.maxPayload - overheadBytes;
  }

  /** Resolves when all are stored, or some cannot be: then the others may be stored. `deadline` is of `performance.now()`. */
  store(events: readonly Storable[], deadline: number): Promise<StoreOutcome> {
    if (this.backlog > this.settings.backlogBytes) return Promise.resolve('unavailable');
    return new Promise((resolve) => {
      const ticket: Ticket = { left: events.length, outcome: 'stored', deadline, answered: false, resolve };
      this.tickets.add(ticket);
      this.sweeper ??= setInterval(() => this.sweep(), sweepMs);
      for (const { partition, text } of events) {
        const bytes = Buffer.byteLength(text);
        this.backlog += bytes;
        this.lane(partition).add({ text, bytes, ticket });
      }
    });
  }

  private lane(partition: number): Lane {
    let lane = this.lanes.get(partition);
    if (lane === undefined) {
      lane = new Lane(
        (batch) => this.send(partition, batch),
        () => Math.min(maxBatchBytes, this.maxEventBytes),
        (work) => this.publisher.atEndOfTurn(work),
      );
      this.lanes.set(partition, lane);
    }
    return lane;
  }

  /** Requests that were answered 503 while they waited are not stored any more. */
  private withoutAnswered(taken: Queued[]): Queued[] {
    if (!taken.some(({ ticket }) => ticket.answered)) return taken;
    return taken.filter(({ bytes, ticket }) => {
      if (ticket.answered) this.backlog -= bytes;
      return !ticket.answered;
    });
  }

  /** The store is full, or the broker has no room: an operator must hear of it, but not for every request. */
  private complain(description: string): void {
    const now = performance.now();
    if (now - this.complainedAt < complainMs) return;
    this.complainedAt = now;
    this.log.error({ description }, 'the broker refuses events: senders get 503');
  }

  private async send(partition: number, taken: Queued[]): Promise<void> {
    const batch = this.withoutAnswered(taken);
    if (batch.length === 0) return;
    const deadline = batch.reduce((least, { ticket }) => Math.min(least, ticket.deadline), Infinity);
    let data = '{"events":[';
    for (let i = 0; i < batch.length; i++) data += i === 0 ? batch[i]!.text : `,${batch[i]!.text}`;
    data += ']}';
    const publication = { subject: ingestSubject(partition), data, messageId: newUuid() };
    const ack = await this.publisher.persist(publication, deadline, () => this.streams.restore());
    const outcome = ack.kind === 'stored' ? 'stored' : 'unavailable';
    if (outcome === 'stored') this.batchEvents.observe(batch.length);
    else if (ack.kind === 'refused') this.complain(ack.description);
    for (const { bytes, ticket } of batch) {
      this.backlog -= bytes;
      if (outcome !== 'stored') ticket.outcome = outcome;
      if (--ticket.left === 0) this.settle(ticket, ticket.outcome);
    }
  }

  private settle(ticket: Ticket, outcome: StoreOutcome): void {
    this.tickets.delete(ticket);
    if (ticket.answered) return;
    ticket.answered = true;
    ticket.resolve(outcome);
  }

  /** Requests must not wait for ever behind a message that the broker does not answer. */
  private sweep(): void {
    const now = performance.now();
    for (const ticket of this.tickets) if (now >= ticket.deadline + graceMs) this.settle(ticket, 'unavailable');
    if (this.tickets.size > 0 || this.sweeper === null) return;
    clearInterval(this.sweeper);
    this.sweeper = null;
  }
}

/** The events of one partition, in the order they came. */
class Lane {
  private queue: Queued[] = [];
  private busy = false;

  constructor(
    private readonly send: (batch: Queued[]) => Promise<void>,
    private readonly maxBytes: () => number,
    private readonly atEndOfTurn: (work: () => void) => void,
  ) {}

  add(event: Queued): void {
    this.queue.push(event);
    if (this.busy) return;
    this.busy = true;
    // Requests that were read in the same turn of the event loop go together.
    this.atEndOfTurn(() => void this.work());
  }

  private async work(): Promise<void> {
    while (this.queue.length > 0) await this.send(this.take());
    this.busy = false;
  }

  /** The oldest, as many as fit into a message. */
  private take(): Queued[] {
    const limit = this.maxBytes();
    let bytes = 0;
    let count = 0;
    for (; count < this.queue.length && count < maxBatchEvents; count++) {
      bytes += this.queue[count]!.bytes + 1;
      if (bytes > limit && count > 0) break;
    }
    if (count === this.queue.length) {
      const all = this.queue;
      this.queue = [];
      return all;
    }
    return this.queue.splice(0, count);
  }
}
