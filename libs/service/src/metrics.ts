/** Prometheus metrics of one process. Names follow the convention `ams_<what>_<unit>`. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export class Metrics {
  readonly registry = new Registry();

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 20 });
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
