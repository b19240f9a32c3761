/** The settings of an organization, for each environment. */
import {
  componentsOf,
  defaultLimits,
  defaultOrganizationSettings,
  limitKinds,
  organizationSettingsSchema,
  type FlapSettings,
  type LimitKind,
  type Severity,
} from '@ams/domain';
import { environments, type Environment } from '@ams/scopes';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString } from 'class-validator';
import { operation } from '../operation.js';
import { Clearable, nullableText, nullableTime, Sent } from './common.js';
import { SettingField } from './fields.js';

const settingsSchemas = componentsOf(organizationSettingsSchema);
const { highUrgencySeverities, flap, defaultWindowSeconds } = organizationSettingsSchema.properties;

const catchAll = 'The escalation policy for alerts that nothing else pages for. Null: the owners, by e-mail.';
const urgent = 'The severities that are urgent, with all that are more severe.';

export class Organization {
  @ApiProperty() id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ enum: environments, enumName: 'Environment', description: 'The environment of these settings.' })
  environment!: Environment;
  @ApiProperty({ ...nullableText, description: catchAll }) catchAllPolicyId!: string | null;
  @SettingField(highUrgencySeverities, { required: true, description: urgent })
  highUrgencySeverities!: Severity[];
  @SettingField(flap, { required: true }) flap!: FlapSettings;
  @SettingField(defaultWindowSeconds, { required: true }) defaultWindowSeconds!: number;
  @ApiProperty({ ...nullableTime, description: 'Null: the settings are the defaults.' }) updatedAt!: string | null;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export class PutOrganization {
  @ApiPropertyOptional({ ...nullableText, description: catchAll })
  @Clearable()
  @IsString()
  catchAllPolicyId?: string | null;

  @SettingField(highUrgencySeverities, { description: urgent })
  highUrgencySeverities?: Severity[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'The fields of `FlapSettings` that change.',
  })
  @Sent()
  @IsObject()
  flap?: Partial<FlapSettings>;

  @SettingField(defaultWindowSeconds)
  defaultWindowSeconds?: number;
}

/** How much of one limit is used. */
export class LimitUsage {
  @ApiProperty({ enum: limitKinds, enumName: 'LimitKind', description: 'What is limited.' }) kind!: LimitKind;
  @ApiProperty({ type: 'integer', minimum: 0 }) used!: number;
  @ApiProperty({ type: 'integer', minimum: 0 }) limit!: number;
  @ApiProperty({ ...nullableTime, description: 'When the count begins again. Null: when records are deleted.' })
  resetsAt!: string | null;
}

export class OrganizationUsage {
  @ApiProperty({
    enum: environments,
    enumName: 'Environment',
    description: 'Records of this environment are counted; members and messages belong to the whole organization.',
  })
  environment!: Environment;
  @ApiProperty({ type: [LimitUsage] }) usage!: LimitUsage[];
}

const organizationExample: Organization = {
  id: 'org_01938f3a7c2e7d4ab1c2d3e4f5060001',
  name: 'Example',
  environment: 'live',
  ...defaultOrganizationSettings,
  catchAllPolicyId: 'pol_01938f3a7c2e7d4ab1c2d3e4f5060120',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};

export const getOrganization = operation({
  id: 'organization.get',
  operationId: 'getOrganization',
  owner: 'resource-api',
  method: 'GET',
  path: '/organization',
  scope: 'escalation_policies:read',
  tag: 'Organization',
  summary: 'Get the organization',
  description: 'The organization of the key, and its settings in the environment of the key.',
  reply: 'one',
  item: Organization,
  schemas: settingsSchemas,
  versioned: true,
  example: { reply: { data: organizationExample } },
});

export const updateOrganization = operation({
  id: 'organization.update',
  operationId: 'updateOrganization',
  owner: 'resource-api',
  method: 'PUT',
  path: '/organization',
  scope: 'organization:write',
  tag: 'Organization',
  summary: 'Update the settings of the organization',
  description:
    'Changes the settings that are sent and keeps the others, also those in `flap`; they apply to the environment of ' +
    'the key.',
  body: PutOrganization,
  reply: 'one',
  item: Organization,
  schemas: settingsSchemas,
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: {
    body: { defaultWindowSeconds: 1800 },
    reply: { data: { ...organizationExample, defaultWindowSeconds: 1800, version: 2 } },
  },
});

export const getOrganizationUsage = operation({
  id: 'organization.usage',
  operationId: 'getOrganizationUsage',
  owner: 'resource-api',
  method: 'GET',
  path: '/organization/usage',
  scope: 'escalation_policies:read',
  tag: 'Organization',
  summary: 'Get what is used of the limits',
  description:
    'The limits of the organization, and how much of each is used. A creation over a limit is refused with ' +
    '`QUOTA_EXCEEDED`; a mail over `outsideMailsPerDay` is `skipped`.',
  reply: 'one',
  item: OrganizationUsage,
  example: {
    reply: {
      data: {
        environment: 'live',
        usage: [
          { kind: 'workflows', used: 12, limit: defaultLimits.workflows, resetsAt: null },
          {
            kind: 'outsideMailsPerDay',
            used: 37,
            limit: defaultLimits.outsideMailsPerDay,
            resetsAt: '2026-11-21T00:00:00.000Z',
          },
        ],
      },
    },
  },
});

export const organizationOperations = [getOrganization, getOrganizationUsage, updateOrganization];
