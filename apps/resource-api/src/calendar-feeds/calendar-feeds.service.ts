/**
 * The calendar feeds of schedules and members. The token of a feed is in its URL, and only its hash is stored. A feed
 * that is created again gets a new token.
 */
import {
  credentialHash,
  Fault,
  newCalendarToken,
  newUuid,
  publicId,
  type CalendarFeed,
  type Input,
  type NoQuery,
  type Principal,
} from '@ams/contracts';
import { actorOf, Database, withIdempotency, type Tx } from '@ams/database';
import { grants, type Scope } from '@ams/scopes';
import { Injectable } from '@nestjs/common';
import { memberForFeed } from '../members/member-queries.js';
import { keyOf, lockRecord } from '../records/entity-records.js';
import { recordAudit } from '../records/record-audit.js';
import { databaseNow } from '../schedules/schedule-versions.js';
import { schedules } from '../schedules/schedule-record.js';
import { ResourceApiSettings } from '../settings.js';
import { CalendarFeedEntity } from './calendar-feed.entity.js';

/** The record that a feed belongs to. UUIDs; one of them is null. */
type Owner = Pick<CalendarFeedEntity, 'scheduleId' | 'memberId'>;

type FeedInput = Input<NoQuery, undefined>;

/** Whoever has the URL can read the shifts. */
const readScope: Scope = 'schedules:read';

@Injectable()
export class CalendarFeedsService {
  constructor(
    private readonly settings: ResourceApiSettings,
    private readonly database: Database,
  ) {}

  createOfSchedule(input: FeedInput): Promise<CalendarFeed> {
    return this.create(input, async (tx) => scheduleOwner(tx, input));
  }

  deleteOfSchedule(input: FeedInput): Promise<void> {
    return this.delete(input, async (tx) => scheduleOwner(tx, input));
  }

  createOfMember(input: FeedInput): Promise<CalendarFeed> {
    return this.create(input, async (tx) => {
      const { id, status } = await memberForFeed(tx, input);
      if (status === 'disabled') throw new Fault('CONFLICT', null, 'The member is disabled.');
      return { scheduleId: null, memberId: id };
    });
  }

  deleteOfMember(input: FeedInput): Promise<void> {
    return this.delete(input, async (tx) => ({ scheduleId: null, memberId: (await memberForFeed(tx, input)).id }));
  }

  private create(input: FeedInput, ownerOf: (tx: Tx) => Promise<Owner>): Promise<CalendarFeed> {
    const { principal } = input;
    requireReading(principal);
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const owner = await ownerOf(tx);
        const at = await databaseNow(tx);
        const before = await presentFeed(tx, principal, owner);
        const token = newCalendarToken();
        const after: CalendarFeedEntity = {
          id: before?.id ?? newUuid(at.getTime()),
          organizationId: principal.organizationId,
          environment: principal.environment,
          ...owner,
          tokenHash: credentialHash(token),
          createdBy: actorOf(principal),
          createdAt: at,
        };
        // Of two requests at once, the later one counts.
        await tx
          .repository(CalendarFeedEntity)
          .createQueryBuilder()
          .insert()
          .values(after)
          .orUpdate(
            ['token_hash', 'created_by', 'created_at'],
            owner.scheduleId === null ? ['member_id', 'environment'] : ['schedule_id'],
          )
          .execute();
        await recordFeed(tx, input, owner, { before, after }, at);
        return { url: feedUrl(this.settings.publicUrl, token), createdAt: at.toISOString() };
      }),
    );
  }

  private delete(input: FeedInput, ownerOf: (tx: Tx) => Promise<Owner>): Promise<void> {
    const { principal } = input;
    return this.database.writeAs(principal, async (tx) => {
      const owner = await ownerOf(tx);
      const before = await presentFeed(tx, principal, owner);
      if (!before) throw new Fault('NOT_FOUND', { resource: 'feed', id: input.params['id'] ?? '' });
      await tx.repository(CalendarFeedEntity).delete(keyOf(before));
      await recordFeed(tx, input, owner, { before, after: null }, await databaseNow(tx));
    });
  }
}

/** Throws INSUFFICIENT_SCOPE: otherwise a key could read by a feed what it may not read. */
function requireReading({ scopes }: Principal): void {
  if (!grants(scopes, readScope)) throw new Fault('INSUFFICIENT_SCOPE', { required: readScope });
}

async function scheduleOwner(tx: Tx, input: FeedInput): Promise<Owner> {
  return { scheduleId: (await lockRecord(tx, schedules, input)).id, memberId: null };
}

const presentFeed = (
  tx: Tx,
  { organizationId, environment }: Principal,
  { scheduleId, memberId }: Owner,
): Promise<CalendarFeedEntity | null> =>
  tx
    .repository(CalendarFeedEntity)
    .findOneBy({ organizationId, environment, ...(scheduleId === null ? { memberId: memberId! } : { scheduleId }) });

const feedUrl = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/api/calendars/${token}.ics`;

/** The token is in no entry of the audit log. */
function recordFeed(
  tx: Tx,
  input: FeedInput,
  { scheduleId, memberId }: Owner,
  { before, after }: { before: CalendarFeedEntity | null; after: CalendarFeedEntity | null },
  at: Date,
): Promise<void> {
  const [resource, id] =
    scheduleId === null
      ? (['member', publicId('member', memberId!)] as const)
      : (['schedule', publicId('schedule', scheduleId)] as const);
  const verb = after === null ? 'deleted' : before === null ? 'created' : 'rotated';
  const shown = (feed: CalendarFeedEntity | null) => ({ feed: feed && { createdAt: feed.createdAt.toISOString() } });
  return recordAudit(tx, input, `${resource}.feed_${verb}`, {
    resource,
    id,
    before: shown(before),
    after: shown(after),
    at,
  });
}
