/**
 * The limits of an organization: how many records of each kind it may have, and how many messages it may send to people
 * who are none of its members. An operator may set other numbers for an organization.
 */

/**
 * Records that people and programs create. Those of an environment are counted there, members and recipients of mails
 * for both.
 */
export const recordKinds = [
  'clients',
  'integrations',
  'schedules',
  'suppressionWindows',
  'workflows',
  'escalationPolicies',
  'teams',
  'views',
  'members',
  'mailRecipients',
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** Messages, for each day in UTC. */
export const messageKinds = ['outsideMailsPerDay'] as const;
export type MessageKind = (typeof messageKinds)[number];

export type LimitKind = RecordKind | MessageKind;
export const limitKinds: readonly LimitKind[] = [...recordKinds, ...messageKinds];

export const defaultLimits: Readonly<Record<LimitKind, number>> = {
  clients: 20_000,
  integrations: 2_000,
  schedules: 1_000,
  /** Those that are not over. */
  suppressionWindows: 5_000,
  workflows: 500,
  escalationPolicies: 1_000,
  teams: 1_000,
  views: 10_000,
  members: 10_000,
  /** Addresses and domains that are verified or wait for it. */
  mailRecipients: 1_000,
  outsideMailsPerDay: 500,
};

export const highestLimit = 1_000_000;

/** What an operator has set for an organization, as it is stored. */
export type LimitOverrides = Readonly<Record<string, unknown>>;

export const isLimit = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= highestLimit;

export const isLimitKind = (kind: string): kind is LimitKind => limitKinds.some((known) => known === kind);

/** A value that is no limit counts as not set. */
export function limitOf(kind: LimitKind, overrides: LimitOverrides | null): number {
  const own = overrides && Object.hasOwn(overrides, kind) ? overrides[kind] : undefined;
  return isLimit(own) ? own : defaultLimits[kind];
}

/** How many more are left. Never negative: records that exist are kept when a limit becomes lower. */
export const leftOf = (kind: LimitKind, used: number, overrides: LimitOverrides | null): number =>
  Math.max(0, limitOf(kind, overrides) - used);

/** When the count of a kind begins again; null for records. `now` in milliseconds. */
export function resetsAt(kind: LimitKind, now: number): string | null {
  if (!messageKinds.some((known) => known === kind)) return null;
  const day = 86_400_000;
  return new Date((Math.floor(now / day) + 1) * day).toISOString();
}
