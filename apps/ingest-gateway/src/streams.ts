/** The streams that this service needs: made on start, and again when the broker has lost them. */
import { partitionsMetadata } from '@ams/contracts';
import { ensureStream, streams, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { pause, Publisher } from './publisher.js';
import { IngestSettings } from './settings.js';

@Injectable()
export class Streams implements Part {
  /** Into how many partitions events are spread: a fact of the stream. */
  partitions = 1;
  private making: Promise<void> | null = null;
  private stopped = false;
  private missing: string | null = 'the streams are not there yet';

  constructor(
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(Tokens.settings) private readonly settings: IngestSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Publisher) private readonly publisher: Publisher,
  ) {
    publisher.onReconnect(() => void this.keepRestoring());
  }

  start(): Promise<void> {
    return this.restore();
  }

  trouble(): string | null {
    return this.missing;
  }

  drain(): Promise<void> {
    this.stopped = true;
    return Promise.resolve();
  }

  /** After a reconnection: until they are there, or the broker is away again. */
  private async keepRestoring(): Promise<void> {
    while (!this.stopped && !this.publisher.isAway) {
      try {
        return await this.restore();
      } catch (error) {
        this.log.warn({ err: error }, 'the streams could not be made, trying again');
        await pause(1000);
      }
    }
  }

  /** Makes what is missing; callers at the same time share one round. */
  restore(): Promise<void> {
    this.making ??= this.make().finally(() => {
      this.making = null;
    });
    return this.making;
  }

  private async make(): Promise<void> {
    const { settings } = this;
    const options = { replicas: settings.natsReplicas };
    try {
      const [ingest] = await Promise.all([
        ensureStream(this.broker, streams.ingest(settings.partitions, settings.streamMaxBytes), options),
        ensureStream(this.broker, streams.ingestLimit(settings.limit, settings.limitWindowSeconds * 1000), options),
        ensureStream(this.broker, streams.requestLog(), options),
        ensureStream(this.broker, streams.handshakes(), options),
      ]);
      this.partitions = Number(ingest.config.metadata?.[partitionsMetadata]) || settings.partitions;
      this.missing = null;
    } catch (error) {
      this.missing = 'the streams could not be made';
      throw error;
    }
  }
}
