import type { Tenant } from '@ams/contracts';

type Read = (tenant: Tenant, ...rest: unknown[]) => Promise<unknown>;

/** The same reads, each made once for a tenant and further arguments. The callers share the results. */
export function readOnce<Reads extends object>(reads: Reads): Reads {
  const known = new Map<string, Promise<unknown>>();
  const once =
    (name: string, read: Read): Read =>
    (tenant, ...rest) => {
      const key = JSON.stringify([name, tenant.organizationId, tenant.environment, ...rest]);
      const found = known.get(key) ?? read(tenant, ...rest);
      known.set(key, found);
      return found;
    };
  return Object.fromEntries(
    Object.entries(reads as Record<string, Read>).map(([name, read]) => [name, once(name, read)]),
  ) as Reads;
}
