/** Escalation policies: levels of people, who are told one after another until somebody acknowledges. */
import {
  componentsOf,
  normalizedPolicy,
  policySchema,
  validatePolicy,
  type PolicyLevel,
  type PostPolicyLevel,
} from '@ams/domain';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { addressNote, Instant, nullableText, nullableTime, ListQuery, SearchText, time, worded } from './common.js';
import { SortField } from './filters.js';
import { NameField, SettingField, TextField } from './fields.js';
import { TeamField, TeamFilter, TeamId } from './team-field.js';

export type { PolicyLevel, PostPolicyLevel };

const policySchemas = componentsOf(policySchema);
const { levels, repeat, ackTimeoutSeconds } = policySchema.properties;

export class EscalationPolicy {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 200 }) name!: string;
  @ApiProperty({ ...nullableText }) description!: string | null;
  @TeamId() teamId!: string | null;
  @ApiProperty({
    type: 'array',
    items: { $ref: '#/components/schemas/PolicyLevel' },
    description:
      'In order. Secrets, the addresses of chats, and what may be a token in those of webhooks are shown as `********`.',
  })
  levels!: PolicyLevel[];
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 9, description: 'How often all levels are repeated.' })
  repeat!: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The time after which an acknowledgement ends and the escalation begins again; null: it stays.',
  })
  ackTimeoutSeconds!: number | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export class PutEscalationPolicy {
  @NameField({ presence: 'kept' })
  name?: string;

  @TextField(4096, { presence: 'clearable' })
  description?: string | null;

  @TeamField()
  teamId?: string | null;

  @SettingField(levels)
  levels?: PostPolicyLevel[];

  @SettingField(repeat, { default: 0 })
  repeat?: number;

  @SettingField(ackTimeoutSeconds)
  ackTimeoutSeconds?: number | null;
}

export class PostEscalationPolicy extends OmitType(PutEscalationPolicy, ['name', 'levels'] as const) {
  @NameField()
  name!: string;

  @SettingField(levels, { required: true })
  levels!: PostPolicyLevel[];
}

export const escalationPolicySorts = ['name', '-name', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const;

export class ListEscalationPoliciesQuery extends ListQuery {
  @TeamFilter('policies')
  teamId?: string[];

  @SearchText('name', 'payments')
  q?: string;

  @SortField(escalationPolicySorts, 'name')
  sort?: (typeof escalationPolicySorts)[number];
}

export class CurrentRecipientsQuery {
  @Instant('The time to check. Default: now.')
  at?: string;
}

export class CurrentRecipient {
  @ApiProperty({ description: '`email`, or the kind of a channel.' }) channel!: string;
  @ApiProperty({ description: 'The e-mail address, or the host of the channel.' }) target!: string;
  @ApiProperty({ ...nullableText, description: 'The member; null for a channel and a plain address.' })
  userId!: string | null;
  @ApiProperty({ ...nullableText }) userName!: string | null;
  @ApiProperty({ ...nullableText, description: 'The schedule that has the member on call.' })
  scheduleId!: string | null;
  @ApiProperty({ ...nullableText }) scheduleName!: string | null;
  @ApiProperty({ ...nullableTime, description: 'The end of the shift, when the target is a schedule.' })
  until!: string | null;
  @ApiProperty({ description: 'Why the recipient would be told.' }) why!: string;
  @ApiProperty({ ...nullableText, description: 'Why the recipient cannot be told; null when it can.' })
  unreachable!: string | null;
}

export class CurrentLevel {
  @ApiProperty() id!: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'The number of the level.' }) level!: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'The time from the page to this level in the first round.' })
  afterSeconds!: number;
  @ApiProperty({ type: [CurrentRecipient], description: 'Each once, also when several targets come to the same.' })
  recipients!: CurrentRecipient[];
  @ApiProperty({ description: 'Whether the level would be passed at once, because nobody can be told.' })
  isEmpty!: boolean;
}

export class CurrentRecipients {
  @ApiProperty() policyId!: string;
  @ApiProperty({ ...time }) at!: string;
  @ApiProperty({ type: [CurrentLevel] }) levels!: CurrentLevel[];
}

/** Validates the levels, `repeat` and `ackTimeoutSeconds` together by the rules of the domain. */
export const policyFaults = ({ levels: sent, ...others }: Record<string, unknown>): FieldFault[] =>
  worded(validatePolicy({ levels: sent, repeat: others['repeat'], ackTimeoutSeconds: others['ackTimeoutSeconds'] }));

const sentLevels: PostPolicyLevel[] = [
  {
    targets: [{ type: 'schedule', id: 'sch_01938f3a7c2e7d4ab1c2d3e4f5060050' }],
    escalateAfterSeconds: 300,
  },
  { id: 'managers', targets: [{ type: 'team', id: 'tem_01938f3a7c2e7d4ab1c2d3e4f5060110' }] },
];

const policyExample: EscalationPolicy = {
  id: 'pol_01938f3a7c2e7d4ab1c2d3e4f5060120',
  name: 'Payments',
  description: null,
  teamId: 'tem_01938f3a7c2e7d4ab1c2d3e4f5060110',
  ...normalizedPolicy({ levels: sentLevels, repeat: 2 }),
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};
const { id } = policyExample;

const recipientExample: CurrentRecipient = {
  channel: 'email',
  target: 'mira@example.com',
  userId: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030',
  userName: 'Mira Okafor',
  scheduleId: 'sch_01938f3a7c2e7d4ab1c2d3e4f5060050',
  scheduleName: 'Primary',
  until: '2026-11-23T08:00:00.000Z',
  why: 'You are on call in "Primary".',
  unreachable: null,
};

export const listEscalationPolicies = operation({
  id: 'escalationPolicies.list',
  operationId: 'listEscalationPolicies',
  owner: 'resource-api',
  method: 'GET',
  path: '/escalation-policies',
  scope: 'escalation_policies:read',
  tag: 'Escalation policies',
  summary: 'List escalation policies',
  description: 'The policies in the environment of the key. By default, they are sorted by name.',
  query: ListEscalationPoliciesQuery,
  reply: 'list',
  item: EscalationPolicy,
  schemas: policySchemas,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { q: 'payments' },
    reply: { data: [policyExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const createEscalationPolicy = operation({
  id: 'escalationPolicies.create',
  operationId: 'createEscalationPolicy',
  owner: 'resource-api',
  method: 'POST',
  path: '/escalation-policies',
  scope: 'escalation_policies:write',
  tag: 'Escalation policies',
  summary: 'Create an escalation policy',
  description:
    'The targets of the first level are told at once, those of the next one when nobody has acknowledged after ' +
    '`escalateAfterSeconds`. A level whose targets come to nobody is passed at once.',
  body: PostEscalationPolicy,
  check: policyFaults,
  reply: 'created',
  item: EscalationPolicy,
  schemas: policySchemas,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { name: 'Payments', teamId: policyExample.teamId, levels: sentLevels, repeat: 2 },
    reply: { data: policyExample },
  },
});

export const getEscalationPolicy = operation({
  id: 'escalationPolicies.get',
  operationId: 'getEscalationPolicy',
  owner: 'resource-api',
  method: 'GET',
  path: '/escalation-policies/{id}',
  scope: 'escalation_policies:read',
  tag: 'Escalation policies',
  summary: 'Get an escalation policy',
  description: 'One policy.',
  reply: 'one',
  item: EscalationPolicy,
  schemas: policySchemas,
  versioned: true,
  example: { params: { id }, reply: { data: policyExample } },
});

export const updateEscalationPolicy = operation({
  id: 'escalationPolicies.update',
  operationId: 'updateEscalationPolicy',
  owner: 'resource-api',
  method: 'PUT',
  path: '/escalation-policies/{id}',
  scope: 'escalation_policies:write',
  tag: 'Escalation policies',
  summary: 'Update an escalation policy',
  description:
    'Changes the fields that are sent and keeps the others; `null` clears a field. `levels` replaces all levels. ' +
    'The change concerns everything that uses the policy, from the next level on.',
  body: PutEscalationPolicy,
  reply: 'one',
  item: EscalationPolicy,
  schemas: policySchemas,
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: {
    params: { id },
    body: { repeat: 3 },
    reply: { data: { ...policyExample, repeat: 3, version: 2 } },
  },
});

export const deleteEscalationPolicy = operation({
  id: 'escalationPolicies.delete',
  operationId: 'deleteEscalationPolicy',
  owner: 'resource-api',
  method: 'DELETE',
  path: '/escalation-policies/{id}',
  scope: 'escalation_policies:write',
  tag: 'Escalation policies',
  summary: 'Delete an escalation policy',
  description: 'A policy of a team or of a workflow, and the catch-all policy, are not deleted: 409.',
  reply: 'none',
  versioned: true,
  faults: ['RESOURCE_IN_USE', 'VERSION_MISMATCH'],
  example: { params: { id }, reply: null },
});

export const getCurrentRecipients = operation({
  id: 'escalationPolicies.current',
  operationId: 'getCurrentRecipients',
  owner: 'resource-api',
  method: 'GET',
  path: '/escalation-policies/{id}/current',
  scope: 'escalation_policies:read',
  tag: 'Escalation policies',
  summary: 'Get who would be told now',
  description: `The recipients of each level, as a page would find them at this time. ${addressNote}`,
  query: CurrentRecipientsQuery,
  reply: 'one',
  item: CurrentRecipients,
  example: {
    params: { id },
    reply: {
      data: {
        policyId: id,
        at: '2026-11-20T14:00:00.000Z',
        levels: [
          { id: 'level-1', level: 1, afterSeconds: 0, recipients: [recipientExample], isEmpty: false },
          {
            id: 'managers',
            level: 2,
            afterSeconds: 300,
            recipients: [
              { ...recipientExample, scheduleId: null, scheduleName: null, until: null, why: 'You are in "Payments".' },
            ],
            isEmpty: false,
          },
        ],
      },
    },
  },
});

export const escalationPolicyOperations = [
  listEscalationPolicies,
  createEscalationPolicy,
  getEscalationPolicy,
  updateEscalationPolicy,
  deleteEscalationPolicy,
  getCurrentRecipients,
];
