/**
 * Bulk changes are made in parts, each a transaction of its own: events wait for the alerts that a part has locked, and
 * so do those of other organizations that are applied together with them. An organization has one part at a time in
 * each replica. While others are active, its parts are smaller, and it leaves processors and database to them for twice
 * as long as a part took.
 */
import { FairSlots } from '@ams/database';
import { OrganizationActivity } from '@ams/messaging';
import { Injectable } from '@nestjs/common';

/** The alerts of a part. */
const partSize = { alone: 50, besideOthers: 20 };

/** No limit for all together: nobody waits for a part, or a rest, of another organization. */
const places = { total: Infinity, organization: 1, team: 1 };
const restForEach = 2;

@Injectable()
export class BulkTurns {
  private readonly slots = new FairSlots(places);

  constructor(private readonly activity: OrganizationActivity) {}

  /** Parts of requests and of jobs take turns: a request does not wait for the end of a job. */
  run<T>(organization: string, of: 'request' | 'job', part: (size: number) => Promise<T>): Promise<T> {
    const isAnyBeside = (): boolean => this.activity.isAnyBeside(organization, performance.now());
    return this.slots.run(
      { organization, team: of },
      () => part(isAnyBeside() ? partSize.besideOthers : partSize.alone),
      () => (isAnyBeside() ? restForEach : 0),
    );
  }
}
