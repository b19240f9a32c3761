/**
 * Reports every 5 s whether this replica is ready, and what its measurements have read, for `GET /status`. A report that
 * fails is not repeated: the next one says more, and without one the status says `unknown`.
 */
import { newUuid } from '@ams/contracts';
import { Logger, NatsConnection, sendReport } from '@ams/messaging';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '../metrics.js';
import { ServiceName } from '../platform/service-name.js';
import { Rounds } from '../rounds.js';
import { Readiness } from './readiness.js';

const everyMs = 5000;

@Injectable()
export class StatusReporter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly replica = newUuid();
  private readonly rounds: Rounds;

  constructor(
    private readonly service: ServiceName,
    private readonly nats: NatsConnection,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    log: Logger,
  ) {
    this.rounds = new Rounds({
      everyMs,
      work: async () => {
        await this.report();
        return false;
      },
      onError: (error) => log.debug({ err: error }, 'the status of this replica was not reported; trying again'),
    });
    readiness.onChange(() => void this.report().catch(() => undefined));
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async report(): Promise<void> {
    const isReady = await this.readiness.isReady();
    await sendReport(this.nats, this.service.value, this.replica, { isReady, readings: this.metrics.readings() });
  }
}
