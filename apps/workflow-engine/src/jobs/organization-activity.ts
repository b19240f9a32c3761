import { RecentActivity, type GivesWay } from '@ams/domain';
import { Injectable } from '@nestjs/common';

/** An organization that had an event in this time is expected to have more. */
const recentMs = 10_000;

/** While others are active, the rest of an organization for each millisecond of its work that gives way. */
export const restForEach: Record<GivesWay, number> = { few: 1, rest: 2 };

/** The organizations of the events that this replica has read lately. */
@Injectable()
export class OrganizationActivity extends RecentActivity {
  constructor() {
    super(recentMs);
  }
}
