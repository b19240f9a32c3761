/** Integrations: one sender, one ingest token, its mapping (decisions §4 and §7). */
import {
  integrationTypes,
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
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import {
  Clearable,
  CommaSeparated,
  nullableText,
  nullableTime,
  Once,
  PageQuery,
  SearchText,
  Sent,
  sorting,
  stringMap,
  time,
  worded,
} from './common.js';
import { NameField } from './fields.js';

const integrationTypeNames = integrationTypes.map(({ type }) => type);

export const dedupScopes = ['integration', 'organization'] as const;
export type DedupScope = (typeof dedupScopes)[number];

/** One rule of a mapping; `source`, `template` and `value` exclude each other. The mapping engine checks it whole. */
export class FieldMappingRule {
  @ApiProperty({
    description:
      'title, severity, status, source, description, fingerprint, dedup_key, labels.<key>, annotations.<key>, labels.* or annotations.*',
  })
  target!: string;
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'A path, or several of which the first that is there wins.',
  })
  source?: string | string[];
  @ApiPropertyOptional({ description: 'Text with paths in double braces: `{{host}}:{{service}}`.' }) template?: string;
  @ApiPropertyOptional({ description: 'A constant.' }) value?: string;
  @ApiPropertyOptional({ description: 'Taken when nothing was found.' }) default?: string;
  @ApiPropertyOptional({
    description: 'A regular expression (RE2) with one group; when it matches, the group is the value.',
  })
  extract?: string;
}

/** A payload for which one such rule holds is not an alert. */
export class IgnoreWhen {
  @ApiProperty() path!: string;
  @ApiPropertyOptional({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] }) equals?:
    string | number | boolean;
  @ApiPropertyOptional({ enum: [true] }) missing?: true;
}

const nullableMap = { ...stringMap, nullable: true } as const;

export class RateLimited {
  @ApiProperty({ type: 'integer', description: 'Requests that the limit of the token turned away, in all.' })
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
  @ApiProperty({ description: 'Whole only in the answers to creation and rotation; else the token is masked.' })
  ingestUrl!: string;
  @ApiProperty({ description: 'The last four characters of the token.' }) tokenHint!: string;
  @ApiProperty({ type: [FieldMappingRule] }) fieldMappings!: FieldMapping[];
  @ApiProperty({ ...nullableText }) itemsPath!: string | null;
  @ApiProperty({ type: 'array', items: { type: 'string' } }) parseJson!: string[];
  @ApiProperty({ ...nullableMap }) severityMap!: Record<string, Severity> | null;
  @ApiProperty({ ...nullableMap }) statusMap!: Record<string, AlertStatus> | null;
  @ApiProperty({ enum: severities, nullable: true }) defaultSeverity!: Severity | null;
  @ApiProperty({ ...stringMap }) staticLabels!: Record<string, string>;
  @ApiProperty({ type: [IgnoreWhen] }) ignoreWhen!: IgnoreCondition[];
  @ApiProperty({ enum: dedupScopes }) dedupScope!: DedupScope;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Seconds without an event after which an open alert resolves by itself.',
  })
  autoResolveAfterSeconds!: number | null;
  @ApiProperty({ ...nullableTime }) lastEventAt!: string | null;
  @ApiProperty({ type: RateLimited }) rateLimited!: RateLimited;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

/** The one answer with the token in it. */
export class IntegrationWithToken extends Integration {
  @ApiProperty({ description: 'The ingest token: shown now and never again.' }) token!: string;
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

  @ApiPropertyOptional({ type: [FieldMappingRule], nullable: true, maxItems: 200 })
  @IsOptional()
  fieldMappings?: FieldMapping[] | null;

  @ApiPropertyOptional({ ...nullableText })
  @IsOptional()
  itemsPath?: string | null;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string' }, nullable: true })
  @IsOptional()
  parseJson?: string[] | null;

  @ApiPropertyOptional({
    ...nullableMap,
    description: "The sender's word to one of critical, high, medium, low, info.",
  })
  @IsOptional()
  severityMap?: Record<string, Severity> | null;

  @ApiPropertyOptional({
    ...nullableMap,
    description: "The sender's word to one of firing, resolved, acknowledged, suppressed.",
  })
  @IsOptional()
  statusMap?: Record<string, AlertStatus> | null;

  @ApiPropertyOptional({ enum: severities, nullable: true })
  @IsOptional()
  defaultSeverity?: Severity | null;

  @ApiPropertyOptional({ ...nullableMap, description: 'Labels that every alert gets.' })
  @IsOptional()
  staticLabels?: Record<string, string> | null;

  @ApiPropertyOptional({ type: [IgnoreWhen], nullable: true })
  @IsOptional()
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
    description: 'The sender: fills the mapping that it needs. All of it stays editable.',
  })
  @Sent()
  @IsIn(integrationTypeNames)
  type?: string;
}

export class ListIntegrationsQuery extends PageQuery {
  @ApiPropertyOptional({
    enum: integrationTypeNames,
    isArray: true,
    description: 'Only integrations of one of these types.',
    example: ['generic'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsIn(integrationTypeNames, { each: true })
  type?: string[];

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Only those that take events, or only those that are switched off.',
  })
  @Once()
  @IsOptional()
  @IsIn(['true', 'false'])
  enabled?: 'true' | 'false';

  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    description: 'Only integrations of these clients.',
    example: ['cli_01938f3a7c2e7d4ab1c2d3e4f5060020'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  clientId?: string[];

  @SearchText('name', 'prometheus')
  q?: string;

  @ApiPropertyOptional({ enum: ['name', '-name', 'createdAt', '-createdAt'], default: '-createdAt', ...sorting })
  @Once()
  @IsOptional()
  @IsIn(['name', '-name', 'createdAt', '-createdAt'])
  sort?: 'name' | '-name' | 'createdAt' | '-createdAt';
}

export class RotateToken {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 604_800,
    default: 0,
    description: 'Seconds for which the old token still works.',
  })
  @Sent()
  @IsInt()
  @Min(0)
  @Max(604_800)
  graceSeconds?: number;
}

export class PreviewPayload {
  @ApiProperty({ description: 'A body as the sender posts it. A form-encoded one is sent as an object of its fields.' })
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
    description: 'For each field, where its value came from.',
  })
  provenance!: unknown;
  @ApiProperty({ ...nullableText, description: 'Why it would be ignored.' }) reason!: string | null;
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
      "By which API it came: our webhook, PagerDuty's Events API v2 (`/v2/enqueue`), or Opsgenie's alert API (`/v2/alerts`).",
  })
  api!: ReceivingApi;
  @ApiProperty({ enum: requestOutcomes, description: 'What became of the request as a whole.' })
  outcome!: RequestOutcome;
  @ApiProperty({ type: 'integer', description: 'The HTTP status that the sender got.' }) status!: number;
  @ApiProperty({ ...nullableText }) contentType!: string | null;
  @ApiProperty({
    ...nullableText,
    description:
      "The body as it was posted, without the token. What Opsgenie's API says in the path is put into it: `action`, `alias`.",
  })
  payload!: string | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'What became of each item: the event and its fingerprint, or why not.',
  })
  items!: unknown[];
  @ApiProperty({ ...nullableText, description: 'How a handshake went, or why the request was refused.' }) note!:
    string | null;
  @ApiProperty() requestId!: string;
}

/** The fields of an integration that the mapping engine knows: it checks them, whole. */
export const mappingFields = [
  'fieldMappings',
  'itemsPath',
  'parseJson',
  'severityMap',
  'statusMap',
  'defaultSeverity',
  'staticLabels',
  'ignoreWhen',
] as const;

/** Settings travel in one message to every ingest gateway. */
const mappingBytes = 256 * 1024;

export function mappingFaults(body: Record<string, unknown>): FieldFault[] {
  const sent = Object.fromEntries(
    mappingFields.filter((field) => Object.hasOwn(body, field)).map((field) => [field, body[field]]),
  );
  if (Buffer.byteLength(JSON.stringify(sent)) > mappingBytes) {
    return [
      {
        path: 'fieldMappings',
        rule: 'maxBytes',
        message: `the mapping settings must have at most ${mappingBytes} bytes together`,
      },
    ];
  }
  return worded(validateMappingSettings(sent));
}

const payloadMissing = (body: Record<string, unknown>): FieldFault[] =>
  body['payload'] === undefined
    ? [{ path: 'payload', rule: 'required', message: 'payload must be sent; it may be any JSON value' }]
    : [];

const integrationExample = {
  id: 'int_01938f3a7c2e7d4ab1c2d3e4f5060001',
  name: 'Prometheus EU',
  type: 'generic',
  environment: 'live',
  enabled: true,
  clientId: null,
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
  description: 'The senders of the environment of the key. Tokens are never in it.',
  query: ListIntegrationsQuery,
  reply: 'list',
  item: Integration,
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
  description: 'Answers the ingest URL and its token: this once.',
  body: PostIntegration,
  check: mappingFaults,
  reply: 'created',
  item: IntegrationWithToken,
  versioned: true,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
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
  description: 'One integration, its token masked.',
  reply: 'one',
  item: Integration,
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
  description: 'Changes what is sent and keeps the rest; `null` clears. The type stays what it was.',
  body: PutIntegration,
  check: mappingFaults,
  reply: 'one',
  item: Integration,
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
  description: 'Its token stops working at once. Its alerts stay. One with open alerts answers 409.',
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
  summary: 'Give an integration a new token',
  description: 'The old one stops at once, or after `graceSeconds`.',
  body: RotateToken,
  bodyOptional: true,
  reply: 'one',
  item: IntegrationWithToken,
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
  summary: 'See what a payload would become',
  description: 'Maps without storing and says, per field, where its value came from.',
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

export const listIntegrationRequests = operation({
  id: 'integrations.listRequests',
  operationId: 'listIntegrationRequests',
  owner: 'resource-api',
  method: 'GET',
  path: '/integrations/{id}/requests',
  scope: 'integrations:read',
  tag: 'Integrations',
  summary: 'List the last requests of an integration',
  description: 'The last 100 requests of the sender (7 days at most), newest first, with the result of each.',
  query: PageQuery,
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

/** The old name of `listIntegrationRequests`. */
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
