/**
 * Confirms subscriptions of senders. The request is answered as soon as its task is stored in a queue, which all
 * replicas share. They confirm the subscription, and try again over some hours when the other side does not answer.
 */
import { handshakeSubject, type HandshakeTask } from '@ams/contracts';
import { consumers, Logger, NatsConnection, StreamReader } from '@ams/messaging';
import type { JsMsg } from '@nats-io/jetstream';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Publisher } from '../publishing/publisher.js';
import { RequestLog } from '../publishing/request-log.js';
import { Streams } from '../publishing/streams.js';
import { confirmSubscription, SnsFetch, type Confirmation } from './sns.js';

const second = 1000;
const minute = 60 * second;
/**
 * The pauses after the first, second, … attempt. The attempt after the last pause is the last one. The consumer allows
 * more deliveries.
 */
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
export class Handshakes implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly reader: StreamReader;

  constructor(
    connection: NatsConnection,
    private readonly logger: Logger,
    private readonly http: SnsFetch,
    private readonly publisher: Publisher,
    private readonly streams: Streams,
    private readonly requestLog: RequestLog,
  ) {
    this.reader = new StreamReader(connection, {
      consumer: consumers.handshakes,
      consume: { max_messages: 5 },
      what: 'the queue of handshakes',
      log: logger,
      take: (message) => this.handle(message),
    });
  }

  onApplicationBootstrap(): void {
    this.reader.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.reader.drain();
  }

  /** Returns whether the task was stored. A message that arrives twice within two minutes is one task. */
  async queue(task: HandshakeTask, deadline: number): Promise<boolean> {
    const messageId = createHash('sha256').update(`${task.integration.id}\n${task.payload}`).digest('base64url');
    const publication = { subject: handshakeSubject, data: JSON.stringify(task), messageId };
    return (await this.publisher.persist(publication, deadline, () => this.streams.restore())).kind === 'stored';
  }

  log(task: HandshakeTask, note: string): void {
    this.requestLog.add(task.integration, recordOf(task, note));
  }

  private async handle(message: JsMsg): Promise<void> {
    const task = taskOf(message);
    const result = await confirmSubscription(task.payload, this.http.fetch);
    const wait = retries[message.info.deliveryCount - 1];
    const again = result.kind === 'failed' && wait !== undefined;
    this.logger.info(
      { integrationId: task.integration.id, requestId: task.requestId, result: result.kind },
      'handshake',
    );
    this.log(task, noteOf(result, again));
    if (again) message.nak(wait);
    else message.ack();
  }
}

/** Tasks that an earlier release wrote have the id of the record in `deliveryId`. */
function taskOf(message: JsMsg): HandshakeTask {
  const task = message.json<HandshakeTask & { deliveryId?: string }>();
  return { ...task, recordId: task.recordId ?? task.deliveryId };
}

function noteOf(result: Confirmation, again: boolean): string {
  if (result.kind === 'confirmed') return 'confirmed';
  if (result.kind === 'refused') return `refused: ${result.why}`;
  return again
    ? `not confirmed yet, trying again: ${result.why}`
    : `not confirmed after the last attempt: ${result.why}`;
}

/** All attempts of a handshake share one record. It shows the newest note. */
const recordOf = (task: HandshakeTask, note: string) => ({
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
