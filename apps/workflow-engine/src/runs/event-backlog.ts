/** Domain events that the engine has not processed: read from NATS by each replica. Each has the same values. */
import { Database } from '@ams/database';
import { consumers, managerOf, NatsConnection, secondsSinceMessage } from '@ams/messaging';
import { Logger, Measurement, Metrics } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

/** Events that were set aside, or that wait, are counted up to this number. */
const mostCounted = 10_000;

@Injectable()
export class EventBacklog implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly measurement: Measurement;

  constructor(database: Database, nats: NatsConnection, log: Logger, metrics: Metrics) {
    const oldest = metrics.gauge(
      'ams_workflow_oldest_unprocessed_event_seconds',
      'Time since NATS stored the oldest domain event that the engine has not processed; 0 without one.',
    );
    const unprocessed = metrics.gauge(
      'ams_workflow_unprocessed_messages',
      'Messages with domain events that the engine has not processed.',
    );
    const setAside = metrics.gauge(
      'ams_workflow_set_aside_messages',
      `Domain events that were set aside and not replayed yet, up to ${mostCounted}.`,
    );
    const inTurns = metrics.gauge(
      'ams_workflow_waiting_events',
      `Domain events that wait for a turn of their organization, up to ${mostCounted}.`,
    );
    const oldestInTurns = metrics.gauge(
      'ams_workflow_oldest_waiting_event_seconds',
      'How long the oldest domain event has waited for a turn of its organization; 0 without one.',
    );
    this.measurement = new Measurement({
      metrics,
      log,
      name: 'events',
      gauges: [oldest, unprocessed, setAside, inTurns, oldestInTurns],
      read: async () => {
        const { stream, config } = consumers.domainEvents;
        const manager = await managerOf(nats);
        const info = await manager.streams.info(stream);
        const consumer = await manager.consumers.info(stream, config.durable_name);
        const [aside] = await database.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM (
             SELECT FROM workflows.set_aside WHERE replayed_at IS NULL LIMIT ${mostCounted}) AS waiting`,
        );
        const [turns] = await database.query<{ n: number; seconds: number }>(
          `SELECT count(*)::int AS n, coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS seconds
           FROM (SELECT created_at FROM workflows.waiting_events ORDER BY id LIMIT ${mostCounted}) AS waiting`,
        );
        const waiting = consumer.num_pending + consumer.num_ack_pending;
        const sequence = consumer.ack_floor.stream_seq + 1;
        const oldestUnprocessedEvent =
          waiting === 0 ? 0 : await secondsSinceMessage(manager.streams, info, { sequence });
        oldest.set(oldestUnprocessedEvent);
        unprocessed.set(waiting);
        setAside.set(aside?.n ?? 0);
        inTurns.set(turns?.n ?? 0);
        oldestInTurns.set(turns?.seconds ?? 0);
        return { oldestUnprocessedEvent };
      },
    });
  }

  onApplicationBootstrap(): void {
    this.measurement.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.measurement.stop();
  }
}
