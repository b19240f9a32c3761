/**
 * Reads the domain events and begins the runs that they trigger. The decisions and the runs are written in one
 * transaction. Then the message is acknowledged. When a message is delivered twice, everything is written already.
 *
 * A message that cannot be processed is delivered again, without end and with growing pauses, and others are processed
 * meanwhile. Only an event that is at fault, and has failed alone, is set aside.
 */
import { alertEventsStream, newUuid, uuidOf } from '@ams/contracts';
import { Database, isMessageFault, MalformedMessage, pauseAfter } from '@ams/database';
import { storable } from '@ams/domain';
import { ensureStream, NatsConnection, StreamReader, streams } from '@ams/messaging';
import { environments } from '@ams/scopes';
import { Liveness, Logger, Metrics } from '@ams/service';
import type { JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowEngineSettings } from '../settings.js';
import { beginRuns } from './begin-runs.js';
import type { DomainEvent } from './condition-facts.js';

/** After this time NATS delivers the messages of a dead replica to another one. */
const ackWaitMs = 5000;
/** After a failure the next message waits this long: the cause is probably the same. */
const restMs = 250;

/** What could not be processed: an event of a message, or a message without events. */
interface Unusable {
  event: Partial<DomainEvent> | null;
  error: unknown;
}

@Injectable()
export class EventConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly reader: StreamReader;
  private readonly decisions;
  private readonly setAsideEvents;

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
    metrics: Metrics,
    nats: NatsConnection,
    settings: WorkflowEngineSettings,
    liveness: Liveness,
  ) {
    this.decisions = metrics.counter(
      'ams_workflow_decisions_total',
      'Decisions about workflows that an event could trigger.',
      ['outcome'],
    );
    this.setAsideEvents = metrics.counter(
      'ams_workflow_set_aside_total',
      'Events that could not be processed and were set aside. They trigger no workflow until they are replayed.',
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
    liveness.watch('events', () => [this.reader.clock]);
  }

  onApplicationBootstrap(): void {
    this.reader.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.reader.drain();
  }

  /** The events of a message are processed together; after a failure one by one. */
  private async take(message: JsMsg): Promise<boolean> {
    const { events, unusable } = readEvents(message);
    try {
      if (message.info.deliveryCount > 1 || !(await this.beginTogether(message, events)))
        for (const event of events) await this.beginAlone(message, event);
      for (const one of unusable) await this.setAside(message, one);
      message.ack();
      return true;
    } catch (error) {
      const { deliveryCount } = message.info;
      const facts = { err: error, sequence: message.seq, deliveryCount };
      this.log.warn(facts, 'events could not be processed; they are delivered again');
      message.nak(pauseAfter(deliveryCount + 2));
      if (!this.reader.isStopped) await pause(restMs);
      return false;
    }
  }

  /** False when an event is at fault. Throws any other error. */
  private async beginTogether(message: JsMsg, events: DomainEvent[]): Promise<boolean> {
    try {
      await this.begin(events);
      return true;
    } catch (error) {
      if (!isMessageFault(error)) throw error;
      this.log.warn({ err: error, sequence: message.seq }, 'events could not be processed; trying each alone');
      return false;
    }
  }

  private async beginAlone(message: JsMsg, event: DomainEvent): Promise<void> {
    try {
      await this.begin([event]);
    } catch (error) {
      if (!isMessageFault(error)) throw error;
      await this.setAside(message, { event, error });
    }
  }

  private async begin(events: DomainEvent[]): Promise<void> {
    const decided = await this.database.asService((tx) => beginRuns(tx, events));
    for (const { outcome } of decided) this.decisions.inc({ outcome });
  }

  /** An event that was replayed and fails again waits again. */
  private async setAside(message: JsMsg, { event, error }: Unusable): Promise<void> {
    const id = (typeof event?.id === 'string' && uuidOf('timelineEntry', event.id)) || newUuid();
    const environment = event?.environment;
    this.log.error({ err: error, sequence: message.seq, eventId: event?.id }, 'set aside');
    await this.database.query(
      `INSERT INTO workflows.set_aside
         (id, subject, stream_sequence, organization_id, environment, payload, error, tries)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (id) DO UPDATE SET replayed_at = NULL, error = excluded.error, tries = set_aside.tries + 1`,
      [
        id,
        message.subject,
        message.seq,
        uuidForm.test(String(event?.organizationId)) ? event?.organizationId : null,
        environment !== undefined && environments.includes(environment) ? environment : null,
        storable(event ? JSON.stringify({ events: [event] }) : message.string()),
        storable(String(error)).slice(0, 2000),
        1,
      ],
    );
    this.setAsideEvents.inc();
  }
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const isEvent = (event: Partial<DomainEvent> | null): event is DomainEvent =>
  typeof event?.id === 'string' && uuidOf('timelineEntry', event.id) !== null;

/** The events of a message, and what of it cannot be one. */
function readEvents(message: JsMsg): { events: DomainEvent[]; unusable: Unusable[] } {
  try {
    const { events } = message.json<{ events?: (Partial<DomainEvent> | null)[] }>();
    if (Array.isArray(events)) {
      const error = new MalformedMessage('the event has no id');
      return {
        events: events.filter(isEvent),
        unusable: events.filter((event) => !isEvent(event)).map((event) => ({ event, error })),
      };
    }
  } catch {
    // it is not JSON
  }
  return { events: [], unusable: [{ event: null, error: new MalformedMessage('the message holds no events') }] };
}
