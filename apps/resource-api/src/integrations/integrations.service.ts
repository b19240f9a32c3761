/**
 * Integrations: one sender, one ingest token, its mapping. Every change is told to the ingest gateways (see
 * integration-projection.ts) before its caller hears of it.
 */
import {
  credentialHash,
  Fault,
  mappingFields,
  newIngestToken,
  newUuid,
  publicId,
  tokenHintOf,
  uuidOf,
  type Input,
  type Integration,
  type IntegrationWithToken,
  type ListIntegrationsQuery,
  type Page,
  type PostIntegration,
  type Preview,
  type PreviewItem,
  type PreviewPayload,
  type PutIntegration,
  type RotateToken,
} from '@ams/contracts';
import { uuidsOf } from '@ams/alerting';
import {
  Database,
  addToOutbox,
  auditMessage,
  changesBetween,
  containing,
  withIdempotency,
  page,
  requireVersion,
  Where,
  type Sort,
  type Tx,
} from '@ams/database';
import {
  changedSettings,
  compileMapping,
  mapPayload,
  settingsForNewIntegration,
  type IntegrationType,
  type ItemResult,
  type MappingSettings,
  type SentSettings,
} from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Injectable } from '@nestjs/common';
import { holdClient } from '../clients/held-client.js';
import { IntegrationProjection, projectionMessage } from './integration-projection.js';
import { referencesIn, refuseInUse, type Reference } from '../records/tenant-records.js';
import { ResourceApiSettings } from '../settings.js';

type None = Record<string, never>;

interface Row {
  id: string;
  name: string;
  type: string;
  environment: Environment;
  enabled: boolean;
  client_id: string | null;
  token_hash: string;
  token_hint: string;
  previous_token_hash: string | null;
  settings: Omit<MappingSettings, 'type'>;
  dedup_scope: 'integration' | 'organization';
  auto_resolve_after_seconds: number | null;
  created_at: Date;
  updated_at: Date;
  version: number;
  last_event_at: Date | null;
  limited_count: string | null;
  limited_at: Date | null;
}

const columns =
  'i.id, i.name, i.type, i.environment, i.enabled, i.client_id, i.token_hash, i.token_hint, i.previous_token_hash, i.settings, i.dedup_scope, ' +
  'i.auto_resolve_after_seconds, i.created_at, i.updated_at, i.version, a.last_event_at, a.limited_count::text, a.limited_at';
const tables = 'resources.integrations i LEFT JOIN resources.integration_activity a ON a.integration_id = i.id';

/** What is no news in the audit log, or must not be in it. */
const unaudited = ['id', 'ingestUrl', 'token', 'lastEventAt', 'rateLimited', 'createdAt', 'updatedAt', 'version'];

/** An answer travels in one message. */
const previewBytes = 700 * 1024;

const owned = (input: Pick<Input<unknown, unknown>, 'principal'>): Where =>
  new Where()
    .and('i.organization_id = ?', input.principal.organizationId)
    .and('i.environment = ?', input.principal.environment)
    .and('i.deleted_at IS NULL');

const missing = (id: string): Fault => new Fault('NOT_FOUND', { resource: 'integration', id });

@Injectable()
export class IntegrationsService {
  constructor(
    private readonly settings: ResourceApiSettings,
    private readonly database: Database,
    private readonly projection: IntegrationProjection,
  ) {}

  list(input: Input<ListIntegrationsQuery, undefined>): Promise<Page<Integration>> {
    const { limit, cursor, ...filters } = input.query;
    const where = owned(input);
    if (filters.type) where.and('i.type = ANY(?::text[])', filters.type);
    if (filters.enabled) where.and('i.enabled = ?', filters.enabled === 'true');
    if (filters.clientId) where.and('i.client_id = ANY(?::uuid[])', uuidsOf('client', filters.clientId));
    if (filters.q) where.and('i.name ILIKE ?', containing(filters.q));
    const field = (filters.sort ?? '-createdAt').replace('-', '');
    const sort: Sort = {
      column: field === 'name' ? 'i.name' : 'i.created_at',
      type: field === 'name' ? 'text' : 'time',
      descending: (filters.sort ?? '-createdAt').startsWith('-'),
    };
    return this.database.readAs(input.principal, (tx) =>
      page<Row, Integration>(tx, {
        select: columns,
        from: tables,
        where,
        sort,
        id: 'i.id',
        limit,
        cursor,
        boundTo: ['integrations', filters],
        total: () => count(tx, where),
        item: (row) => this.record(row),
      }),
    );
  }

  get(input: Input<None, undefined>): Promise<Integration> {
    return this.database.readAs(input.principal, async (tx) => this.record(await find(tx, input)));
  }

  async create(input: Input<None, PostIntegration>): Promise<IntegrationWithToken> {
    const { body, principal } = input;
    const type = (body.type ?? 'generic') as IntegrationType;
    const { type: _type, ...settings } = settingsForNewIntegration(type, sentSettings(body));
    const created = await this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const clientId = await holdClient(tx, principal, body.clientId ?? null);
        const at = new Date();
        const id = newUuid(at.getTime());
        const token = newIngestToken();
        const hash = credentialHash(token);
        await tx.query(
          `INSERT INTO resources.integrations (id, organization_id, environment, name, type, enabled, client_id, token_hash, token_hint, settings, dedup_scope,
             auto_resolve_after_seconds, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)`,
          [
            id,
            principal.organizationId,
            principal.environment,
            body.name,
            type,
            body.enabled ?? true,
            clientId,
            hash,
            tokenHintOf(token),
            JSON.stringify(settings),
            body.dedupScope ?? 'integration',
            body.autoResolveAfterSeconds ?? null,
            at,
          ],
        );
        const record = this.record(await find(tx, input, id));
        await this.recordAudit(tx, input, 'integration.created', null, record, [hash], at);
        return this.withToken(record, token);
      }),
    );
    await this.projection.flushed();
    return created;
  }

  async update(input: Input<None, PutIntegration>): Promise<Integration> {
    const updated = await this.database.writeAs(input.principal, (tx) => this.change(tx, input, input.body));
    await this.projection.flushed();
    return updated;
  }

  /** The change of a PUT, in the transaction of whoever makes it; he waits for the projection afterwards. */
  async change(tx: Tx, input: Input<unknown, unknown>, body: PutIntegration): Promise<Integration> {
    const row = await lock(tx, input);
    requireVersion(input.ifMatch, row.version);
    const before = this.record(row);
    const at = new Date();
    const { type: _type, ...settings } = changedSettings({ type: row.type, ...row.settings }, sentSettings(body));
    const next: Row = {
      ...row,
      name: body.name ?? row.name,
      enabled: body.enabled ?? row.enabled,
      client_id: body.clientId === undefined ? row.client_id : await holdClient(tx, input.principal, body.clientId),
      settings,
      dedup_scope: body.dedupScope ?? row.dedup_scope,
      auto_resolve_after_seconds:
        body.autoResolveAfterSeconds === undefined ? row.auto_resolve_after_seconds : body.autoResolveAfterSeconds,
      updated_at: at,
      version: row.version + 1,
    };
    const after = this.record(next);
    if (changesBetween(before, after, { ignore: unaudited }).length === 0) return before;
    await tx.query(
      `UPDATE resources.integrations SET name = $2, enabled = $3, client_id = $4, settings = $5, dedup_scope = $6, auto_resolve_after_seconds = $7, updated_at = $8,
         version = $9
       WHERE id = $1`,
      [
        next.id,
        next.name,
        next.enabled,
        next.client_id,
        JSON.stringify(next.settings),
        next.dedup_scope,
        next.auto_resolve_after_seconds,
        at,
        next.version,
      ],
    );
    await this.recordAudit(tx, input, 'integration.updated', before, after, tokensOf(row), at);
    return after;
  }

  /** How the integration of the path maps; with `lock` nobody changes that until the end of the transaction. Throws NOT_FOUND, VERSION_MISMATCH. */
  async mappingOf(
    tx: Tx,
    input: Input<unknown, unknown>,
    options: { lock: boolean },
  ): Promise<{ id: string; settings: MappingSettings }> {
    const row = await (options.lock ? lock : find)(tx, input);
    requireVersion(input.ifMatch, row.version);
    return { id: row.id, settings: { type: row.type, ...row.settings } };
  }

  async delete(input: Input<None, undefined>): Promise<void> {
    await this.database.writeAs(input.principal, async (tx) => {
      const row = await lock(tx, input);
      requireVersion(input.ifMatch, row.version);
      refuseInUse([...(await openAlerts(tx, input, row.id)), ...(await windowsOn(tx, input, row.id))]);
      const at = new Date();
      await tx.query(
        `UPDATE resources.integrations SET deleted_at = $2, updated_at = $2, version = version + 1, client_id = NULL,
           previous_token_hash = NULL, previous_token_expires_at = NULL
         WHERE id = $1`,
        [row.id, at],
      );
      await this.recordAudit(tx, input, 'integration.deleted', this.record(row), null, tokensOf(row), at);
    });
    await this.projection.flushed();
  }

  async rotateToken(input: Input<None, RotateToken>): Promise<IntegrationWithToken> {
    const rotated = await this.database.writeAs(input.principal, (tx) =>
      withIdempotency(tx, 'resource-api', input.principal, input.idempotency, async () => {
        const row = await lock(tx, input);
        requireVersion(input.ifMatch, row.version);
        const at = new Date();
        const graceSeconds = input.body.graceSeconds ?? 0;
        const token = newIngestToken();
        const hash = credentialHash(token);
        await tx.query(
          `UPDATE resources.integrations SET token_hash = $2, token_hint = $3, previous_token_hash = $4, previous_token_expires_at = $5, updated_at = $6, version = version + 1
           WHERE id = $1`,
          [
            row.id,
            hash,
            tokenHintOf(token),
            graceSeconds > 0 ? row.token_hash : null,
            graceSeconds > 0 ? new Date(at.getTime() + graceSeconds * 1000) : null,
            at,
          ],
        );
        const record = this.record(await find(tx, input));
        await this.recordAudit(
          tx,
          input,
          'integration.token_rotated',
          this.record(row),
          record,
          [...tokensOf(row), hash],
          at,
        );
        return this.withToken(record, token);
      }),
    );
    await this.projection.flushed();
    return rotated;
  }

  async preview(input: Input<None, PreviewPayload>): Promise<Preview> {
    const work = async (tx: Tx): Promise<Preview> => {
      const row = await find(tx, input);
      return previewOf({ type: row.type, ...row.settings }, input.body.payload);
    };
    if (!input.idempotency) return this.database.readAs(input.principal, work);
    return this.database.writeAs(input.principal, (tx) =>
      withIdempotency(tx, 'resource-api', input.principal, input.idempotency, () => work(tx)),
    );
  }

  /** Adds to the transaction: the entry of the audit log, and which tokens the gateways have to look at again. */
  private async recordAudit(
    tx: Tx,
    input: Input<unknown, unknown>,
    type: string,
    before: Integration | null,
    after: Integration | null,
    tokens: string[],
    at: Date,
  ): Promise<void> {
    const audit = auditMessage(input, {
      type,
      resource: { type: 'integration', id: (after ?? before)?.id ?? null },
      changes: changesBetween(before, after, { ignore: unaudited }),
      at,
    });
    await addToOutbox(tx, 'resource-api', [projectionMessage(tokens), audit]);
  }

  private record(row: Row): Integration {
    const { settings } = row;
    return {
      id: publicId('integration', row.id),
      name: row.name,
      type: row.type,
      environment: row.environment,
      enabled: row.enabled,
      clientId: publicId('client', row.client_id),
      ingestUrl: this.ingestUrl(`${'*'.repeat(28)}${row.token_hint}`),
      tokenHint: row.token_hint,
      fieldMappings: settings.fieldMappings,
      itemsPath: settings.itemsPath,
      parseJson: settings.parseJson,
      severityMap: settings.severityMap,
      statusMap: settings.statusMap,
      defaultSeverity: settings.defaultSeverity,
      staticLabels: settings.staticLabels,
      ignoreWhen: settings.ignoreWhen,
      dedupScope: row.dedup_scope,
      autoResolveAfterSeconds: row.auto_resolve_after_seconds,
      lastEventAt: row.last_event_at?.toISOString() ?? null,
      rateLimited: { count: Number(row.limited_count ?? 0), lastAt: row.limited_at?.toISOString() ?? null },
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      version: row.version,
    };
  }

  private ingestUrl(token: string): string {
    return `${this.settings.publicUrl.replace(/\/+$/, '')}/api/inbound/webhook/${token}`;
  }

  private withToken(record: Integration, token: string): IntegrationWithToken {
    return { ...record, ingestUrl: this.ingestUrl(token), token };
  }
}

/** The integration of this tenant that the path names, or the one with this id. */
async function find(tx: Tx, input: Input<unknown, unknown>, uuid?: string): Promise<Row> {
  const id = input.params['id'] ?? '';
  const wanted = uuid ?? uuidOf('integration', id);
  const where = owned(input).and('i.id = ?', wanted);
  const [row] =
    wanted === null
      ? []
      : await tx.query<Row>(`SELECT ${columns} FROM ${tables} WHERE ${where.toString()}`, where.params);
  if (!row) throw missing(id);
  return row;
}

/** The same, and nobody else changes it until the end of the transaction. */
async function lock(tx: Tx, input: Input<unknown, unknown>): Promise<Row> {
  const uuid = uuidOf('integration', input.params['id'] ?? '');
  const where = owned(input).and('i.id = ?', uuid);
  if (uuid !== null)
    await tx.query(`SELECT 1 FROM resources.integrations i WHERE ${where.toString()} FOR UPDATE`, where.params);
  return find(tx, input);
}

async function count(tx: Tx, where: Where): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM resources.integrations i WHERE ${where.toString()}`,
    where.params,
  );
  return row?.n ?? 0;
}

/** Up to ten open alerts of an integration. The counters say cheaply that there are none, which is the common case. */
async function openAlerts(
  tx: Tx,
  { principal }: Input<unknown, unknown>,
  integrationId: string,
): Promise<{ resource: string; id: string; name: string }[]> {
  const params = [principal.organizationId, principal.environment, integrationId];
  const [open] = await tx.query<{ n: string }>(
    `SELECT coalesce(sum(n), 0)::text AS n FROM alerts_views.counts WHERE organization_id = $1 AND environment = $2 AND integration_id = $3 AND status <> 'resolved'`,
    params,
  );
  if (open?.n === '0') return [];
  const rows = await tx.query<{ id: string; title: string }>(
    `SELECT id, title FROM alerts_views.alerts WHERE organization_id = $1 AND environment = $2 AND integration_id = $3 AND status <> 'resolved' LIMIT 10`,
    params,
  );
  return rows.map(({ id, title }) => ({ resource: 'alert', id: publicId('alert', id), name: title }));
}

/** Up to ten suppression windows that name an integration. Whoever writes one holds the row that is locked here, so none is missed. */
const windowsOn = (tx: Tx, { principal }: Input<unknown, unknown>, integrationId: string): Promise<Reference[]> =>
  referencesIn(
    tx,
    'suppression_window',
    'suppressionWindow',
    'SELECT id, name FROM resources.suppression_windows WHERE organization_id = $1 AND environment = $2 AND $3 = ANY(integration_ids)',
    [principal.organizationId, principal.environment, integrationId],
  );

const tokensOf = (row: Row): string[] =>
  row.previous_token_hash === null ? [row.token_hash] : [row.token_hash, row.previous_token_hash];

/** What the caller sent of the mapping; what was left out is not there. */
export const sentSettings = (body: Pick<PutIntegration, (typeof mappingFields)[number]>): SentSettings =>
  Object.fromEntries(mappingFields.map((field) => [field, body[field]]));

const previewItem = (item: ItemResult): PreviewItem => ({
  outcome: item.kind,
  event: item.kind === 'event' ? item.event : null,
  warnings: item.kind === 'event' ? item.warnings : [],
  faults: item.kind === 'faulty' ? item.faults : [],
  provenance: item.kind === 'ignored' ? null : (item.provenance ?? null),
  reason: item.kind === 'ignored' ? item.reason : null,
});

/** As many items as fit into an answer, one at least. */
function previewOf(settings: MappingSettings, payload: unknown): Preview {
  const mapped = mapPayload(compileMapping(settings), payload, { explain: true });
  if (mapped.kind === 'handshake') return { kind: 'handshake', items: [] };
  const items: PreviewItem[] = [];
  let bytes = 0;
  for (const item of mapped.items.map(previewItem)) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > previewBytes && items.length > 0) break;
    items.push(item);
  }
  return { kind: 'items', items };
}
