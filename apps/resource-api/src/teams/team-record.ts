/** Teams as the API answers them. Members are rows of their own. */
import { publicId, uuidOf, type PutTeam, type Team, type TeamMember } from '@ams/contracts';
import { slugOf, wholeTeamMembers } from '@ams/domain';
import { randomBytes } from 'node:crypto';
import { patched, type RecordKind } from '../records/entity-records.js';
import { TeamEntity } from './team.entity.js';

export const teams: RecordKind<TeamEntity> = { entity: TeamEntity, noun: 'team', resource: 'team' };

/** What a caller decides: the columns, and the members with their public ids. */
export interface TeamSettings extends Pick<TeamEntity, 'name' | 'slug' | 'description' | 'policyId'> {
  members: TeamMember[];
}

/** A caller must send a name. */
export const teamDefaults: TeamSettings = { name: '', slug: '', description: null, policyId: null, members: [] };

export const changedTeam = (before: TeamSettings, { members, policyId, ...sent }: PutTeam): TeamSettings => ({
  name: patched(before.name, sent.name),
  slug: patched(before.slug, sent.slug),
  description: patched(before.description, sent.description),
  policyId: policyId ? uuidOf('escalationPolicy', policyId) : patched(before.policyId, policyId),
  members: patched(before.members, members && wholeTeamMembers(members)),
});

/** Random when the name has no ASCII letter or digit. */
export const teamSlugOf = (name: string): string => slugOf(name) || `team-${randomBytes(3).toString('hex')}`;

export const teamRecord = (team: TeamEntity, members: TeamMember[]): Team => ({
  id: publicId('team', team.id),
  name: team.name,
  slug: team.slug,
  description: team.description,
  members,
  policyId: publicId('escalationPolicy', team.policyId),
  createdAt: team.createdAt.toISOString(),
  updatedAt: team.updatedAt.toISOString(),
  version: team.version,
});
