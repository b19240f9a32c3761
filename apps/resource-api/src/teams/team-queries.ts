/** SQL of teams: their list, their members, which are written many rows at a time, and the records that use a team. */
import { uuidsOf } from '@ams/alerting';
import { publicId, type ListTeamsQuery, type Noun, type TeamMember, type Tenant } from '@ams/contracts';
import { containing, selectOf, type Tx, type Where } from '@ams/database';
import { choiceOf } from '@ams/domain';
import { policiesNaming } from '../escalation-policies/policy-queries.js';
import { referencesIn, type Reference } from '../records/references.js';
import { owned } from '../records/tenant-queries.js';
import { TeamEntity } from './team.entity.js';

interface MemberRow {
  member_id: string;
  role: TeamMember['role'];
}

export type ListedTeam = TeamEntity & { members: MemberRow[] };

/** Teams with their members, in one statement for a whole page. */
export const listedColumns = (tx: Tx): string => `${selectOf(tx, TeamEntity, 'teams')}, (
  SELECT coalesce(json_agg(json_build_object('member_id', m.member_id, 'role', m.role) ORDER BY m.position), '[]')
  FROM resources.team_members m WHERE m.team_id = teams.id
) AS members`;

export const membersFromRows = (rows: MemberRow[]): TeamMember[] =>
  rows.map(({ member_id, role }) => ({ userId: publicId('member', member_id), role }));

export async function membersOf(tx: Tx, { organizationId, environment, id }: TeamEntity): Promise<TeamMember[]> {
  const rows = await tx.query<MemberRow>(
    `SELECT member_id, role FROM resources.team_members
     WHERE organization_id = $1 AND environment = $2 AND team_id = $3 ORDER BY position`,
    [organizationId, environment, id],
  );
  return membersFromRows(rows);
}

/** `userId` finds teams with one of the members. */
export function teamsMatching(tenant: Tenant, filters: ListTeamsQuery): Where {
  const { slug, policyId, userId, q } = filters;
  const where = owned(tenant).ofTimes('created_at', filters.createdSince, filters.createdUntil);
  where.ofTexts('slug', slug).ofIds('policy_id', 'escalationPolicy', policyId);
  if (userId) {
    const choice = choiceOf(userId);
    where.anyChosen(
      choice,
      'EXISTS (SELECT 1 FROM resources.team_members m WHERE m.team_id = teams.id AND m.member_id = ANY(?::uuid[]))',
      [uuidsOf('member', choice.values)],
      'NOT EXISTS (SELECT 1 FROM resources.team_members m WHERE m.team_id = teams.id)',
    );
  }
  return q ? where.and('(name ILIKE ? OR slug ILIKE ?)', containing(q), containing(q)) : where;
}

/** The slug, unless another team of the tenant has it. */
export async function slugIsTaken(tx: Tx, { organizationId, environment, id, slug }: TeamEntity): Promise<boolean> {
  const taken = await tx.query(
    'SELECT 1 FROM resources.teams WHERE organization_id = $1 AND environment = $2 AND slug = $3 AND id <> $4',
    [organizationId, environment, slug, id],
  );
  return taken.length > 0;
}

export async function replaceTeamMembers(
  tx: Tx,
  { organizationId, environment, id }: TeamEntity,
  members: TeamMember[],
): Promise<void> {
  const team = [organizationId, environment, id];
  await tx.query(
    'DELETE FROM resources.team_members WHERE organization_id = $1 AND environment = $2 AND team_id = $3',
    team,
  );
  const ids = members.map(({ userId }) => userId);
  await tx.query(
    `INSERT INTO resources.team_members (organization_id, environment, team_id, member_id, role, position)
     SELECT $1, $2, $3, member.id, member.role, member.position
     FROM unnest($4::uuid[], $5::text[]) WITH ORDINALITY AS member(id, role, position)`,
    [...team, uuidsOf('member', ids), members.map(({ role }) => role)],
  );
}

/** Records that may belong to a team. */
const belonging: { resource: string; noun: Noun; table: string; condition?: string }[] = [
  { resource: 'integration', noun: 'integration', table: 'integrations', condition: 'AND deleted_at IS NULL' },
  { resource: 'workflow', noun: 'workflow', table: 'workflows' },
  { resource: 'schedule', noun: 'schedule', table: 'schedules' },
  { resource: 'escalation_policy', noun: 'escalationPolicy', table: 'escalation_policies' },
  { resource: 'suppression_window', noun: 'suppressionWindow', table: 'suppression_windows' },
];

/** Up to ten records of each kind that belong to the team, and up to ten policies that page it. */
export async function recordsUsing(tx: Tx, team: TeamEntity): Promise<Reference[]> {
  const found = await policiesNaming(tx, 'team', team);
  for (const { resource, noun, table, condition = '' } of belonging) {
    const records = await referencesIn(
      tx,
      resource,
      noun,
      `SELECT id, name FROM resources.${table}
       WHERE organization_id = $1 AND environment = $2 AND team_id = $3 ${condition} ORDER BY name, id`,
      [team.organizationId, team.environment, team.id],
    );
    found.push(...records.filter(({ id }) => !found.some((other) => other.id === id)));
  }
  return found;
}
