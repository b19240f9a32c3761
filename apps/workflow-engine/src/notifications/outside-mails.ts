/**
 * Mails go to members and to verified addresses only, and not to addresses to which mail has stopped (`mailRefusal`).
 * Recipients were checked when they were found; here it is checked again, because a mail may have waited.
 *
 * Mails to addresses that belong to no active member of the organization are limited for each day. Messages to members are
 * never counted and never skipped for this reason.
 *
 * A mail takes its part of the limit just before it is sent, with one statement that is a transaction of its own: the
 * row of an organization is locked for a moment only, so its runs do not wait for each other. A part is given back when
 * the mail is to be attempted again. When a replica dies between, one part too many is used. The limit is never exceeded.
 */
import type { Database } from '@ams/database';
import { limitOf, mailRefusal, type LimitOverrides, type MailFacts } from '@ams/domain';
import type { NotificationEntity } from './notification.entity.js';

type Mail = Pick<NotificationEntity, 'organizationId' | 'memberId' | 'destination'>;

/** What a mail has taken, by the day in UTC; null when it is not limited. */
export type MailPart = { kind: 'taken'; day: string | null } | { kind: 'refused'; reason: string };

const kind = 'outsideMailsPerDay';

const unknown = { isMember: false, address: null, domain: null } as const;

export async function takeMailPart(
  database: Pick<Database, 'query'>,
  { organizationId, memberId, destination }: Mail,
  factsOf: (address: string) => Promise<MailFacts | undefined>,
): Promise<MailPart> {
  if (destination.channel !== 'email') return { kind: 'taken', day: null };
  const known = (await factsOf(destination.address)) ?? unknown;
  const facts = { ...known, isMember: known.isMember || memberId !== null };
  const refusal = mailRefusal(facts);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  if (facts.isMember) return { kind: 'taken', day: null };
  const [organization] = await database.query<{ limits: LimitOverrides }>(
    'SELECT limits FROM auth_views.organizations WHERE id = $1',
    [organizationId],
  );
  const limit = limitOf(kind, organization?.limits ?? null);
  const [taken] = await database.query<{ day: string }>(
    `INSERT INTO workflows.message_counts AS c (organization_id, kind, day, used)
     SELECT $1, $2, (now() AT TIME ZONE 'UTC')::date, 1 WHERE $3 > 0
     ON CONFLICT (organization_id, kind, day) DO UPDATE SET used = c.used + 1 WHERE c.used < $3
     RETURNING day::text`,
    [organizationId, kind, limit],
  );
  if (taken) return { kind: 'taken', day: taken.day };
  return { kind: 'refused', reason: `the organization may send ${limit} mails a day to people who are no members` };
}

export async function giveMailPartBack(
  database: Pick<Database, 'query'>,
  { organizationId }: Pick<Mail, 'organizationId'>,
  day: string | null,
): Promise<void> {
  if (day === null) return;
  await database.query(
    `UPDATE workflows.message_counts SET used = used - 1
     WHERE organization_id = $1 AND kind = $2 AND day = $3::date AND used > 0`,
    [organizationId, kind, day],
  );
}
