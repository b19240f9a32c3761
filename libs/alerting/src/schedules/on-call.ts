/** Reads the members on call and the members that steps notify from the published views of their owners. */
import { publicId, uuidOf, type MemberStatus, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { onCallAt } from '@ams/domain';
import { overridesAround, resolvables, scheduleColumns, versionsAround, type StoredSchedule } from './schedule-rows.js';

export type Queries = Pick<Tx, 'query'>;

/** The present shift of a schedule, or the next one. */
export type Shift = 'current' | 'next';

export interface OnCall {
  scheduleId: string;
  scheduleName: string;
  /** A UUID; null in a gap. */
  memberId: string | null;
  source: 'layer' | 'override' | null;
  layer: string | null;
  until: string | null;
}

/** The form in the answers of the API. */
export interface ShownOnCall extends Omit<OnCall, 'memberId'> {
  userId: string | null;
}

export interface MemberContact {
  id: string;
  name: string;
  email: string;
  status: MemberStatus;
  /** Further addresses of the member, for when mail to the first one has stopped. */
  otherAddresses: string[];
  /** To which messages are pushed, the oldest first. The ids are UUIDs. */
  devices: { id: string; name: string }[];
}

/** The columns of a `MemberContact`; `members` is the name of `auth_views.members` in the query. */
export const memberContactColumns = (members: string): string =>
  `${members}.id, ${members}.name, ${members}.email, ${members}.status,
  (SELECT coalesce(jsonb_agg(c->>'address'), '[]') FROM jsonb_array_elements(${members}.contact_methods) c
   WHERE c->>'type' = 'email') AS "otherAddresses",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) ORDER BY d.created_at, d.id), '[]')
   FROM auth_views.push_devices d
   WHERE d.member_id = ${members}.id AND d.organization_id = ${members}.organization_id) AS devices`;

/**
 * Everybody who is on call, or an entry without a member in a gap. Null when the tenant has no such schedule.
 * `scheduleId` is a public id, `at` a time of RFC 3339.
 */
export async function onCallOf(
  queries: Queries,
  { organizationId, environment }: Tenant,
  scheduleId: string,
  which: Shift,
  at: string,
): Promise<OnCall[] | null> {
  const [schedule] = await queries.query<StoredSchedule>(
    `SELECT ${scheduleColumns} FROM resources_views.schedules
     WHERE organization_id = $1 AND environment = $2 AND id = $3`,
    [organizationId, environment, uuidOf('schedule', scheduleId)],
  );
  if (!schedule) return null;
  const versions = await versionsAround(queries, [schedule.id], at);
  const overrides = await overridesAround(queries, [schedule.id], at);
  const [resolved] = resolvables([schedule], versions, overrides);
  const { shifts, next } = onCallAt(resolved!, at);
  const names = new Map([...versions, schedule].flatMap(({ layers }) => layers).map(({ id, name }) => [id, name]));
  const of = { scheduleId: publicId('schedule', schedule.id), scheduleName: schedule.name };
  const found = (which === 'next' ? next : shifts).map(({ userId, source, layerId, endsAt }): OnCall => ({
    ...of,
    memberId: userId,
    source,
    layer: names.get(layerId ?? '') ?? null,
    until: endsAt,
  }));
  return found.length > 0 ? found : [{ ...of, memberId: null, source: null, layer: null, until: null }];
}

/** `memberId` is a UUID. */
export async function memberContactOf(
  queries: Queries,
  { organizationId }: Tenant,
  memberId: string,
): Promise<MemberContact | null> {
  const [member] = await queries.query<MemberContact>(
    `SELECT ${memberContactColumns('m')} FROM auth_views.members m WHERE m.organization_id = $1 AND m.id = $2`,
    [organizationId, memberId],
  );
  return member ?? null;
}

export function shownOnCall(onCall: OnCall | null): ShownOnCall | null {
  if (!onCall) return null;
  const { memberId, ...shown } = onCall;
  return { ...shown, userId: publicId('member', memberId) };
}
