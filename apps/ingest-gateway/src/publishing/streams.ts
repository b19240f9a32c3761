/** The streams that this service needs. It waits for them on start, and again when NATS has lost them. */
import { handshakeStream, ingestLimitStream, ingestStream, partitionsMetadata, requestLogStream } from '@ams/contracts';
import { BrokerIncomplete, Logger, NatsConnection, requireStream, whenAvailable } from '@ams/messaging';
import { Readiness } from '@ams/service';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Publisher } from './publisher.js';
import { IngestSettings } from '../settings.js';

const retryMs = 1000;

@Injectable()
export class Streams implements OnModuleInit, OnApplicationShutdown {
  /** The number of partitions. The stream defines it. */
  partitions = 1;
  private restoring: Promise<void> | null = null;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;
  private problem: string | null = 'the streams are not known yet';

  constructor(
    private readonly connection: NatsConnection,
    private readonly settings: IngestSettings,
    private readonly log: Logger,
    private readonly publisher: Publisher,
    readiness: Readiness,
  ) {
    readiness.add('streams', () => this.problem);
    publisher.onReconnect(this.restoreAgain);
  }

  onModuleInit(): Promise<void> {
    return whenAvailable(this.log, () => this.restore());
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.retry);
  }

  /**
   * Looks for the streams. Concurrent callers share one run. After a failure it is tried again by itself, until the
   * streams exist or NATS is disconnected: then the reconnection starts it.
   */
  restore(): Promise<void> {
    clearTimeout(this.retry);
    this.restoring ??= this.find()
      .catch((error: unknown) => {
        if (!this.stopped && !this.publisher.isDisconnected) this.retry = setTimeout(this.restoreAgain, retryMs);
        throw error;
      })
      .finally(() => {
        this.restoring = null;
      });
    return this.restoring;
  }

  private readonly restoreAgain = (): void => {
    this.restore().catch((error: unknown) =>
      this.log.warn({ err: error }, 'the streams could not be found, trying again'),
    );
  };

  private async find(): Promise<void> {
    try {
      const [ingest] = await Promise.all([
        requireStream(this.connection, ingestStream),
        requireStream(this.connection, ingestLimitStream),
        requireStream(this.connection, requestLogStream),
        requireStream(this.connection, handshakeStream),
      ]);
      this.partitions = Number(ingest.config.metadata?.[partitionsMetadata]) || this.settings.partitions;
      this.problem = null;
    } catch (error) {
      this.problem = error instanceof BrokerIncomplete ? error.message : 'the streams could not be found';
      throw error;
    }
  }
}
