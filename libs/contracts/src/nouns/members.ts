/** Members: the people of an organization. An operator or an invitation creates them, not the API. */
import { personalChannels, type PersonalChannel } from '@ams/domain';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { operation } from '../operation.js';
import { CommaSeparated, Once, PageQuery, SearchText, sorting, time } from './common.js';

export const memberRoles = ['owner', 'admin', 'responder', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];
export const memberStatuses = ['active', 'invited', 'disabled'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export class ContactMethod {
  @ApiProperty({ enum: personalChannels }) type!: PersonalChannel;
  @ApiProperty() address!: string;
  @ApiProperty() verified!: boolean;
}

export class Member {
  @ApiProperty() id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ format: 'email' }) email!: string;
  @ApiProperty({
    enum: memberRoles,
    enumName: 'MemberRole',
    description: 'A name for a set of scopes.',
  })
  role!: MemberRole;
  @ApiProperty({ enum: memberStatuses, enumName: 'MemberStatus' }) status!: MemberStatus;
  @ApiProperty({ description: 'IANA time zone.' }) timezone!: string;
  @ApiProperty({ type: [ContactMethod] }) contactMethods!: ContactMethod[];
  @ApiProperty({ description: 'Whether the member is on call now in a schedule in the environment of the key.' })
  isOnCall!: boolean;
  @ApiProperty({ ...time }) createdAt!: string;
}

export const memberSorts = ['name', '-name', 'createdAt', '-createdAt'] as const;

export class ListMembersQuery extends PageQuery {
  @ApiPropertyOptional({
    enum: memberRoles,
    enumName: 'MemberRole',
    isArray: true,
    description: 'Only members in one of these roles.',
    example: ['responder', 'admin'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @IsIn(memberRoles, { each: true })
  role?: MemberRole[];

  @ApiPropertyOptional({
    enum: memberStatuses,
    enumName: 'MemberStatus',
    isArray: true,
    description: 'Only members with one of these statuses.',
    example: ['active'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @IsIn(memberStatuses, { each: true })
  status?: MemberStatus[];

  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    description: 'Only members with one of these e-mail addresses, regardless of case.',
    example: ['mira@example.com'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  email?: string[];

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Only members who are on call now, or only those who are not.',
  })
  @Once()
  @IsOptional()
  @IsIn(['true', 'false'])
  isOnCall?: 'true' | 'false';

  @SearchText('name or the e-mail address', 'mira')
  q?: string;

  @ApiPropertyOptional({ enum: memberSorts, default: 'name', ...sorting })
  @Once()
  @IsOptional()
  @IsIn(memberSorts)
  sort?: (typeof memberSorts)[number];
}

const memberExample: Member = {
  id: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030',
  name: 'Mira Okafor',
  email: 'mira@example.com',
  role: 'responder',
  status: 'active',
  timezone: 'Europe/Berlin',
  contactMethods: [{ type: 'email', address: 'mira@example.com', verified: true }],
  isOnCall: true,
  createdAt: '2026-11-20T13:00:00.000Z',
};

export const listMembers = operation({
  id: 'members.list',
  operationId: 'listMembers',
  owner: 'resource-api',
  method: 'GET',
  path: '/users',
  scope: 'users:read',
  tag: 'Users',
  summary: 'List organization members',
  description:
    'The people of the organization. By default, they are sorted by name. Each entry shows whether the member ' +
    'is on call now.',
  query: ListMembersQuery,
  reply: 'list',
  item: Member,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { role: 'responder,admin' },
    reply: { data: [memberExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const memberOperations = [listMembers];
