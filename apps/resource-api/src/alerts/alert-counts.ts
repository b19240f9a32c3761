/**
 * How many alerts a filter matches, for `meta.total`. By status, severity and integration the pipeline keeps counters. For
 * other filters they have to be counted; what takes long to count is remembered for a moment, so that a list that is
 * looked at again and again does not count hundreds of thousands of rows each time.
 */
import type { AlertFilter, Tenant } from '@ams/contracts';
import { addAlertFilter, alertConditions } from '@ams/alerting';
import { Where, type Database, type Tx } from '@ams/database';

const counters: (keyof AlertFilter)[] = ['status', 'severity', 'integrationId'];

/** Whether there are counters for the filter. */
export const isCounted = (filter: AlertFilter): boolean =>
  Object.entries(filter).every(
    ([field, value]) => value === undefined || counters.includes(field as keyof AlertFilter),
  );

export async function sumOfCounters(tx: Tx, tenant: Tenant, filter: AlertFilter): Promise<number> {
  const where = addAlertFilter(
    new Where().and('organization_id = ?', tenant.organizationId).and('environment = ?', tenant.environment),
    filter,
  );
  const [row] = await tx.query<{ n: string }>(
    `SELECT coalesce(sum(n), 0)::text AS n FROM alerts_views.counts WHERE ${where.toString()}`,
    where.params,
  );
  return Number(row?.n ?? 0);
}

interface Count {
  n: number;
  countedAt: number;
}

/** Beyond this age a remembered count is answered once more, and counted anew meanwhile; beyond the second it is not answered. */
const freshMs = 10_000;
const staleMs = 60_000;
/** What is remembered: a count that took this long, or of this many. */
const dearMs = 250;
const dearRows = 10_000;
const remembered = 1000;

export class AlertCounts {
  private readonly counts = new Map<string, Count>();
  private readonly counting = new Map<string, Promise<Count>>();

  constructor(private readonly database: Database) {}

  async count(tenant: Tenant, filter: AlertFilter): Promise<number> {
    const key = JSON.stringify([tenant.organizationId, tenant.environment, filter]);
    const known = this.counts.get(key);
    const age = known ? performance.now() - known.countedAt : Infinity;
    if (known && age < staleMs) {
      if (age > freshMs) void this.countNow(key, tenant, filter).catch(() => undefined);
      return known.n;
    }
    return (await this.countNow(key, tenant, filter)).n;
  }

  /** As the service, as ids are found (see alert-search.ts). */
  private countNow(key: string, tenant: Tenant, filter: AlertFilter): Promise<Count> {
    // Only a filter that is known to be dear is counted for several callers at once: a count must not miss what its caller has done.
    const running = this.counts.has(key) ? this.counting.get(key) : undefined;
    if (running) return running;
    const started = performance.now();
    const where = alertConditions(tenant, filter);
    const work = this.database
      .query<{ n: string }>(
        `SELECT count(*)::text AS n FROM alerts_views.alerts WHERE ${where.toString()}`,
        where.params,
      )
      .then(([row]) => {
        const n = Number(row?.n ?? 0);
        const count = { n, countedAt: performance.now() };
        this.counts.delete(key);
        if (n >= dearRows || performance.now() - started >= dearMs) this.counts.set(key, count);
        for (const oldest of this.counts.keys()) if (this.counts.size > remembered) this.counts.delete(oldest);
        return count;
      })
      .finally(() => this.counting.delete(key));
    this.counting.set(key, work);
    return work;
  }
}
