/**
 * What an API key is restricted to, and what a key may give to the keys that it creates: a child is never wider, and
 * never lives longer, than its parent.
 */

/** The clients and teams whose records a narrowed key sees and changes. */
export interface KeyRestriction {
  clientIds: readonly string[];
  teamIds: readonly string[];
}

/** Whether a record belongs to one of the clients or teams. Without a restriction every record does. */
export const isWithin = (
  restriction: KeyRestriction | null | undefined,
  { clientId = null, teamId = null }: { clientId?: string | null; teamId?: string | null },
): boolean =>
  !restriction ||
  (clientId !== null && restriction.clientIds.includes(clientId)) ||
  (teamId !== null && restriction.teamIds.includes(teamId));

/** Whether everything within `child` is within `parent`. */
export const isNarrower = (child: KeyRestriction | null, parent: KeyRestriction | null): boolean =>
  parent === null ||
  (child !== null &&
    child.clientIds.every((id) => parent.clientIds.includes(id)) &&
    child.teamIds.every((id) => parent.teamIds.includes(id)));

export interface KeyLimits {
  /** Milliseconds since 1970; null: the key does not expire. */
  expiresAt: number | null;
  restrictedTo: KeyRestriction | null;
}

export interface KeyFault {
  path: 'expiry' | 'restrictedTo';
  rule: 'withinParent';
  message: string;
}

export interface KeyRights {
  scopes: readonly string[];
  environment: 'live' | 'test';
}

/**
 * What the parent (a key, or a member by the role) lacks to create a key with these rights: scopes, and `live` when a
 * key of the test environment would create a live one.
 */
export function missingForChild(parent: KeyRights, child: KeyRights): string[] {
  const missing = child.scopes.filter((scope) => !parent.scopes.includes(scope));
  return parent.environment === 'test' && child.environment === 'live' ? [...missing, 'live'] : missing;
}

/** By what a child would live longer, or see more records, than its parent. */
export function childKeyFaults(parent: KeyLimits, child: KeyLimits): KeyFault[] {
  const faults: KeyFault[] = [];
  if (parent.expiresAt !== null && (child.expiresAt === null || child.expiresAt > parent.expiresAt)) {
    const latest = new Date(parent.expiresAt).toISOString();
    const message = `expiry must not be later than ${latest}, when the key that creates this key expires`;
    faults.push({ path: 'expiry', rule: 'withinParent', message });
  }
  if (!isNarrower(child.restrictedTo, parent.restrictedTo)) {
    const message =
      'restrictedTo must name only clients and teams to which the key that creates this key is restricted';
    faults.push({ path: 'restrictedTo', rule: 'withinParent', message });
  }
  return faults;
}
