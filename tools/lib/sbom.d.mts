import type { LockedPackage } from './licences.mjs';

interface Component {
  purl: string;
  licenses?: object[];
}

/** A sentence for each production dependency that the bill does not name, and for each component without a licence. */
export function sbomFaults(
  lock: { packages: Record<string, LockedPackage> },
  bill: { components: Component[] },
): string[];
