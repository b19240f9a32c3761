/** API keys by way of the API: listed, created, revoked. The key itself is in one answer and nowhere else; its hash is what is stored. */
import { parseDateOrInstant } from '@ams/domain';
import {
  credentialHash,
  Fault,
  invalid,
  keyPrefixOf,
  newApiKey,
  newUuid,
  publicId,
  uuidOf,
  type Actor,
  type ApiKey,
  type ApiKeyWithSecret,
  type Input,
  type ListApiKeysQuery,
  type Page,
  type PostApiKey,
  type Principal,
  type RevokedNotice,
} from '@ams/contracts';
import {
  actorOf,
  auditRecord,
  containing,
  Database,
  withIdempotency,
  page,
  Where,
  type Sort,
  type Tx,
} from '@ams/database';
import type { NatsConnection } from '@ams/messaging';
import type { Environment, Scope } from '@ams/scopes';
import { Tokens, type Logger } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { addEntries } from './audit-log.js';
import { markRevoked, tellGateways, waitForHolders } from './revocation.js';
import { AuthSettings } from './settings.js';

const day = 86_400;

const sorts: Record<'createdAt' | 'name', Pick<Sort, 'column' | 'type'>> = {
  createdAt: { column: 'created_at', type: 'time' },
  name: { column: 'name', type: 'text' },
};

export interface KeyRow {
  id: string;
  name: string;
  scopes: Scope[];
  environment: Environment;
  key_prefix: string;
  expires_at: Date | null;
  last_used_at: Date | null;
  created_by: Actor;
  created_at: Date;
}

export const keyColumns = 'id, name, scopes, environment, key_prefix, expires_at, last_used_at, created_by, created_at';

@Injectable()
export class ApiKeys {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Tokens.settings) private readonly settings: AuthSettings,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(Tokens.log) private readonly log: Logger,
  ) {}

  list({ principal, query }: Input<ListApiKeysQuery, undefined>): Promise<Page<ApiKey>> {
    const { limit, cursor, ...filters } = query;
    const sort = filters.sort ?? '-createdAt';
    return this.database.readAs(principal, (tx) => {
      const where = new Where()
        .and('organization_id = ?', principal.organizationId)
        .and('environment = ?', principal.environment)
        .and('revoked_at IS NULL');
      if (filters.q) where.and('name ILIKE ?', containing(filters.q));
      return page<KeyRow, ApiKey>(tx, {
        select: keyColumns,
        from: 'auth.api_keys',
        where,
        sort: { ...sorts[sort.replace('-', '') as keyof typeof sorts], descending: sort.startsWith('-') },
        id: 'id',
        limit,
        cursor,
        boundTo: filters,
        total: async () =>
          Number(
            (
              await tx.query<{ n: string }>(
                `SELECT count(*) AS n FROM auth.api_keys WHERE ${where.toString()}`,
                where.params,
              )
            )[0]?.n,
          ),
        item: keyFromRow,
      });
    });
  }

  create(input: Input<undefined, PostApiKey> | Input<Record<string, never>, PostApiKey>): Promise<ApiKeyWithSecret> {
    const { principal, body } = input;
    requireGrantable(principal, body);
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'auth', principal, input.idempotency, async () => {
        const now = await this.lockOrganization(tx, principal);
        const expiresAt = parseDateOrInstant(body.expiry);
        requireFuture(expiresAt, now);
        await this.countCreation(tx, principal, now);
        const environment = body.environment ?? principal.environment;
        const key = newApiKey(environment);
        const values: NewKey = {
          organizationId: principal.organizationId,
          environment,
          name: body.name,
          scopes: body.scopes,
          expiresAt,
          createdBy: actorOf(principal),
          at: now,
        };
        const created = await tx.inEnvironment(environment, () => insertKey(tx, key, values));
        // In the log of the environment in which it was done, where the one who did it can see it.
        await addEntries(tx, [
          auditRecord(input, {
            type: 'api_key.created',
            resource: { type: 'api_key', id: created.id },
            changes: changesOfCreation(created),
            at: now,
          }),
        ]);
        return { ...created, key };
      }),
    );
  }

  async revoke(input: Input<unknown, undefined>): Promise<void> {
    const { principal } = input;
    const id = input.params['id'] ?? '';
    const keyId = uuidOf('apiKey', id);
    if (!keyId) throw new Fault('NOT_FOUND', { resource: 'api_key', id });
    const revoking = async (tx: Tx): Promise<void> => {
      const at = await markRevoked(tx, principal, keyId);
      if (!at) throw new Fault('NOT_FOUND', { resource: 'api_key', id });
      await addEntries(tx, [
        auditRecord(input, { type: 'api_key.revoked', resource: { type: 'api_key', id }, changes: [], at }),
      ]);
    };
    await this.database.writeAs(principal, revoking, { endsItself: principal.id === keyId });
    const notice: RevokedNotice = { keyId, sparedRequestId: principal.id === keyId ? input.requestId : null };
    await Promise.all([this.tellGateways(notice), waitForHolders(this.database, principal, keyId)]);
  }

  /** Locks the organization, so that its creations come one after another; the time, by the database's clock. */
  private async lockOrganization(tx: Tx, principal: Principal): Promise<Date> {
    await tx.query('SELECT FROM auth.organizations WHERE id = $1 FOR NO KEY UPDATE', [principal.organizationId]);
    const [clock] = await tx.query<{ now: Date }>("SELECT date_trunc('milliseconds', clock_timestamp()) AS now");
    return (clock as { now: Date }).now;
  }

  /** Counts one creation, unless those of the last 24 hours have used the limit up. */
  private async countCreation(tx: Tx, { organizationId }: Principal, now: Date): Promise<void> {
    const limit = this.settings.apiKeysPerDay;
    const windowStart = new Date(now.getTime() - day * 1000);
    const [oldestThatCounts] = await tx.query<{ created_at: Date }>(
      'SELECT created_at FROM auth.api_key_creations WHERE organization_id = $1 AND created_at > $2 ORDER BY created_at DESC OFFSET $3 LIMIT 1',
      [organizationId, windowStart, limit - 1],
    );
    if (oldestThatCounts) {
      const retryAfterSeconds = Math.max(
        1,
        Math.ceil((oldestThatCounts.created_at.getTime() - windowStart.getTime()) / 1000),
      );
      throw new Fault('RATE_LIMITED', {
        scope: 'per organization for API key creation',
        limit,
        windowSeconds: day,
        retryAfterSeconds,
      });
    }
    await tx.query('INSERT INTO auth.api_key_creations (organization_id, created_at) VALUES ($1, $2)', [
      organizationId,
      now,
    ]);
  }

  private async tellGateways(notice: RevokedNotice): Promise<void> {
    try {
      this.log.debug({ told: await tellGateways(this.broker, notice) }, 'gateways were told of a revocation');
    } catch (error) {
      this.log.warn({ err: error }, 'no gateway could be told of a revocation');
    }
  }
}

/** A key cannot make a key that may do more than itself. */
function requireGrantable(principal: Principal, body: PostApiKey): void {
  const lacking: string[] = body.scopes.filter((scope) => !principal.scopes.includes(scope));
  if (principal.environment === 'test' && body.environment === 'live') lacking.push('live');
  if (lacking.length > 0) throw new Fault('INSUFFICIENT_SCOPE', { required: lacking.join(', ') });
}

/** Throws VALIDATION_ERROR. */
export function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt && expiresAt <= now) throw invalid('expiry', 'future', 'expiry must be in the future');
}

export interface NewKey {
  organizationId: string;
  environment: Environment;
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  createdBy: Actor;
  at: Date;
}

/** Stores a key: its hash, and what can be shown of it. */
export async function insertKey(tx: Tx, key: string, values: NewKey): Promise<ApiKey> {
  const rows = await tx.query<KeyRow>(
    `INSERT INTO auth.api_keys (id, organization_id, environment, name, scopes, key_prefix, key_hash, expires_at, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${keyColumns}`,
    [
      newUuid(values.at.getTime()),
      values.organizationId,
      values.environment,
      values.name,
      values.scopes,
      keyPrefixOf(key),
      credentialHash(key),
      values.expiresAt,
      JSON.stringify(values.createdBy),
      values.at,
    ],
  );
  return keyFromRow(rows[0] as KeyRow);
}

export const keyFromRow = (row: KeyRow): ApiKey => ({
  id: publicId('apiKey', row.id),
  name: row.name,
  scopes: row.scopes,
  environment: row.environment,
  keyPrefix: row.key_prefix,
  expiry: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
});

/** What the log says of a new key. */
export const changesOfCreation = (key: ApiKey) =>
  (['name', 'scopes', 'environment', 'keyPrefix', 'expiry'] as const).map((field) => ({
    field,
    before: null,
    after: key[field],
  }));
