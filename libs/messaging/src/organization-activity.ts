import { RecentActivity } from '@ams/domain';
import { Injectable } from '@nestjs/common';

/** An organization that had work in this time is expected to have more. */
const recentMs = 10_000;

/** The organizations whose calls and events this replica has had lately: each of its parts notes its own. */
@Injectable()
export class OrganizationActivity extends RecentActivity {
  constructor() {
    super(recentMs);
  }
}
