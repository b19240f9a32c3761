/**
 * Stores events in the broker: group commit. Of each partition one message is on its way at a time; what comes
 * meanwhile waits and goes together in the next. There is no timer: an idle service adds no latency, a busy one shares
 * each disk write among many requests.
 *
 * One at a time is also what keeps order: a message that has to be sent again (same message id, so it is stored once)
 * cannot be overtaken by the next of its partition.
 */
import { ingestSubject, newUuid } from '@ams/contracts';
import { Metrics, Tokens } from '@ams/service';
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

@Injectable()
export class Store {
  private readonly lanes = new Map<number, Lane>();
  private backlog = 0;
  private readonly batchEvents;

  constructor(
    @Inject(Tokens.settings) private readonly settings: IngestSettings,
    @Inject(Tokens.metrics) metrics: Metrics,
    @Inject(Publisher) private readonly publisher: Publisher,
    @Inject(Streams) private readonly streams: Streams,
  ) {
    this.batchEvents = metrics.sizes('ams_ingest_batch_events', 'Events that shared one message to the broker.');
    metrics.gauge('ams_ingest_backlog_bytes', 'Events that wait for the broker.', [], (gauge) => gauge.set(this.backlog));
  }

  /** The largest event that fits into a message. */
  get maxEventBytes(): number {
    return this.publisher.maxPayload - overheadBytes;
  }

  /** Resolves when all are stored, or some cannot be: then the others may be stored. `deadline` is of `performance.now()`. */
  store(events: readonly Storable[], deadline: number): Promise<StoreOutcome> {
    if (this.backlog > this.settings.backlogBytes) return Promise.resolve('unavailable');
    return new Promise((resolve) => {
      const ticket: Ticket = { left: events.length, outcome: 'stored', deadline, resolve };
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

  private async send(partition: number, batch: Queued[]): Promise<void> {
    const deadline = batch.reduce((least, { ticket }) => Math.min(least, ticket.deadline), Infinity);
    let data = '{"events":[';
    for (let i = 0; i < batch.length; i++) data += i === 0 ? batch[i]!.text : `,${batch[i]!.text}`;
    data += ']}';
    const publication = { subject: ingestSubject(partition), data, messageId: newUuid() };
    const ack = await this.publisher.persist(publication, deadline, () => this.streams.restore());
    const outcome = ack.kind === 'stored' ? 'stored' : 'unavailable';
    if (outcome === 'stored') this.batchEvents.observe(batch.length);
    for (const { bytes, ticket } of batch) {
      this.backlog -= bytes;
      if (outcome !== 'stored') ticket.outcome = outcome;
      if (--ticket.left === 0) ticket.resolve(ticket.outcome);
    }
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
