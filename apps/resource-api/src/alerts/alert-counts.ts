/**
 * How many alerts a filter matches, for `meta.total`. The pipeline keeps counters by status, severity and
 * integration. For other filters alerts have to be counted. A slow count is cached for a short time, so that repeated
 * requests of a list do not count hundreds of thousands of rows each time.
 */
import type { AlertConditions, AlertReader } from '@ams/alerting';
import { Database } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { countAlerts } from './alert-queries.js';

const countedFields: (keyof AlertConditions)[] = ['status', 'severity', 'integrationId'];

/** Whether the pipeline keeps counters for the filter. They are not by client, so narrowed keys have none. */
export const hasCounters = ({ restrictedTo }: AlertReader, filter: AlertConditions): boolean =>
  !restrictedTo &&
  Object.entries(filter).every(
    ([field, value]) => value === undefined || countedFields.includes(field as keyof AlertConditions),
  );

interface Count {
  n: number;
  countedAt: number;
}

/** An older count is answered once more while the alerts are counted again. */
const freshMs = 10_000;
/** An older count is not answered. */
const staleMs = 60_000;
/** A count is cached when it took this long, or is this large. */
const slowMs = 250;
const largeCount = 10_000;
const rememberedCounts = 1000;

@Injectable()
export class AlertCounts {
  private readonly counts = new Map<string, Count>();
  private readonly counting = new Map<string, Promise<Count>>();

  constructor(private readonly database: Database) {}

  async count(reader: AlertReader, filter: AlertConditions): Promise<number> {
    const { organizationId, environment, restrictedTo = null } = reader;
    const key = JSON.stringify([organizationId, environment, restrictedTo, filter]);
    const known = this.counts.get(key);
    const age = known ? performance.now() - known.countedAt : Infinity;
    if (known && age < staleMs) {
      if (age > freshMs) void this.countNow(key, reader, filter).catch(() => undefined);
      return known.n;
    }
    return (await this.countNow(key, reader, filter)).n;
  }

  private countNow(key: string, reader: AlertReader, filter: AlertConditions): Promise<Count> {
    // Callers share a running count only if the filter is known to be slow: it could miss a caller's own change.
    const running = this.counts.has(key) ? this.counting.get(key) : undefined;
    if (running) return running;
    const started = performance.now();
    const work = countAlerts(this.database, reader, filter)
      .then((n) => this.remember(key, n, performance.now() - started))
      .finally(() => this.counting.delete(key));
    this.counting.set(key, work);
    return work;
  }

  private remember(key: string, n: number, tookMs: number): Count {
    const count = { n, countedAt: performance.now() };
    this.counts.delete(key);
    if (n >= largeCount || tookMs >= slowMs) this.counts.set(key, count);
    for (const oldest of this.counts.keys()) if (this.counts.size > rememberedCounts) this.counts.delete(oldest);
    return count;
  }
}
