/** Integrations: one sender, one ingest token, its mapping. */
import {
  componentsOf,
  integrationTypes,
  mappingFields,
  receivingApis,
  severities,
  validateMappingSettings,
  type AlertStatus,
  type FieldMapping,
  type IgnoreCondition,
  type ReceivingApi,
  type Severity,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import {
  Clearable,
  nullableText,
  nullableTime,
  Once,
  ListQuery,
  SearchText,
  Sent,
  stringMap,
  time,
  worded,
} from './common.js';
import { NameField, SettingField } from './fields.js';
import { ChoiceFilter, SortField } from './filters.js';
import { TeamField, TeamFilter, TeamId } from './team-field.js';

const integrationTypeNames = integrationTypes.map(({ type }) => type);

export const dedupScopes = ['integration', 'organization'] as const;
export type DedupScope = (typeof dedupScopes)[number];

const mappingSchemas = componentsOf(...Object.values(mappingFields));
const listOf = (component: string) =>
  ({ type: 'array', items: { $ref: `#/components/schemas/${component}` } }) as const;

const nullableMap = { ...stringMap, nullable: true } as const;

export class RateLimited {
  @ApiProperty({
    type: 'integer',
    description: 'The total number of requests that the rate limit of the token rejected.',
  })
  count!: number;
  @ApiProperty({ ...nullableTime }) lastAt!: string | null;
}

export class Integration {
  @ApiProperty() id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ enum: integrationTypeNames, enumName: 'IntegrationType' }) type!: string;
  @ApiProperty({ enum: ['live', 'test'] }) environment!: 'live' | 'test';
  @ApiProperty() enabled!: boolean;
  @ApiProperty({ ...nullableText }) clientId!: string | null;
  @TeamId() teamId!: string | null;
  @ApiProperty({
    description: 'Complete only in the responses to creation and token rotation; otherwise the token is masked.',
  })
  ingestUrl!: string;
  @ApiProperty({ description: 'The last four characters of the token.' }) tokenHint!: string;
  @ApiProperty(listOf('FieldMappingRule')) fieldMappings!: FieldMapping[];
  @ApiProperty({ ...nullableText }) itemsPath!: string | null;
  @ApiProperty({ type: 'array', items: { type: 'string' } }) parseJson!: string[];
  @ApiProperty({ ...nullableMap }) severityMap!: Record<string, Severity> | null;
  @ApiProperty({ ...nullableMap }) statusMap!: Record<string, AlertStatus> | null;
  @ApiProperty({ enum: severities, enumName: 'Severity', nullable: true }) defaultSeverity!: Severity | null;
  @ApiProperty({ ...stringMap }) staticLabels!: Record<string, string>;
  @ApiProperty(listOf('IgnoreWhen')) ignoreWhen!: IgnoreCondition[];
  @ApiProperty({ enum: dedupScopes }) dedupScope!: DedupScope;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'An open alert is resolved automatically after this many seconds without an event.',
  })
  autoResolveAfterSeconds!: number | null;
  @ApiProperty({ ...nullableTime }) lastEventAt!: string | null;
  @ApiProperty({ type: RateLimited }) rateLimited!: RateLimited;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

/** The only response that contains the token. */
export class IntegrationWithToken extends Integration {
  @ApiProperty({ description: 'The ingest token. It is shown only in this response.' }) token!: string;
}

export class PutIntegration {
  @NameField({ presence: 'kept' })
  name?: string;

  @ApiPropertyOptional()
  @Sent()
  @IsBoolean()
  enabled?: boolean;

  @ApiPropertyOptional({ ...nullableText })
  @Clearable()
  @IsString()
  clientId?: string | null;

  @TeamField()
  teamId?: string | null;

  @SettingField(mappingFields.fieldMappings, { nullable: true })
  fieldMappings?: FieldMapping[] | null;

  @SettingField(mappingFields.itemsPath)
  itemsPath?: string | null;

  @SettingField(mappingFields.parseJson, { nullable: true })
  parseJson?: string[] | null;

  @SettingField(mappingFields.severityMap)
  severityMap?: Record<string, Severity> | null;

  @SettingField(mappingFields.statusMap)
  statusMap?: Record<string, AlertStatus> | null;

  @SettingField(mappingFields.defaultSeverity)
  defaultSeverity?: Severity | null;

  @SettingField(mappingFields.staticLabels, { nullable: true })
  staticLabels?: Record<string, string> | null;

  @SettingField(mappingFields.ignoreWhen, { nullable: true })
  ignoreWhen?: IgnoreCondition[] | null;

  @ApiPropertyOptional({ enum: dedupScopes })
  @Sent()
  @IsIn(dedupScopes)
  dedupScope?: DedupScope;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 31_536_000, nullable: true })
  @Clearable()
  @IsInt()
  @Min(1)
  @Max(31_536_000)
  autoResolveAfterSeconds?: number | null;
}

export class PostIntegration extends OmitType(PutIntegration, ['name'] as const) {
  @NameField()
  name!: string;

  @ApiPropertyOptional({
    enum: integrationTypeNames,
    enumName: 'IntegrationType',
    default: 'generic',
    description: 'The type of the sender. It determines the initial mapping, which can be edited.',
  })
  @Sent()
  @IsIn(integrationTypeNames)
  type?: string;
}

export const integrationSorts = ['name', '-name', 'createdAt', '-createdAt'] as const;

export class ListIntegrationsQuery extends ListQuery {
  @ChoiceFilter({
    allowed: integrationTypeNames,
    description: 'Only integrations of one of these types.',
    example: ['generic'],
  })
  type?: string[];

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Only enabled integrations, or only disabled ones.',
  })
  @Once()
  @IsOptional()
  @IsIn(['true', 'false'])
  enabled?: 'true' | 'false';

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only integrations of these clients.',
    example: ['cli_01938f3a7c2e7d4ab1c2d3e4f5060020'],
  })
  clientId?: string[];

  @TeamFilter('integrations')
  teamId?: string[];

  @SearchText('name', 'prometheus')
  q?: string;

  @SortField(integrationSorts, '-createdAt')
  sort?: (typeof integrationSorts)[number];
}

export class RotateToken {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 604_800,
    default: 0,
    description: 'How long the old token remains valid, in seconds.',
  })
  @Sent()
  @IsInt()
  @Min(0)
  @Max(604_800)
  graceSeconds?: number;
}

export class PreviewPayload {
  @ApiProperty({ description: 'A body as the sender posts it. Send a form-encoded body as an object of its fields.' })
  @Sent()
  payload!: unknown;
}

export class PreviewItem {
  @ApiProperty({ enum: ['event', 'ignored', 'faulty'] }) outcome!: 'event' | 'ignored' | 'faulty';
  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'The event that would be stored.',
  })
  event!: unknown;
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } }) warnings!: unknown[];
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } }) faults!: unknown[];
  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'Where the value of each field comes from.',
  })
  provenance!: unknown;
  @ApiProperty({ ...nullableText, description: 'Why the item would be ignored.' }) reason!: string | null;
}

export class Preview {
  @ApiProperty({ enum: ['items', 'handshake'] }) kind!: 'items' | 'handshake';
  @ApiProperty({ type: [PreviewItem] }) items!: PreviewItem[];
}

export const requestOutcomes = ['accepted', 'partial', 'rejected', 'ignored', 'handshake', 'repeated'] as const;
export type RequestOutcome = (typeof requestOutcomes)[number];

export class IntegrationRequest {
  @ApiProperty() id!: string;
  @ApiProperty({ ...time }) receivedAt!: string;
  @ApiProperty({
    enum: receivingApis,
    description:
      "The API that received the request: our webhook, PagerDuty's Events API v2 (`/v2/enqueue`) or " +
      "Opsgenie's alert API (`/v2/alerts`).",
  })
  api!: ReceivingApi;
  @ApiProperty({ enum: requestOutcomes, description: 'The result of the whole request.' })
  outcome!: RequestOutcome;
  @ApiProperty({ type: 'integer', description: 'The HTTP status of the response to the sender.' }) status!: number;
  @ApiProperty({ ...nullableText }) contentType!: string | null;
  @ApiProperty({
    ...nullableText,
    description:
      "The body of the request, without the token. The `action` and `alias` that Opsgenie's API has in the " +
      'path are added to it.',
  })
  payload!: string | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The result of each item: the event and its fingerprint, or the reason for its rejection.',
  })
  items!: unknown[];
  @ApiProperty({ ...nullableText, description: 'The result of a handshake, or why the request was rejected.' }) note!:
    string | null;
  @ApiProperty() requestId!: string;
}

export type MappingField = keyof typeof mappingFields;

/** The fields of an integration that the domain validates. */
export const mappingFieldNames = Object.keys(mappingFields) as MappingField[];

/** The settings of an integration must fit into one NATS message. */
const mappingBytes = 256 * 1024;

export function mappingFaults(body: Record<string, unknown>): FieldFault[] {
  const sent = Object.fromEntries(
    mappingFieldNames.filter((field) => Object.hasOwn(body, field)).map((field) => [field, body[field]]),
  );
  if (Buffer.byteLength(JSON.stringify(sent)) > mappingBytes) {
    return [
      {
        path: 'fieldMappings',
        rule: 'maxBytes',
        message: `the mapping settings together must have at most ${mappingBytes} bytes`,
      },
    ];
  }
  return worded(validateMappingSettings(sent));
}

const payloadMissing = (body: Record<string, unknown>): FieldFault[] =>
  body['payload'] === undefined
    ? [{ path: 'payload', rule: 'required', message: 'payload is required; it may be any JSON value' }]
    : [];

const integrationExample = {
  id: 'int_01938f3a7c2e7d4ab1c2d3e4f5060001',
  name: 'Prometheus EU',
  type: 'generic',
  environment: 'live',
  enabled: true,
  clientId: null,
  teamId: null,
  ingestUrl: 'https://alerts.example.com/api/inbound/webhook/****************************Zk3Q',
  tokenHint: 'Zk3Q',
  fieldMappings: [
    { target: 'title', source: 'check.name' },
    { target: 'labels.host', source: 'host' },
  ],
  itemsPath: null,
  parseJson: [],
  severityMap: { P1: 'critical' },
  statusMap: null,
  defaultSeverity: 'medium',
  staticLabels: { team: 'sre' },
  ignoreWhen: [],
  dedupScope: 'integration',
  autoResolveAfterSeconds: null,
  lastEventAt: '2026-11-20T14:05:00.000Z',
  rateLimited: { count: 0, lastAt: null },
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};
const withTokenExample = {
  ...integrationExample,
  ingestUrl: 'https://alerts.example.com/api/inbound/webhook/0A1b2C3d4E5f6G7h8I9j0K1l2M3nZk3Q',
  token: '0A1b2C3d4E5f6G7h8I9j0K1l2M3nZk3Q',
};
const id = integrationExample.id;
const settingsExample = {
  name: 'Prometheus EU',
  type: 'generic',
  severityMap: { P1: 'critical' },
  defaultSeverity: 'medium',
  staticLabels: { team: 'sre' },
  fieldMappings: integrationExample.fieldMappings,
};

export const listIntegrations = operation({
  id: 'integrations.list',
  operationId: 'listIntegrations',
  owner: 'resource-api',
  method: 'GET',
  path: '/integrations',
  scope: 'integrations:read',
  tag: 'Integrations',
  summary: 'List integrations',
  description: 'The integrations in the environment of the key. The response never contains tokens.',
  query: ListIntegrationsQuery,
  reply: 'list',
  item: Integration,
  schemas: mappingSchemas,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { type: 'generic' },
    reply: { data: [integrationExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const createIntegration = operation({
  id: 'integrations.create',
  operationId: 'createIntegration',
  owner: 'resource-api',
  method: 'POST',
  path: '/integrations',
  scope: 'integrations:write',
  tag: 'Integrations',
  summary: 'Create an integration',
  description: 'The response contains the ingest URL with the token; it is shown only once.',
  body: PostIntegration,
  check: mappingFaults,
  reply: 'created',
  item: IntegrationWithToken,
  schemas: mappingSchemas,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  example: { body: settingsExample, reply: { data: withTokenExample } },
});

export const getIntegration = operation({
  id: 'integrations.get',
  operationId: 'getIntegration',
  owner: 'resource-api',
  method: 'GET',
  path: '/integrations/{id}',
  scope: 'integrations:read',
  tag: 'Integrations',
  summary: 'Get an integration',
  description: 'One integration, with its token masked.',
  reply: 'one',
  item: Integration,
  schemas: mappingSchemas,
  versioned: true,
  example: { params: { id }, reply: { data: integrationExample } },
});

export const updateIntegration = operation({
  id: 'integrations.update',
  operationId: 'updateIntegration',
  owner: 'resource-api',
  method: 'PUT',
  path: '/integrations/{id}',
  scope: 'integrations:write',
  tag: 'Integrations',
  summary: 'Update an integration',
  description:
    'Changes the fields that are sent and keeps the others; `null` clears a field. The type cannot be changed.',
  body: PutIntegration,
  check: mappingFaults,
  reply: 'one',
  item: Integration,
  schemas: mappingSchemas,
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: { params: { id }, body: { enabled: true, defaultSeverity: 'medium' }, reply: { data: integrationExample } },
});

export const deleteIntegration = operation({
  id: 'integrations.delete',
  operationId: 'deleteIntegration',
  owner: 'resource-api',
  method: 'DELETE',
  path: '/integrations/{id}',
  scope: 'integrations:write',
  tag: 'Integrations',
  summary: 'Delete an integration',
  description:
    'The token becomes invalid immediately. The alerts remain. If the integration has open alerts, the ' +
    'response is 409.',
  reply: 'none',
  versioned: true,
  faults: ['VERSION_MISMATCH', 'RESOURCE_IN_USE'],
  example: { params: { id }, reply: null },
});

export const rotateIntegrationToken = operation({
  id: 'integrations.rotateToken',
  operationId: 'rotateIntegrationToken',
  owner: 'resource-api',
  method: 'POST',
  path: '/integrations/{id}/rotate-token',
  scope: 'integrations:write',
  tag: 'Integrations',
  summary: 'Rotate the token of an integration',
  description: 'The old token becomes invalid immediately, or after `graceSeconds`.',
  body: RotateToken,
  bodyOptional: true,
  reply: 'one',
  item: IntegrationWithToken,
  schemas: mappingSchemas,
  versioned: true,
  faults: ['VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: { params: { id }, body: { graceSeconds: 3600 }, reply: { data: { ...withTokenExample, version: 2 } } },
});

export const previewIntegration = operation({
  id: 'integrations.preview',
  operationId: 'previewIntegration',
  owner: 'resource-api',
  method: 'POST',
  path: '/integrations/{id}/preview',
  scope: 'integrations:read',
  tag: 'Integrations',
  summary: 'Preview the mapping of a payload',
  description: 'Maps the payload without storing it and shows where the value of each field comes from.',
  body: PreviewPayload,
  check: payloadMissing,
  verbatim: true,
  reply: 'one',
  item: Preview,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id },
    body: { payload: { check: { name: 'High CPU' }, host: 'web-01', severity: 'P1' } },
    reply: {
      data: {
        kind: 'items',
        items: [
          {
            outcome: 'event',
            event: {
              title: 'High CPU',
              severity: 'critical',
              status: 'firing',
              source: null,
              description: null,
              fingerprint: '5f0c…',
              fingerprintSource: 'generated',
              labels: { host: 'web-01', team: 'sre' },
              annotations: {},
            },
            warnings: [],
            faults: [],
            provenance: { title: { from: 'mapping', path: 'check.name' } },
            reason: null,
          },
        ],
      },
    },
  },
});

export const requestSorts = ['receivedAt', '-receivedAt'] as const;

export class ListRequestsQuery extends ListQuery {
  @SortField(requestSorts, '-receivedAt')
  sort?: (typeof requestSorts)[number];
}

export const listIntegrationRequests = operation({
  id: 'integrations.listRequests',
  operationId: 'listIntegrationRequests',
  owner: 'resource-api',
  method: 'GET',
  path: '/integrations/{id}/requests',
  scope: 'integrations:read',
  tag: 'Integrations',
  summary: 'List the last requests of an integration',
  description: 'The last 100 requests of the sender, at most 7 days old, newest first, with the result of each.',
  query: ListRequestsQuery,
  reply: 'list',
  item: IntegrationRequest,
  faults: ['INVALID_CURSOR'],
  example: {
    params: { id },
    reply: {
      data: [
        {
          id: 'req_01938f3a7c2e7d4ab1c2d3e4f5060009',
          receivedAt: '2026-11-20T14:05:00.000Z',
          api: 'webhook',
          outcome: 'accepted',
          status: 202,
          contentType: 'application/json',
          payload: '{"title":"High CPU","severity":"high"}',
          items: [
            { outcome: 'event', eventId: 'evt_01938f3a7c2e7d4ab1c2d3e4f5060010', fingerprint: '5f0c…', warnings: [] },
          ],
          note: null,
          requestId: '4f1f0a5e',
        },
      ],
      meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 },
    },
  },
});

/** The previous name of `listIntegrationRequests`. */
export const listIntegrationDeliveries = operation({
  ...listIntegrationRequests,
  id: 'integrations.deliveries',
  operationId: 'listIntegrationDeliveries',
  path: '/integrations/{id}/deliveries',
  deprecated: { since: '2026-11-22', sunset: '2027-11-22', successor: listIntegrationRequests.path },
});

export const integrationOperations = [
  listIntegrations,
  createIntegration,
  getIntegration,
  updateIntegration,
  deleteIntegration,
  rotateIntegrationToken,
  previewIntegration,
  listIntegrationRequests,
  listIntegrationDeliveries,
];
