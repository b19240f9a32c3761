import { RecentActivity } from '@ams/domain';
import { Injectable } from '@nestjs/common';

/** The organizations whose calls and events this replica has had lately: each of its parts notes its own. */
@Injectable()
export class OrganizationActivity extends RecentActivity {}
