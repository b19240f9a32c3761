/**
 * Members: the people of an organization. They belong to both of its environments. Nobody has to accept an invitation: a
 * member who is invited is notified like one who is active.
 */
import {
  componentsOf,
  contactMethodTypes,
  sentContactMethods,
  validateContactMethods,
  type ContactMethodType,
  type SentContactMethod,
  type Negatable,
} from '@ams/domain';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Clearable, nullableText, Once, ListQuery, SearchText, Sent, time, worded } from './common.js';
import { ChoiceFilter, SortField } from './filters.js';
import { NameField, SettingField, TimeZoneField } from './fields.js';
import { IsEmailAddress } from './validators.js';

export const memberRoles = ['owner', 'admin', 'responder', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];
export const memberStatuses = ['active', 'invited', 'disabled'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export class ContactMethod {
  @ApiProperty({ enum: contactMethodTypes }) type!: ContactMethodType;
  @ApiProperty() address!: string;
  @ApiProperty() verified!: boolean;
}

/** A member as the writes of members show it. The reads also say who is on call. */
export class MemberRecord {
  @ApiProperty() id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ format: 'email' }) email!: string;
  @ApiProperty({
    enum: memberRoles,
    enumName: 'MemberRole',
    description: 'A name for a set of scopes.',
  })
  role!: MemberRole;
  @ApiProperty({
    enum: memberStatuses,
    enumName: 'MemberStatus',
    description:
      'Members who are `invited` or `active` can be on call and are notified. A `disabled` member is not notified ' +
      'and cannot act.',
  })
  status!: MemberStatus;
  @ApiProperty({ description: 'IANA time zone.' }) timezone!: string;
  @ApiProperty({ type: [ContactMethod], description: 'Begins with the e-mail address, to which messages are sent.' })
  contactMethods!: ContactMethod[];
  @ApiProperty({ ...nullableText, description: 'The id in the system that provisions the members.' })
  externalId!: string | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export class Member extends MemberRecord {
  @ApiProperty({ description: 'Whether the member is on call now in a schedule in the environment of the key.' })
  isOnCall!: boolean;
}

export const maxEmailLength = 254;
const maxExternalIdLength = 255;

/** The fields of an invitation; in a PUT all are optional. */
const emailChecks = () => applyDecorators(IsEmailAddress(), MaxLength(maxEmailLength));
const emailSchema = { format: 'email', maxLength: maxEmailLength, description: 'Unique in the organization.' };
const roleSchema = {
  enum: memberRoles,
  enumName: 'MemberRole',
  description: 'A key cannot give a role that has a scope which the key does not have.',
};
const contactMethodsField = () =>
  SettingField(sentContactMethods, {
    description:
      'Further addresses. They replace those that are there, and count as verified, as the e-mail address does: ' +
      'whoever may write members answers for them.',
  });
const externalIdField = () =>
  applyDecorators(
    ApiPropertyOptional({
      ...nullableText,
      minLength: 1,
      maxLength: maxExternalIdLength,
      description: 'The id in the system that provisions the members. Unique in the organization.',
    }),
    Clearable(),
    IsString(),
    Matches(/\S/, { message: 'externalId must not be empty' }),
    MaxLength(maxExternalIdLength),
  );

export class PostMember {
  @NameField()
  name!: string;

  @ApiProperty(emailSchema)
  @emailChecks()
  email!: string;

  @ApiPropertyOptional({ ...roleSchema, default: 'responder' })
  @Sent()
  @IsIn(memberRoles)
  role?: MemberRole;

  @TimeZoneField({ presence: 'kept', description: 'IANA time zone.', default: 'UTC' })
  timezone?: string;

  @contactMethodsField()
  contactMethods?: SentContactMethod[];

  @externalIdField()
  externalId?: string | null;
}

export class PutMember {
  @NameField({ presence: 'kept' })
  name?: string;

  @ApiPropertyOptional(emailSchema)
  @Sent()
  @emailChecks()
  email?: string;

  @ApiPropertyOptional(roleSchema)
  @Sent()
  @IsIn(memberRoles)
  role?: MemberRole;

  @TimeZoneField({ presence: 'kept', description: 'IANA time zone.' })
  timezone?: string;

  @contactMethodsField()
  contactMethods?: SentContactMethod[];

  @externalIdField()
  externalId?: string | null;
}

const contactFaults = ({ contactMethods, email }: Record<string, unknown>): FieldFault[] =>
  contactMethods === undefined ? [] : worded(validateContactMethods(contactMethods, email));
const contactSchemas = componentsOf(sentContactMethods);

export const memberSorts = ['name', '-name', 'createdAt', '-createdAt'] as const;

export class ListMembersQuery extends ListQuery {
  @ChoiceFilter({
    allowed: memberRoles,
    description: 'Only members in one of these roles.',
    example: ['responder', 'admin'],
  })
  role?: Negatable<MemberRole>[];

  @ChoiceFilter({
    allowed: memberStatuses,
    description: 'Only members with one of these statuses.',
    example: ['active'],
  })
  status?: Negatable<MemberStatus>[];

  @ChoiceFilter({
    description: 'Only members with one of these e-mail addresses, regardless of case.',
    example: ['mira@example.com'],
  })
  email?: string[];

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Only members who are on call now, or only those who are not.',
  })
  @Once()
  @IsOptional()
  @IsIn(['true', 'false'])
  isOnCall?: 'true' | 'false';

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only members with one of these external ids.',
    example: ['00u1a2b3c4'],
  })
  externalId?: string[];

  @SearchText('name or the e-mail address', 'mira')
  q?: string;

  @SortField(memberSorts, 'name')
  sort?: (typeof memberSorts)[number];
}

export const memberRecordExample: MemberRecord = {
  id: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030',
  name: 'Mira Okafor',
  email: 'mira@example.com',
  role: 'responder',
  status: 'active',
  timezone: 'Europe/Berlin',
  contactMethods: [{ type: 'email', address: 'mira@example.com', verified: true }],
  externalId: '00u1a2b3c4',
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};
const memberExample: Member = { ...memberRecordExample, isOnCall: true };

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

export const getMember = operation({
  id: 'members.get',
  operationId: 'getMember',
  owner: 'resource-api',
  method: 'GET',
  path: '/users/{id}',
  scope: 'users:read',
  tag: 'Users',
  summary: 'Get a member',
  description: 'A person of the organization, and whether the member is on call now.',
  reply: 'one',
  item: Member,
  versioned: true,
  faults: [],
  example: { params: { id: memberExample.id }, reply: { data: memberExample } },
});

const invited: MemberRecord = { ...memberRecordExample, status: 'invited' };

export const inviteMember = operation({
  id: 'members.invite',
  operationId: 'inviteMember',
  owner: 'auth',
  method: 'POST',
  path: '/users',
  scope: 'users:write',
  tag: 'Users',
  summary: 'Invite a member',
  description:
    'Adds a person to the organization with the status `invited`. The member can be on call at once, is notified at ' +
    'the e-mail address, and may act by the links in those messages. Needs a key of the live environment, because ' +
    'members belong to both. An organization has at most 10,000 members.',
  body: PostMember,
  check: contactFaults,
  schemas: contactSchemas,
  reply: 'created',
  item: MemberRecord,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: {
      name: invited.name,
      email: invited.email,
      role: invited.role,
      timezone: invited.timezone,
      externalId: invited.externalId,
    },
    reply: { data: invited },
  },
});

export const updateMember = operation({
  id: 'members.update',
  operationId: 'updateMember',
  owner: 'auth',
  method: 'PUT',
  path: '/users/{id}',
  scope: 'users:write',
  tag: 'Users',
  summary: 'Update a member',
  description:
    'Changes the fields that are sent. A key cannot change a member whose present or new role has a scope that the key ' +
    'does not have. The last active owner keeps the role. Needs a key of the live environment.',
  body: PutMember,
  check: contactFaults,
  schemas: contactSchemas,
  reply: 'one',
  item: MemberRecord,
  versioned: true,
  faults: ['CONFLICT'],
  example: { params: { id: invited.id }, body: { timezone: 'Europe/London' }, reply: { data: memberRecordExample } },
});

export const disableMember = operation({
  id: 'members.disable',
  operationId: 'disableMember',
  owner: 'auth',
  method: 'POST',
  path: '/users/{id}/disable',
  scope: 'users:write',
  tag: 'Users',
  summary: 'Disable a member',
  description:
    'The member is no longer notified and can no longer act, at once. Schedules and workflows still name the member: ' +
    'when it is the turn of the member, or a step notifies the member, the notification is recorded as skipped. ' +
    'Replace the member there, or enable the member again. The last active owner cannot be disabled. Needs a key of ' +
    'the live environment.',
  reply: 'one',
  item: MemberRecord,
  versioned: true,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: { params: { id: invited.id }, reply: { data: { ...memberRecordExample, status: 'disabled', version: 2 } } },
});

export const enableMember = operation({
  id: 'members.enable',
  operationId: 'enableMember',
  owner: 'auth',
  method: 'POST',
  path: '/users/{id}/enable',
  scope: 'users:write',
  tag: 'Users',
  summary: 'Enable a member',
  description: 'A disabled member is active again. Needs a key of the live environment.',
  reply: 'one',
  item: MemberRecord,
  versioned: true,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: { params: { id: invited.id }, reply: { data: memberRecordExample } },
});

export const deleteMember = operation({
  id: 'members.delete',
  operationId: 'deleteMember',
  owner: 'auth',
  method: 'DELETE',
  path: '/users/{id}',
  scope: 'users:write',
  tag: 'Users',
  summary: 'Delete a member',
  description:
    'The name, the addresses, the devices, the sessions, the calendar feed and the own views of the member are deleted, ' +
    'at once; so is the account, when the person is a member of no other organization. Records of the past keep the id ' +
    'and the name as they recorded it; shifts of the past show `Deleted member`. A member whom a schedule, an override ' +
    'that has not ended, a workflow, an escalation policy or a team names in one of the environments is not deleted: ' +
    '409, with what names the member. Layers for everybody leave the member out within seconds. The last active owner ' +
    'cannot be deleted. A key cannot delete a member whose role has a scope that the key does not have. Needs a key ' +
    'of the live environment.',
  reply: 'none',
  versioned: true,
  faults: ['CONFLICT', 'RESOURCE_IN_USE', 'VERSION_MISMATCH'],
  example: { params: { id: invited.id }, reply: null },
});

export const memberOperations = [
  listMembers,
  getMember,
  inviteMember,
  updateMember,
  disableMember,
  enableMember,
  deleteMember,
];
