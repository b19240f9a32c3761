/**
 * Gauges whose values are read at intervals, from the database or NATS. When a reading fails, they have no value until
 * the next one succeeds: an old value would say that all is well. `ams_measurement_age_seconds{measurement}` is the time
 * since the last reading that succeeded, or since the start. What `read` returns is reported for `GET /status` with its
 * age, so it becomes too old there when no reading succeeds.
 */
import type { Reading, ReportedName } from '@ams/domain';
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
  /** Sets all of them, or throws. Returns values for the status. */
  read: () => Promise<Partial<Record<ReportedName, number>> | void>;
  everyMs?: number;
}

export class Measurement {
  private readonly rounds: Rounds;
  private readAt = performance.now();
  private values: Partial<Record<ReportedName, number>> = {};

  constructor(private readonly options: MeasurementOptions) {
    const { metrics, log, name, read, everyMs = 5000 } = options;
    this.rounds = new Rounds({
      everyMs,
      work: async () => {
        const begun = performance.now();
        const values = await read();
        this.readAt = begun;
        this.values = values ?? {};
        return false;
      },
      onError: (error) => {
        this.clear();
        log.debug({ err: error, measurement: name }, 'a measurement failed; trying again');
      },
    });
    this.clear();
    metrics.measurements.set(name, () => this.ageSeconds);
    metrics.addReadings(() =>
      Object.fromEntries(
        Object.entries(this.values).map(([reading, value]): [string, Reading] => [
          reading,
          { value, ageSeconds: this.ageSeconds },
        ]),
      ),
    );
  }

  private get ageSeconds(): number {
    return (performance.now() - this.readAt) / 1000;
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
