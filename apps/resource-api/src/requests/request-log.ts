/**
 * The log of the requests of senders, with the outcome of each: read from the stream that the ingest gateways write,
 * and stored once.
 *
 * All replicas together process one message at a time (`max_ack_pending: 1`). The position is written in the
 * transaction that stores a message: a message that is delivered again is skipped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { requestLogStream, type LimitedRecord, type RequestLogBatch, type RequestRecord } from '@ams/contracts';
import { Database, isMessageFault, pauseAfter } from '@ams/database';
import { storableValue } from '@ams/domain';
import { consumers, NatsConnection, requireStream, StreamReader, whenAvailable } from '@ams/messaging';
import { ageOfFirst, deletedBy, Housekeeping, Retention, rowsOfStep } from '@ams/persistence';
import { Liveness, Logger, Metrics } from '@ams/service';
import type { JsMsg, StreamInfo } from '@nats-io/jetstream';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { ResourceApiSettings } from '../settings.js';
import { advance, deleteBeyondKept, oldRequests, store, type Records } from './request-queries.js';
import { isLimited, isRequest, receivedOf, requestsIn } from './request-record.js';

const trimEveryMs = 15_000;

/** In JSON that was read from UTF-8, only an escape can be a character that cannot be stored. */
const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/** As the ingest gateway of an earlier release writes it. */
interface FormerBatch {
  deliveries: RequestRecord[];
}

@Injectable()
export class RequestLog implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly reader: StreamReader;
  /** Integrations that received requests since the last `trim`. */
  private grown = new Set<string>();
  private readonly applied;
  private readonly refused;

  constructor(
    settings: ResourceApiSettings,
    private readonly log: Logger,
    metrics: Metrics,
    private readonly nats: NatsConnection,
    private readonly database: Database,
    housekeeping: Housekeeping,
    retention: Retention,
    liveness: Liveness,
  ) {
    this.applied = metrics.counter(
      'ams_request_log_applied_total',
      'Records of requests of senders that were read from the stream and applied.',
    );
    this.refused = metrics.counter(
      'ams_request_log_refused_total',
      'Records of requests of senders that could not be read or stored.',
    );
    this.reader = new StreamReader(nats, {
      consumer: consumers.requestLog,
      consume: { max_messages: 1, expires: 5000, idle_heartbeat: 1000 },
      what: 'the request log',
      log,
      take: async (message, stream) => {
        const isKnown = !(await this.take(message, String(stream.created)));
        if (isKnown) await this.confirm(message, stream);
        message.ack();
      },
    });
    liveness.watch('request log', () => [this.reader.clock]);
    housekeeping.add({ name: 'requests beyond the last ones', everyMs: trimEveryMs, run: () => this.trim() });
    retention.add({
      kind: 'requests',
      oldest: ageOfFirst('resources.requests', 'received_at'),
      begin: deletedBy(oldRequests(rowsOfStep), [settings.requestLogDays]),
    });
  }

  async onModuleInit(): Promise<void> {
    await whenAvailable(this.log, () => requireStream(this.nats, requestLogStream));
  }

  onApplicationBootstrap(): void {
    this.reader.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.reader.drain();
  }

  /**
   * A message that was applied already is skipped. It may also be the message of a new stream, which has the same
   * sequences: then it is delivered again, and this session ends.
   */
  private async confirm(message: JsMsg, { created }: StreamInfo): Promise<void> {
    const stream = await requireStream(this.nats, requestLogStream);
    if (stream.created === created) return;
    message.nak();
    throw new Error('the stream of the request log was replaced');
  }

  /**
   * Applies a message. Tries again until it succeeds or is at fault; meanwhile no other message is processed. False
   * when the message was applied before.
   */
  private async take(message: JsMsg, streamCreated: string): Promise<boolean> {
    const records = this.read(message);
    const { requests } = records;
    let alone = false;
    for (let failures = 1; ; failures++) {
      try {
        const isNew = alone
          ? await this.takeOneByOne(message.seq, streamCreated, records)
          : await this.apply(message.seq, streamCreated, records);
        if (!isNew) return false;
        this.applied.inc(requests.length);
        for (const { integrationId } of requests) this.grown.add(integrationId);
        return true;
      } catch (error) {
        this.reader.clock.attempted();
        if (this.reader.isStopped) throw error;
        alone ||= isMessageFault(error);
        this.log.warn({ err: error, sequence: message.seq }, 'the requests could not be stored; trying again');
        message.working();
        await sleep(pauseAfter(failures));
      }
    }
  }

  /** When a record cannot be stored although it passed the checks, the others are stored one by one. */
  private async takeOneByOne(sequence: number, streamCreated: string, records: Records): Promise<boolean> {
    return this.database.asService(async (tx) => {
      if (!(await advance(tx, sequence, streamCreated))) return false;
      const alone = async (work: () => Promise<void>): Promise<void> => {
        await tx.query('SAVEPOINT one');
        try {
          await work();
        } catch (failure) {
          if (!isMessageFault(failure)) throw failure;
          await tx.query('ROLLBACK TO SAVEPOINT one');
          this.log.error({ err: failure, sequence }, 'a request cannot be stored');
          this.refused.inc();
        }
      };
      for (const request of records.requests) await alone(() => store(tx, { requests: [request], limited: [] }));
      for (const record of records.limited) await alone(() => store(tx, { requests: [], limited: [record] }));
      return true;
    });
  }

  private apply(sequence: number, streamCreated: string, records: Records): Promise<boolean> {
    return this.database.asService(async (tx) => {
      if (!(await advance(tx, sequence, streamCreated))) return false;
      await store(tx, records);
      return true;
    });
  }

  /** The valid records of a message. Invalid ones are skipped and counted. */
  private read(message: JsMsg): Records {
    const text = message.string();
    const isStorable = !unstorableEscape.test(text);
    let batch: Partial<RequestLogBatch & FormerBatch> | null = null;
    try {
      batch = JSON.parse(text) as Partial<RequestLogBatch & FormerBatch> | null;
    } catch (error) {
      this.log.error({ err: error, sequence: message.seq }, 'a message of the request log cannot be read');
      this.refused.inc();
    }
    const all = <T>(list: T[] | undefined, isOne: (record: T) => boolean): T[] => {
      const found = Array.isArray(list) ? list : [];
      const good = found.filter((record) => typeof record === 'object' && record !== null && isOne(record));
      this.refused.inc(found.length - good.length);
      return isStorable ? good : good.map(storableValue);
    };
    const found = batch?.requests ?? batch?.deliveries;
    const requests = all<RequestRecord>(found, isRequest).map((record) => ({ ...record, ...receivedOf(record) }));
    const limited = all<LimitedRecord>(batch?.limited, isLimited);
    const isWhole = isStorable && requests.length === found?.length && limited.length === batch?.limited?.length;
    return { requests, limited, sent: isWhole ? requestsIn(message.data) : null };
  }

  /** Deletes the requests that the list no longer shows. */
  private async trim(): Promise<void> {
    const grown = [...this.grown];
    if (grown.length === 0) return;
    this.grown = new Set();
    try {
      await this.database.asService((tx) => deleteBeyondKept(tx, grown));
    } catch (error) {
      for (const id of grown) this.grown.add(id);
      throw error;
    }
  }
}
