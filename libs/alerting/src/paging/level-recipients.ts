/** Finds the recipients of a level of an escalation policy, for a page and for the answer of the API. */
import { publicId, uuidOf, type Tenant } from '@ams/contracts';
import type { PolicyTarget } from '@ams/domain';
import { memberContactColumns, type MemberContact, type Queries } from '../schedules/on-call.js';
import {
  distinct,
  recipientReads,
  recipientsOf,
  unreachable,
  type Notifier,
  type Recipient,
  type RecipientReads,
} from '../steps/recipients.js';

export interface StoredTeam {
  name: string;
  members: MemberContact[];
}

export interface PolicyReads extends RecipientReads {
  /** Null when the tenant has no such team; `teamId` is a public id. */
  team(tenant: Tenant, teamId: string): Promise<StoredTeam | null>;
}

export const policyReads = (queries: Queries): PolicyReads => ({
  ...recipientReads(queries),
  team: (tenant, teamId) => teamOf(queries, tenant, teamId),
});

/**
 * One recipient for each address; of two targets for the same person, the first counts. A team stands for all its
 * members, in their order.
 */
export async function levelRecipients(
  reads: PolicyReads,
  notifier: Notifier,
  targets: readonly PolicyTarget[],
  at: string,
): Promise<Recipient[]> {
  const found: Recipient[] = [];
  for (const target of targets)
    found.push(
      ...(target.type === 'team'
        ? await teamRecipients(reads, notifier, target.id, at)
        : await recipientsOf(reads, notifier, [target], at)),
    );
  return distinct(found);
}

async function teamRecipients(
  reads: PolicyReads,
  notifier: Notifier,
  teamId: string,
  at: string,
): Promise<Recipient[]> {
  const team = await reads.team(notifier, teamId);
  if (!team) return [unreachable(teamId, 'the team does not exist')];
  if (team.members.length === 0) return [unreachable(teamId, `the team "${team.name}" has no members`)];
  const known = new Map(team.members.map((member) => [member.id, member]));
  const ofTeam: RecipientReads = { ...reads, member: (_tenant, id) => Promise.resolve(known.get(id) ?? null) };
  const recipients = await recipientsOf(
    ofTeam,
    notifier,
    team.members.map(({ id }) => ({ type: 'user', id: publicId('member', id) })),
    at,
  );
  return recipients.map((recipient) => ({ ...recipient, why: `You are in the team "${team.name}".` }));
}

async function teamOf(
  queries: Queries,
  { organizationId, environment }: Tenant,
  teamId: string,
): Promise<StoredTeam | null> {
  const rows = await queries.query<
    { teamName: string } & { [Field in keyof MemberContact]: MemberContact[Field] | null }
  >(
    `SELECT t.name AS "teamName", ${memberContactColumns('m')}
     FROM resources_views.teams t
       LEFT JOIN resources_views.team_members tm ON tm.team_id = t.id
       LEFT JOIN auth_views.members m ON m.id = tm.member_id AND m.organization_id = t.organization_id
     WHERE t.organization_id = $1 AND t.environment = $2 AND t.id = $3 ORDER BY tm.position`,
    [organizationId, environment, uuidOf('team', teamId)],
  );
  const [first] = rows;
  if (!first) return null;
  const members = rows.flatMap(({ teamName: _, ...member }) => (member.id === null ? [] : [member as MemberContact]));
  return { name: first.teamName, members };
}
