/**
 * Reads the domain events from NATS. A message is acknowledged when everything that it triggers is committed.
 *
 * A message that cannot be processed is delivered again, without end and with growing pauses, and others are processed
 * meanwhile. Messages that have arrived meanwhile are processed by one transaction: the more there are, the less each
 * one costs, so a storm does not become a queue.
 */
import { pauseAfter } from '@ams/database';
import { consumers, NatsConnection, StreamReader } from '@ams/messaging';
import { Liveness, Logger } from '@ams/service';
import type { JsMsg, StreamInfo } from '@nats-io/jetstream';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { EventProcessor } from './event-processor.js';

/** After a failure the next message waits this long: the cause is probably the same. */
const restMs = 250;
/** The pipeline publishes one message for each partition at the same time: they are processed together. */
const gatherMs = 8;
/**
 * A message that was delivered more often is processed alone, and after a failure event by event. A stop, or the loss
 * of a connection, delivers messages again that are like all others.
 */
const usualDeliveries = 3;

@Injectable()
export class EventConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly reader: StreamReader;

  constructor(
    private readonly log: Logger,
    private readonly processor: EventProcessor,
    nats: NatsConnection,
    liveness: Liveness,
  ) {
    this.reader = new StreamReader(nats, {
      consumer: consumers.domainEvents,
      consume: { max_messages: 32, expires: 5000, idle_heartbeat: 1000 },
      what: 'the stream of alert events',
      log,
      take: (message, stream) => this.take(message, stream),
      takeTogether: (messages, stream) => this.takeTogether(messages, stream),
      gatherMs,
    });
    liveness.watch('events', () => [this.reader.clock]);
  }

  onApplicationBootstrap(): void {
    this.reader.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.reader.drain();
  }

  /** Those that were delivered often, or that cannot be processed with the others, are processed one by one. */
  private async takeTogether(messages: readonly JsMsg[], stream: StreamInfo): Promise<boolean> {
    const usual = messages.filter(({ info }) => info.deliveryCount <= usualDeliveries);
    const streamCreated = String(stream.created);
    const isDone = await this.processor.processTogether(usual, streamCreated).catch((error: unknown) => {
      this.log.warn({ err: error, messages: usual.length }, 'messages could not be processed together');
      return false;
    });
    if (isDone) for (const message of usual) message.ack();
    let isProcessed = isDone;
    for (const message of isDone ? messages.filter((one) => !usual.includes(one)) : messages) {
      if (this.reader.isStopped) message.nak();
      else isProcessed = (await this.take(message, stream)) || isProcessed;
    }
    return isProcessed;
  }

  /** The events of a message are processed together. */
  private async take(message: JsMsg, stream: StreamInfo): Promise<boolean> {
    const { deliveryCount } = message.info;
    try {
      await this.processor.process(message, {
        streamCreated: String(stream.created),
        aloneAfterFailure: deliveryCount > usualDeliveries,
      });
      message.ack();
      return true;
    } catch (error) {
      const facts = { err: error, sequence: message.seq, deliveryCount };
      this.log.warn(facts, 'events could not be processed; they are delivered again');
      message.nak(pauseAfter(deliveryCount + 2));
      if (!this.reader.isStopped) await pause(restMs);
      return false;
    }
  }
}
