import type { Database } from '@ams/database';
import type { GivesWay } from '@ams/domain';

const usually: Record<GivesWay, number> = { few: 1, rest: 2 };
/** While the organization has much more work than others, and the database is slow. */
const whileSlow: Record<GivesWay, number> = { few: 3, rest: 5 };

/** While others are active, the rest of an organization for each millisecond of its work that gives way. */
export const restForEach = (
  database: Pick<Database, 'hasMuchWhileSlow'>,
  organization: string,
  givesWay: GivesWay,
): number => (database.hasMuchWhileSlow(organization) ? whileSlow : usually)[givesWay];
