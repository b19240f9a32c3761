/**
 * Reads the domain events and begins the runs that they trigger. The decisions and the runs are written in one
 * transaction. Then the message is acknowledged. When a message is delivered twice, everything is written already.
 */
import { alertEventsStream, uuidOf } from '@ams/contracts';
import { Database } from '@ams/database';
import { asFault, ensureStream, NatsConnection, StreamReader, streams } from '@ams/messaging';
import { Logger, Metrics } from '@ams/service';
import type { JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowEngineSettings } from '../settings.js';
import { beginRuns } from './begin-runs.js';
import type { DomainEvent } from './condition-facts.js';

/** After this time NATS delivers the messages of a dead replica to another one. */
const ackWaitMs = 5000;
const retryMs = 500;
/** How often NATS delivers a message with an event that fails, at intervals of a second or more. */
const maxDeliveries = 30;

@Injectable()
export class EventConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly reader: StreamReader;
  private readonly decisions;

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
    metrics: Metrics,
    nats: NatsConnection,
    settings: WorkflowEngineSettings,
  ) {
    this.decisions = metrics.counter(
      'ams_workflow_decisions_total',
      'Decisions about workflows that an event could trigger.',
      ['outcome'],
    );
    this.reader = new StreamReader(nats, {
      stream: alertEventsStream,
      durable: 'workflow-engine',
      consumer: { max_ack_pending: 256, ack_wait: nanos(ackWaitMs) },
      consume: { max_messages: 8, expires: 5000, idle_heartbeat: 1000 },
      prepare: () => ensureStream(nats, streams.alertEvents(), { replicas: settings.natsReplicas }),
      what: 'the stream of alert events',
      log,
      take: (message) => this.take(message),
    });
  }

  onApplicationBootstrap(): void {
    this.reader.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.reader.drain();
  }

  /** When an event fails, the events of its message are processed one by one, and the message is delivered again. */
  private async take(message: JsMsg): Promise<void> {
    const events = this.read(message);
    const failed = (await this.handle(message, events)) ? [] : await this.handleOneByOne(message, events);
    if (failed.length === 0) message.ack();
    else if (message.info.deliveryCount < maxDeliveries) message.nak(retryMs * 2);
    else {
      const ids = failed.map(({ id }) => id);
      this.log.error({ sequence: message.seq, events: ids }, 'events cannot be processed; they trigger no workflow');
      message.term();
    }
  }

  private async handleOneByOne(message: JsMsg, events: DomainEvent[]): Promise<DomainEvent[]> {
    const failed: DomainEvent[] = [];
    for (const event of events) if (!(await this.handle(message, [event]))) failed.push(event);
    return failed;
  }

  /** False when one of the events cannot be processed. Waits while the database cannot be reached. */
  private async handle(message: JsMsg, events: DomainEvent[]): Promise<boolean> {
    for (;;) {
      try {
        const decided = await this.database.asService((tx) => beginRuns(tx, events));
        for (const { outcome } of decided) this.decisions.inc({ outcome });
        return true;
      } catch (error) {
        if (asFault(error, '').code !== 'UNAVAILABLE') {
          this.log.warn({ err: error, sequence: message.seq, events: events.length }, 'events could not be processed');
          return false;
        }
        if (this.reader.isStopped) {
          message.nak();
          throw error;
        }
        this.log.warn({ err: error }, 'the database cannot be reached; events wait');
        message.working();
        await pause(retryMs);
      }
    }
  }

  private read(message: JsMsg): DomainEvent[] {
    try {
      const { events } = message.json<{ events?: DomainEvent[] }>();
      if (Array.isArray(events)) return events.filter((event) => uuidOf('timelineEntry', event.id) !== null);
    } catch {
      // it is not JSON
    }
    this.log.error({ sequence: message.seq }, 'a message contains no events');
    return [];
  }
}
