/** Reads what is known of addresses before a mail is sent to them, from the published views of their owner. */
import type { Tenant } from '@ams/contracts';
import { mailRecipientKey, parseEmailAddress, type MailFacts, type MailRecipientStatus } from '@ams/domain';
import type { Queries } from '../schedules/on-call.js';

interface FactsRow {
  sent: string;
  isMember: boolean;
  address: MailRecipientStatus | null;
  domain: MailRecipientStatus | null;
}

/** By address, as it was given. */
export async function mailFactsOf(
  queries: Queries,
  { organizationId }: Pick<Tenant, 'organizationId'>,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, MailFacts>> {
  if (addresses.length === 0) return new Map();
  const rows = await queries.query<FactsRow>(
    `SELECT a.sent, a_record.status AS address, d_record.status AS domain,
       EXISTS (SELECT FROM auth_views.members m
         WHERE m.organization_id = $1 AND m.status = 'active' AND lower(m.email) = lower(a.sent)) AS "isMember"
     FROM unnest($2::text[], $3::text[], $4::text[]) AS a (sent, key, domain)
       LEFT JOIN auth_views.mail_recipients a_record
         ON a_record.organization_id = $1 AND a_record.kind = 'address' AND a_record.key = a.key
       LEFT JOIN auth_views.mail_recipients d_record
         ON d_record.organization_id = $1 AND d_record.kind = 'domain' AND d_record.key = a.domain`,
    [
      organizationId,
      addresses,
      addresses.map((address) => mailRecipientKey('address', address)),
      addresses.map((address) => parseEmailAddress(address)?.domain ?? null),
    ],
  );
  return new Map(rows.map(({ sent, ...facts }) => [sent, facts]));
}
