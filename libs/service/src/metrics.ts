/** Prometheus metrics of one process. Names follow the convention `ams_<what>_<unit>`. */
import type { Readings } from '@ams/domain';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Gauges of prom-client whose names end as only those of counters may. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export class Metrics {
  readonly registry = new Registry();
  /** The age of each measurement (measurement.ts), in seconds. */
  readonly measurements = new Map<string, () => number>();
  private readonly sources: (() => Readings)[] = [];

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 50 });
    for (const name of misnamed) this.registry.removeSingleMetric(name);
    this.gauge(
      'ams_measurement_age_seconds',
      'Time since gauges of this measurement were read from the database or NATS. They have no value after a failure.',
      ['measurement'],
      (gauge) => {
        for (const [measurement, age] of this.measurements) gauge.set({ measurement }, age());
      },
    );
  }

  /** What `source` returns is reported for `GET /status`. */
  addReadings(source: () => Readings): void {
    this.sources.push(source);
  }

  /** The readings of all measurements, with their ages now. */
  readings(): Readings {
    return Object.assign({}, ...this.sources.map((source) => source())) as Readings;
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  gauge<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (gauge: Gauge<L>) => void,
  ): Gauge<L> {
    return new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      ...(collect
        ? {
            collect() {
              collect(this as unknown as Gauge<L>);
            },
          }
        : {}),
    });
  }

  /** Durations in seconds, from 1 ms to 10 s. */
  durations<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Histogram<L> {
    return new Histogram({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
  }

  /** Batch sizes, from 1 to 1,000. */
  sizes<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Histogram<L> {
    return new Histogram({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000],
    });
  }
}
