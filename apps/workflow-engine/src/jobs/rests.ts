import type { GivesWay } from '@ams/domain';

/** While others are active, the rest of an organization for each millisecond of its work that gives way. */
export const restForEach: Record<GivesWay, number> = { few: 1, rest: 2 };
