/** What an edit of a schedule would change: decided as an update decides it, and stored nowhere. */
import { overridesDuring, resolvables } from '@ams/alerting';
import {
  invalid,
  previewDays,
  type Input,
  type NoQuery,
  type OnCallUser,
  type PreviewSchedule,
  type SchedulePreview,
} from '@ams/contracts';
import { Database, withIdempotency, type Tx } from '@ams/database';
import { onCallChanges, onCallSchedule, resolveShifts, type Gap, type Shift } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { findRecord } from '../records/entity-records.js';
import { gapRecord, shiftLimits, shiftRecord, tooManyShifts, usersOf, type Users } from './on-call.service.js';
import { schedules } from './schedule-record.js';
import { changedVersions } from './schedule-settings.js';
import { databaseNow, versionsNotEnded } from './schedule-versions.js';

const day = 86_400_000;

@Injectable()
export class SchedulePreviewService {
  constructor(private readonly database: Database) {}

  /** A transaction that may write, because the check of the edit holds the members as an update does. */
  preview(input: Input<NoQuery, PreviewSchedule>): Promise<SchedulePreview> {
    const { principal, idempotency } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, idempotency, () => previewOf(tx, input)),
    );
  }
}

async function previewOf(tx: Tx, input: Input<NoQuery, PreviewSchedule>): Promise<SchedulePreview> {
  const { principal, body } = input;
  const { until: sentUntil, ...edit } = body;
  const now = await databaseNow(tx);
  const since = now.toISOString();
  const until = endOf(sentUntil, now);
  const schedule = await findRecord(tx, schedules, input);
  const overrides = await overridesDuring(tx, [schedule.id], since, until);
  if (overrides.length > shiftLimits.overrides) throw tooManyShifts();
  const present = await versionsNotEnded(tx, schedule, now);
  const edited = await changedVersions(tx, principal, present, edit, now);
  const [stored] = resolvables([schedule], [], overrides);
  const [before, after] = [present, edited].map((versions) =>
    resolveShifts(onCallSchedule(versions, stored!.overrides), since, until),
  ) as [Resolved, Resolved];
  const users = await usersOf(tx, principal, [...before.shifts, ...after.shifts]);
  const usersIn = (ids: string[]): OnCallUser[] => ids.flatMap((id) => users.get(id) ?? []);
  const answer: SchedulePreview = {
    since,
    until,
    before: recordOf(users, before, since, until),
    after: recordOf(users, after, since, until),
    changes: onCallChanges(timed(before, until), timed(after, until)).map((change) => ({
      ...change,
      before: usersIn(change.before),
      after: usersIn(change.after),
    })),
  };
  if (Buffer.byteLength(JSON.stringify(answer)) > shiftLimits.bytes) throw tooManyShifts();
  return answer;
}

interface Resolved {
  shifts: Shift[];
  gaps: Gap[];
}

const recordOf = (
  users: Users,
  { shifts, gaps }: Resolved,
  since: string,
  until: string,
): SchedulePreview['before'] => ({
  shifts: shifts.map((shift) => shiftRecord(users, shift, until)),
  gaps: gaps.map((gap) => gapRecord(gap, since, until)),
});

const timed = ({ shifts }: Resolved, until: string) =>
  shifts.map((shift) => ({ ...shift, endsAt: shift.endsAt ?? until }));

function endOf(sent: string | undefined, now: Date): string {
  const until = sent === undefined ? now.getTime() + previewDays.default * day : Date.parse(sent);
  if (until <= now.getTime()) throw invalid('until', 'order', 'until must be after now');
  if (until > now.getTime() + previewDays.max * day)
    throw invalid('until', 'range', `until must be at most ${previewDays.max} days from now`);
  return new Date(until).toISOString();
}
