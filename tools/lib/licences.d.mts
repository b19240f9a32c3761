export interface LockedPackage {
  name?: string;
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}

/** Whether an SPDX expression permits what a permissive licence does. */
export function isPermissive(expression: string): boolean;

/** A sentence for each production dependency in the lock file whose licence is not accepted. */
export function licenceFaults(lock: { packages: Record<string, LockedPackage> }): string[];
