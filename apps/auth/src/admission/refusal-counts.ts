/**
 * Counts refused requests for the audit log: one entry for what is alike, with a count. The number of counters is
 * limited, also of each organization and environment: what is over has one counter without details for each of them.
 */
import { type Actor, type AuditRecord } from '@ams/contracts';
import { type Environment } from '@ams/scopes';

export interface Refusal {
  organizationId: string;
  environment: Environment;
  /** `api_key.refused`: the key is not valid any more. `request.refused`: a scope is missing. */
  type: 'api_key.refused' | 'request.refused';
  actor: Actor;
  ip: string | null;
  resource: { type: string; id: string } | null;
  reason: string | null;
}

interface Counter extends Refusal {
  count: number;
}

export interface RefusalLimits {
  perTenant: number;
  total: number;
}

const defaults: RefusalLimits = { perTenant: 50, total: 10_000 };
const others: Actor = { type: 'service', id: null, name: 'admission' };

export class RefusalCounts {
  private readonly counters = new Map<string, Counter>();
  private readonly ofTenant = new Map<string, number>();
  /** Refusals that have no counter, because there are too many. */
  private beyond = 0;

  constructor(private readonly limits: RefusalLimits = defaults) {}

  add(refusal: Refusal, count = 1): void {
    if (this.count(refusal, count, this.limits.perTenant)) return;
    const { organizationId, environment, type } = refusal;
    const rest = { organizationId, environment, type, actor: others, ip: null, resource: null, reason: null };
    // Two more than the limit: the rest of each type.
    if (!this.count(rest, count, this.limits.perTenant + 2)) this.beyond += count;
  }

  private count(refusal: Refusal, count: number, limit: number): boolean {
    const { organizationId, environment, type, actor, ip, resource, reason } = refusal;
    const key = JSON.stringify([organizationId, environment, type, actor.id, ip, resource?.id, reason]);
    const present = this.counters.get(key);
    if (present) {
      present.count += count;
      return true;
    }
    const tenant = `${organizationId} ${environment}`;
    const own = this.ofTenant.get(tenant) ?? 0;
    if (own >= limit || this.counters.size >= this.limits.total) return false;
    this.ofTenant.set(tenant, own + 1);
    this.counters.set(key, { ...refusal, count });
    return true;
  }

  /** All counts as entries; then counting begins again. `beyond`: refusals that no entry has. */
  take(at: Date, newId: () => string): { entries: AuditRecord[]; beyond: number } {
    const entries = [...this.counters.values()].map(({ count, reason, ...refusal }): AuditRecord => ({
      ...refusal,
      id: newId(),
      occurredAt: at.toISOString(),
      userAgent: null,
      requestId: null,
      changes: [
        { field: 'count', before: null, after: count },
        ...(reason === null ? [] : [{ field: 'reason', before: null, after: reason }]),
      ],
    }));
    const { beyond } = this;
    this.counters.clear();
    this.ofTenant.clear();
    this.beyond = 0;
    return { entries, beyond };
  }
}
