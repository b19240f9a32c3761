/** The audit log: who did what. It is append-only and contains no secrets. */
import { ApiProperty } from '@nestjs/swagger';
import { operation } from '../operation.js';
import { Actor, Change, Instant, nullableText, ListQuery, time } from './common.js';
import { ChoiceFilter, SortField } from './filters.js';

export class AuditResource {
  @ApiProperty() type!: string;
  @ApiProperty({ ...nullableText }) id!: string | null;
}

export class AuditEntry {
  @ApiProperty() id!: string;
  @ApiProperty({ description: '`api_key.used`, `api_key.created`, `integration.updated`, `alert.acknowledged`, …' })
  type!: string;
  @ApiProperty({ ...time }) occurredAt!: string;
  @ApiProperty({ type: Actor }) actor!: Actor;
  @ApiProperty({ ...nullableText }) ip!: string | null;
  @ApiProperty({ ...nullableText }) userAgent!: string | null;
  @ApiProperty({ ...nullableText }) requestId!: string | null;
  @ApiProperty({ type: AuditResource, nullable: true }) resource!: AuditResource | null;
  @ApiProperty({ type: [Change] }) changes!: Change[];
}

export const auditLogSorts = ['occurredAt', '-occurredAt'] as const;

export class ListAuditLogQuery extends ListQuery {
  @ChoiceFilter({ description: 'Only entries of one of these types.', example: ['api_key.used'], maxItems: 50 })
  type?: string[];

  @ChoiceFilter({
    description: 'Only actions of one of these keys, members or workflows.',
    example: ['key_01938f3a7c2e7d4ab1c2d3e4f5060002'],
    maxItems: 50,
  })
  actorId?: string[];

  @ChoiceFilter({
    description: 'Only actions on one of these records.',
    example: ['alr_01938f3a7c2e7d4ab1c2d3e4f5061728'],
    maxItems: 50,
  })
  resourceId?: string[];

  @Instant('Only entries at or after this time.')
  since?: string;

  @Instant('Only entries before this time.')
  until?: string;

  @SortField(auditLogSorts, '-occurredAt')
  sort?: (typeof auditLogSorts)[number];
}

export const listAuditLog = operation({
  id: 'auditLog.list',
  operationId: 'listAuditLog',
  owner: 'auth',
  method: 'GET',
  path: '/audit-log',
  scope: 'audit:read',
  tag: 'Audit log',
  summary: 'List the audit log',
  description: 'Newest first. Each use of an API key is an entry of the type `api_key.used`.',
  query: ListAuditLogQuery,
  reply: 'list',
  item: AuditEntry,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { type: 'api_key.used' },
    reply: {
      data: [
        {
          id: 'aud_01938f3a7c2e7d4ab1c2d3e4f5060011',
          type: 'api_key.used',
          occurredAt: '2026-11-20T14:05:00.000Z',
          actor: { type: 'api_key', id: 'key_01938f3a7c2e7d4ab1c2d3e4f5060002', name: 'on-call bot' },
          ip: '192.0.2.7',
          userAgent: 'curl/8.0',
          requestId: '4f1f0a5e',
          resource: { type: 'operation', id: 'listAlerts' },
          changes: [],
        },
      ],
      meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 },
    },
  },
});

export const auditLogOperations = [listAuditLog];
