/** Teams: members who are responsible together. Labels of alerts name a team by its slug. */
import {
  componentsOf,
  sentTeamMembers,
  teamMembers,
  validateTeamMembers,
  type PostTeamMember,
  type TeamMember,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Clearable, nullableText, ListQuery, SearchText, time, worded } from './common.js';
import { ChoiceFilter, SortField } from './filters.js';
import { NameField, SettingField, SlugField, TextField } from './fields.js';

export type { PostTeamMember, TeamMember };

const teamSchemas = componentsOf(teamMembers, sentTeamMembers);

export class Team {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 200 }) name!: string;
  @ApiProperty({ description: 'Unique in the environment. Labels of alerts name the team by it.' }) slug!: string;
  @ApiProperty({ ...nullableText }) description!: string | null;
  @SettingField(teamMembers, { required: true }) members!: TeamMember[];
  @ApiProperty({
    ...nullableText,
    description: 'The escalation policy for the alerts of the team. Null: the catch-all policy of the organization.',
  })
  policyId!: string | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export class PutTeam {
  @NameField({ presence: 'kept' })
  name?: string;

  @SlugField({ presence: 'kept', description: 'When it is left out at creation, it is made from the name.' })
  slug?: string;

  @TextField(4096, { presence: 'clearable' })
  description?: string | null;

  @SettingField(sentTeamMembers, { description: 'Replaces all members.' })
  members?: PostTeamMember[];

  @ApiPropertyOptional({ ...nullableText })
  @Clearable()
  @IsString()
  policyId?: string | null;
}

export class PostTeam extends OmitType(PutTeam, ['name'] as const) {
  @NameField()
  name!: string;
}

export const teamSorts = ['name', '-name', 'slug', '-slug', 'createdAt', '-createdAt'] as const;

export class ListTeamsQuery extends ListQuery {
  @ChoiceFilter({
    description: 'Only teams with one of these slugs.',
    example: ['payments'],
  })
  slug?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only teams with one of these escalation policies.',
    example: ['pol_01938f3a7c2e7d4ab1c2d3e4f5060120'],
  })
  policyId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only teams that include one of these members.',
    example: ['usr_01938f3a7c2e7d4ab1c2d3e4f5060030'],
  })
  userId?: string[];

  @SearchText('name or the slug', 'pay')
  q?: string;

  @SortField(teamSorts, 'name')
  sort?: (typeof teamSorts)[number];
}

/** Null is refused: an empty list removes all members. */
const memberFaults = ({ members }: Record<string, unknown>): FieldFault[] =>
  members === undefined ? [] : worded(validateTeamMembers(members));

const teamExample: Team = {
  id: 'tem_01938f3a7c2e7d4ab1c2d3e4f5060110',
  name: 'Payments',
  slug: 'payments',
  description: 'Checkout, cards and invoices',
  members: [
    { userId: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030', role: 'manager' },
    { userId: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060031', role: 'responder' },
  ],
  policyId: 'pol_01938f3a7c2e7d4ab1c2d3e4f5060120',
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};
const { id } = teamExample;

export const listTeams = operation({
  id: 'teams.list',
  operationId: 'listTeams',
  owner: 'resource-api',
  method: 'GET',
  path: '/teams',
  scope: 'teams:read',
  tag: 'Teams',
  summary: 'List teams',
  description: 'The teams in the environment of the key. By default, they are sorted by name.',
  query: ListTeamsQuery,
  reply: 'list',
  item: Team,
  schemas: teamSchemas,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { q: 'pay' },
    reply: { data: [teamExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const createTeam = operation({
  id: 'teams.create',
  operationId: 'createTeam',
  owner: 'resource-api',
  method: 'POST',
  path: '/teams',
  scope: 'teams:write',
  tag: 'Teams',
  summary: 'Create a team',
  description: 'A slug that another team has is refused with 409.',
  body: PostTeam,
  check: memberFaults,
  reply: 'created',
  item: Team,
  schemas: teamSchemas,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { name: 'Payments', members: teamExample.members.slice(0, 1), policyId: teamExample.policyId },
    reply: { data: { ...teamExample, description: null, members: teamExample.members.slice(0, 1) } },
  },
});

export const getTeam = operation({
  id: 'teams.get',
  operationId: 'getTeam',
  owner: 'resource-api',
  method: 'GET',
  path: '/teams/{id}',
  scope: 'teams:read',
  tag: 'Teams',
  summary: 'Get a team',
  description: 'One team.',
  reply: 'one',
  item: Team,
  schemas: teamSchemas,
  versioned: true,
  example: { params: { id }, reply: { data: teamExample } },
});

export const updateTeam = operation({
  id: 'teams.update',
  operationId: 'updateTeam',
  owner: 'resource-api',
  method: 'PUT',
  path: '/teams/{id}',
  scope: 'teams:write',
  tag: 'Teams',
  summary: 'Update a team',
  description:
    'Changes the fields that are sent and keeps the others; `null` clears a field. `members` replaces all members.',
  body: PutTeam,
  check: memberFaults,
  reply: 'one',
  item: Team,
  schemas: teamSchemas,
  versioned: true,
  faults: ['CONFLICT', 'VERSION_MISMATCH'],
  example: {
    params: { id },
    body: { description: 'Checkout, cards and invoices' },
    reply: { data: { ...teamExample, version: 2 } },
  },
});

export const deleteTeam = operation({
  id: 'teams.delete',
  operationId: 'deleteTeam',
  owner: 'resource-api',
  method: 'DELETE',
  path: '/teams/{id}',
  scope: 'teams:write',
  tag: 'Teams',
  summary: 'Delete a team',
  description:
    'A team that an escalation policy pages, or that integrations, workflows, schedules, policies or suppression ' +
    'windows belong to, is not deleted: 409.',
  reply: 'none',
  versioned: true,
  faults: ['RESOURCE_IN_USE', 'VERSION_MISMATCH'],
  example: { params: { id }, reply: null },
});

export const teamOperations = [listTeams, createTeam, getTeam, updateTeam, deleteTeam];
