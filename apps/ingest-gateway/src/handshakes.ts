/**
 * Senders that want their subscription confirmed. The request is answered as soon as the task is stored; this queue,
 * shared by all replicas, does the visiting, and tries again over some hours when the other side does not answer.
 */
import { handshakeStream, handshakeSubject, type HandshakeTask } from '@ams/contracts';
import { StreamReader, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import type { JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { RequestLog } from './request-log.js';
import { Publisher } from './publisher.js';
import { confirmSubscription, type Confirmation, type Fetch } from './sns.js';
import { Streams } from './streams.js';

/** The injector's token for the way to the outside. */
export const outsideFetch = 'outsideFetch';

const consumerName = 'ingest-gateway';
const second = 1000;
const minute = 60 * second;
/** More than tries: a replica that dies in the middle costs one. */
const maxDeliveries = 15;
/** Waiting times after the first, second, … try; after the last it is given up. */
const retries = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  60 * minute,
  60 * minute,
  60 * minute,
  60 * minute,
];

@Injectable()
export class Handshakes implements Part {
  private readonly reader: StreamReader;

  constructor(
    @Inject(Tokens.broker) broker: NatsConnection,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(outsideFetch) private readonly fetch: Fetch,
    @Inject(Publisher) private readonly publisher: Publisher,
    @Inject(Streams) private readonly streams: Streams,
    @Inject(RequestLog) private readonly requestLog: RequestLog,
  ) {
    this.reader = new StreamReader(broker, {
      stream: handshakeStream,
      durable: consumerName,
      consumer: { ack_wait: nanos(minute), max_deliver: maxDeliveries },
      consume: { max_messages: 5 },
      prepare: () => this.streams.restore(),
      what: 'the queue of handshakes',
      log,
      take: (message) => this.handle(message),
    });
  }

  start(): Promise<void> {
    this.reader.start();
    return Promise.resolve();
  }

  drain(): Promise<void> {
    return this.reader.drain();
  }

  /** Whether it is in the queue. The same message twice within two minutes is one task. */
  async queue(task: HandshakeTask, deadline: number): Promise<boolean> {
    const messageId = createHash('sha256').update(`${task.integration.id}\n${task.payload}`).digest('base64url');
    const publication = { subject: handshakeSubject, data: JSON.stringify(task), messageId };
    return (await this.publisher.persist(publication, deadline, () => this.streams.restore())).kind === 'stored';
  }

  private async handle(message: JsMsg): Promise<void> {
    const task = taskOf(message);
    const result = await confirmSubscription(task.payload, this.fetch);
    const wait = retries[message.info.deliveryCount - 1];
    const again = result.kind === 'failed' && wait !== undefined;
    this.log.info({ integrationId: task.integration.id, requestId: task.requestId, result: result.kind }, 'handshake');
    this.requestLog.add(task.integration, handshakeRecord(task, noteOf(result, again)));
    if (again) message.nak(wait);
    else message.ack();
  }
}

/** Tasks that an earlier release queued name the id of the record `deliveryId`. */
function taskOf(message: JsMsg): HandshakeTask {
  const task = message.json<HandshakeTask & { deliveryId?: string }>();
  return { ...task, recordId: task.recordId ?? task.deliveryId };
}

function noteOf(result: Confirmation, again: boolean): string {
  if (result.kind === 'confirmed') return 'confirmed';
  if (result.kind === 'refused') return `refused: ${result.why}`;
  return again ? `not confirmed yet, it is tried again: ${result.why}` : `given up: ${result.why}`;
}

/** The record of a handshake has one id through all its tries: the newest note is the one that counts. */
export const handshakeRecord = (task: HandshakeTask, note: string) => ({
  id: task.recordId,
  api: 'webhook' as const,
  operation: null,
  alertKey: null,
  receivedAt: task.receivedAt,
  outcome: 'handshake' as const,
  status: 200,
  contentType: task.contentType,
  payload: task.payload,
  items: '[]',
  note,
  requestId: task.requestId,
  stored: 0,
});
