/**
 * Gauges whose values are read at intervals, from the database or NATS. When a reading fails, they have no value until
 * the next one succeeds: an old value would say that all is well. `ams_measurement_age_seconds{measurement}` is the time
 * since the last reading that succeeded, or since the start.
 */
import type { Logger } from '@ams/messaging';
import type { Metrics } from './metrics.js';
import { Rounds } from './rounds.js';

export interface MeasurementOptions {
  metrics: Metrics;
  log: Logger;
  /** The value of the label `measurement`, and the name in the log. */
  name: string;
  /** The gauges that `read` sets. */
  gauges: readonly { labelNames?: unknown; remove(): void; reset(): void }[];
  /** Sets all of them, or throws. */
  read: () => Promise<void>;
  everyMs?: number;
}

export class Measurement {
  private readonly rounds: Rounds;
  private readAt = performance.now();

  constructor(private readonly options: MeasurementOptions) {
    const { metrics, log, name, read, everyMs = 5000 } = options;
    this.rounds = new Rounds({
      everyMs,
      work: async () => {
        await read();
        this.readAt = performance.now();
        return false;
      },
      onError: (error) => {
        this.clear();
        log.debug({ err: error, measurement: name }, 'a measurement failed; trying again');
      },
    });
    this.clear();
    metrics.measurements.set(name, () => (performance.now() - this.readAt) / 1000);
  }

  start(): void {
    this.rounds.start();
  }

  async stop(): Promise<void> {
    await this.rounds.stop();
  }

  private clear(): void {
    // `reset` of a gauge without labels would set it to 0.
    for (const gauge of this.options.gauges) {
      gauge.reset();
      if (Array.isArray(gauge.labelNames) && gauge.labelNames.length === 0) gauge.remove();
    }
  }
}
