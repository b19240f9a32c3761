/** The audit log: who did what. It is append-only and contains no secrets. */
import { ApiProperty } from '@nestjs/swagger';
import { type ExportFormat } from '@ams/domain';
import { environments } from '@ams/scopes';
import { operation } from '../operation.js';
import { Actor, Change, Instant, nullableText, ListQuery, time } from './common.js';
import { exportDescription, ExportFormatField } from './exports.js';
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

const entryExample: AuditEntry = {
  id: 'aud_01938f3a7c2e7d4ab1c2d3e4f5060011',
  type: 'api_key.used',
  occurredAt: '2026-11-20T14:05:00.000Z',
  actor: { type: 'api_key', id: 'key_01938f3a7c2e7d4ab1c2d3e4f5060002', name: 'on-call bot' },
  ip: '192.0.2.7',
  userAgent: 'curl/8.0',
  requestId: '4f1f0a5e',
  resource: { type: 'operation', id: 'listAlerts' },
  changes: [],
};

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
      data: [entryExample],
      meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 },
    },
  },
});

export class AuditCheckpoint {
  @ApiProperty() organizationId!: string;
  @ApiProperty({ enum: environments }) environment!: string;
  @ApiProperty({ type: 'integer', description: 'The last entry that it covers.' }) sequence!: number;
  @ApiProperty({ description: 'The hash of this entry.' }) hash!: string;
  @ApiProperty({ ...time, nullable: true, description: 'Entries before this time may have been deleted.' })
  keptSince!: string | null;
  @ApiProperty({ ...time }) signedAt!: string;
  @ApiProperty({ description: 'The thumbprint of the public key (RFC 7638).' }) keyId!: string;
  @ApiProperty({ description: 'Ed25519, base64url.' }) signature!: string;
}

export class AuditEntryWriter {
  @ApiProperty() organizationId!: string;
  @ApiProperty({ enum: environments }) environment!: string;
  @ApiProperty({ description: 'The service that wrote and signed the entry.' }) service!: string;
  @ApiProperty({ description: 'The thumbprint of its public key (RFC 7638).' }) keyId!: string;
  @ApiProperty({
    description:
      'Ed25519, base64url, over the line `ams-audit-entry-1`, a line feed, and the canonical JSON (RFC 8785) of ' +
      '`{organizationId, environment, service, keyId, entry}`.',
  })
  signature!: string;
}

export class AuditChainLine {
  @ApiProperty({ type: 'integer', description: 'From 1, without gaps.' }) sequence!: number;
  @ApiProperty() entryId!: string;
  @ApiProperty({ description: 'The SHA-256 over the entry as canonical JSON (RFC 8785), in hex.' }) entryHash!: string;
  @ApiProperty({
    description:
      'The SHA-256 over four lines, separated by line feeds: the hash of the sequence before (64 zeros for the first ' +
      'one), the sequence, the id of the entry, and its hash.',
  })
  hash!: string;
  @ApiProperty({
    type: AuditEntry,
    nullable: true,
    description: 'Null when the entry was deleted because of its age, and a later line is needed.',
  })
  entry!: AuditEntry | null;
  @ApiProperty({
    type: AuditCheckpoint,
    nullable: true,
    description: 'A signed statement on this sequence and hash, and so on all entries before it.',
  })
  checkpoint!: AuditCheckpoint | null;
  @ApiProperty({
    type: AuditEntryWriter,
    required: false,
    description: 'Absent for entries of the service that owns the audit log, and for entries that were not signed.',
  })
  writer?: AuditEntryWriter;
}

export class ExportAuditLogQuery {
  @ExportFormatField()
  format?: ExportFormat;
}

const lineExample: AuditChainLine = {
  sequence: 1,
  entryId: 'aud_01938f3a7c2e7d4ab1c2d3e4f5060011',
  entryHash: '0a6c1f0d3bb2d7dd6a1d5a4b2e8c7f9013e5a7c9b1d3f5e7092b4d6f8a1c3e5f',
  hash: '5b0e7c6d9f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4',
  entry: entryExample,
  checkpoint: null,
};

export const exportAuditLog = operation({
  id: 'auditLog.export',
  operationId: 'exportAuditLog',
  owner: 'auth',
  method: 'GET',
  path: '/audit-log/export',
  scope: 'audit:read',
  tag: 'Audit log',
  summary: 'Export the audit log',
  description:
    'The whole audit log as a chain of hashes, in the order of the sequence. An entry is in the chain some seconds ' +
    'after it was stored, which need not be the order of the times. Each line has `sequence` (from 1, without gaps), ' +
    '`entryId`, `entry` (null when it was deleted because of its age), `entryHash` (the SHA-256 of the entry as ' +
    'canonical JSON, RFC 8785), `hash` (the SHA-256 over four lines: the hash of the sequence before, or 64 zeros, ' +
    'the sequence, the id of the entry, its hash) and, where there is one, a signed `checkpoint` for this sequence ' +
    'and all before it, and the signature of the service that wrote the entry (`writer`). `npm run admin -- audit ' +
    'verify` checks the NDJSON ' +
    `form without the service.\n\n${exportDescription('entries')}`,
  query: ExportAuditLogQuery,
  reply: 'export',
  item: AuditChainLine,
  file: { name: 'audit-log', columns: ['sequence', 'entryId', 'entryHash', 'hash', 'entry', 'checkpoint', 'writer'] },
  example: { reply: [lineExample] },
});

export const auditLogOperations = [listAuditLog, exportAuditLog];
