/** The operations on API keys. */
import {
  Fault,
  uuidOf,
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
  page,
  selectOf,
  Where,
  withIdempotency,
  type Sort,
  type Tx,
} from '@ams/database';
import { childKeyFaults, parseDateOrInstant, type KeyLimits } from '@ams/domain';
import { Logger, RpcClient } from '@ams/messaging';
import { Injectable } from '@nestjs/common';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { databaseNow } from '../database-now.js';
import { ApiKeyEntity } from './api-key.entity.js';
import {
  apiKeyOf,
  changesOfCreation,
  insertApiKey,
  requireClients,
  requireFuture,
  restrictionFrom,
  restrictionOf,
} from './api-keys.js';
import { CreationLimit } from './creation-limit.js';
import { markRevoked, notifyGateways, waitForTransactionsOf } from './revocation.js';

const sorts: Record<'createdAt' | 'name', Pick<Sort, 'column' | 'type'>> = {
  createdAt: { column: 'created_at', type: 'time' },
  name: { column: 'name', type: 'text' },
};

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly database: Database,
    private readonly creationLimit: CreationLimit,
    private readonly rpc: RpcClient,
    private readonly log: Logger,
  ) {}

  /** The keys that are not revoked. SQL, because it is a keyset list. */
  list({ principal, query }: Input<ListApiKeysQuery, undefined>): Promise<Page<ApiKey>> {
    const { limit, cursor, ...filters } = query;
    const sort = filters.sort ?? '-createdAt';
    return this.database.readAs(principal, (tx) => {
      const where = new Where()
        .and('organization_id = ?', principal.organizationId)
        .and('environment = ?', principal.environment)
        .and('revoked_at IS NULL');
      where.ofTimes('created_at', filters.createdSince, filters.createdUntil);
      if (filters.q) where.and('name ILIKE ?', containing(filters.q));
      return page<ApiKeyEntity, ApiKey>(tx, {
        select: selectOf(tx, ApiKeyEntity, 'k'),
        from: 'auth.api_keys k',
        where,
        sort: { ...sorts[sort.replace('-', '') as keyof typeof sorts], descending: sort.startsWith('-') },
        id: 'id',
        limit,
        cursor,
        boundTo: filters,
        total: () => count(tx, where),
        item: apiKeyOf,
      });
    });
  }

  /**
   * The only answer that contains the key. Throws VALIDATION_ERROR, RATE_LIMITED, and INSUFFICIENT_SCOPE when the new
   * key has a scope that the caller lacks. A narrowed key, and one that expires, creates only keys like itself.
   */
  create(input: Input<Record<string, never>, PostApiKey>): Promise<ApiKeyWithSecret> {
    const { principal, body } = input;
    requireGrantable(principal, body);
    const restrictedTo = restrictionFrom(body.restrictedTo);
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'auth', principal, input.idempotency, async () => {
        const at = await this.lockOrganization(tx, principal);
        const expiresAt = parseDateOrInstant(body.expiry);
        requireFuture(expiresAt, at);
        await requireWithinParent(tx, principal, { expiresAt: expiresAt?.getTime() ?? null, restrictedTo });
        if (restrictedTo)
          await requireClients(
            tx,
            { ...principal, environment: body.environment ?? principal.environment },
            restrictedTo,
          );
        await this.creationLimit.count(tx, principal, at);
        const { name, scopes, environment = principal.environment } = body;
        const { organizationId } = principal;
        const created = await tx.inEnvironment(environment, () =>
          insertApiKey(tx, {
            organizationId,
            environment,
            name,
            scopes,
            restrictedTo,
            expiresAt,
            createdBy: actorOf(principal),
            at,
          }),
        );
        // In the environment of the caller, so that the caller can see the entry.
        const resource = { type: 'api_key', id: created.id };
        const changes = changesOfCreation(created);
        const entry = auditRecord(input, { type: 'api_key.created', resource, changes, at });
        await tx.beyondNarrowing(() => addAuditEntries(tx, [entry]));
        return created;
      }),
    );
  }

  /** Throws NOT_FOUND. How a revocation takes effect is in `revocation.ts`. */
  async revoke(input: Input<Record<string, never>, undefined>): Promise<void> {
    const { principal, requestId } = input;
    const id = input.params['id'] ?? '';
    const keyId = uuidOf('apiKey', id);
    if (!keyId) throw notFound(id);
    const revokesItself = principal.id === keyId;
    const work = async (tx: Tx): Promise<void> => {
      const at = await markRevoked(tx, principal, keyId);
      if (!at) throw notFound(id);
      const resource = { type: 'api_key', id };
      const entry = auditRecord(input, { type: 'api_key.revoked', resource, changes: [], at });
      await tx.beyondNarrowing(() => addAuditEntries(tx, [entry]));
    };
    await this.database.writeAs(principal, work, { endsItself: revokesItself });
    const notice: RevokedNotice = { keyId, sparedRequestId: revokesItself ? requestId : null };
    await Promise.all([this.notifyGateways(notice), waitForTransactionsOf(this.database, principal, keyId)]);
  }

  /** Only one creation of an organization runs at a time. Returns the time of the database. */
  private async lockOrganization(tx: Tx, { organizationId }: Principal): Promise<Date> {
    await tx.query('SELECT FROM auth.organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
    return databaseNow(tx);
  }

  /** The key is revoked even if no gateway answers: admission refuses it. */
  private async notifyGateways(notice: RevokedNotice): Promise<void> {
    try {
      this.log.debug({ gateways: await notifyGateways(this.rpc, notice) }, 'gateways confirmed a revocation');
    } catch (error) {
      this.log.warn({ err: error }, 'no gateway could be notified of a revocation');
    }
  }
}

async function count(tx: Tx, where: Where): Promise<number> {
  const sql = `SELECT count(*)::int AS total FROM auth.api_keys k WHERE ${where.toString()}`;
  const [row] = await tx.query<{ total: number }>(sql, where.params);
  return row?.total ?? 0;
}

const notFound = (id: string): Fault => new Fault('NOT_FOUND', { resource: 'api_key', id });

/** A key cannot create a key with scopes that it does not have. Throws INSUFFICIENT_SCOPE. */
function requireGrantable(principal: Principal, body: PostApiKey): void {
  const missing: string[] = body.scopes.filter((scope) => !principal.scopes.includes(scope));
  if (principal.environment === 'test' && body.environment === 'live') missing.push('live');
  if (missing.length > 0) throw new Fault('INSUFFICIENT_SCOPE', { required: missing.join(', ') });
}

/** The row of the calling key is held in the transaction. Throws VALIDATION_ERROR. */
async function requireWithinParent(tx: Tx, { type, id, organizationId }: Principal, child: KeyLimits): Promise<void> {
  if (type !== 'api_key') return;
  const parent = await tx.repository(ApiKeyEntity).findOneByOrFail({ id, organizationId });
  const limits = { expiresAt: parent.expiresAt?.getTime() ?? null, restrictedTo: restrictionOf(parent) };
  const fields = childKeyFaults(limits, child);
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields });
}
