/** The operations on API keys. */
import {
  Fault,
  publicId,
  uuidOf,
  type ApiKey,
  type ApiKeyWithSecret,
  type Input,
  type ListApiKeysQuery,
  type Page,
  type PostApiKey,
  type Principal,
  type RevokeApiKeyQuery,
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
import { childKeyFaults, missingForChild, parseDateOrInstant, type KeyLimits } from '@ams/domain';
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
import { markDescendantsRevoked, markRevoked, notifyGateways, waitForTransactionsOf } from './revocation.js';

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
      where.ofTexts("created_by->>'id'", filters.createdBy);
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
  async revoke(input: Input<RevokeApiKeyQuery, undefined>): Promise<void> {
    const { principal, requestId, query } = input;
    const id = input.params['id'] ?? '';
    const keyId = uuidOf('apiKey', id);
    if (!keyId) throw notFound(id);
    const cascade = query.cascade === 'true';
    const work = async (tx: Tx): Promise<string[]> => {
      // No key is created in the organization meanwhile: a creation that waits here ends with a key that is not live.
      if (cascade) await this.lockOrganization(tx, principal);
      const at = await markRevoked(tx, principal, keyId);
      if (!at) throw notFound(id);
      const keyIds = [keyId, ...(cascade ? await markDescendantsRevoked(tx, principal, keyId, at) : [])];
      const entries = keyIds.map((revoked) => {
        const resource = { type: 'api_key', id: publicId('apiKey', revoked) };
        return auditRecord(input, { type: 'api_key.revoked', resource, changes: [], at });
      });
      await tx.beyondNarrowing(() => addAuditEntries(tx, entries));
      return keyIds;
    };
    // A key may revoke one from which it descends.
    const endsItself = principal.id === keyId || cascade;
    const keyIds = await this.database.writeAs(principal, work, { endsItself });
    await Promise.all([
      ...keyIds.map((revoked) => this.notifyGateways(revoked, revoked === principal.id ? requestId : null)),
      ...keyIds.map((revoked) => waitForTransactionsOf(this.database, principal, revoked)),
    ]);
  }

  /** Only one creation of an organization runs at a time. Returns the time of the database. */
  private async lockOrganization(tx: Tx, { organizationId }: Principal): Promise<Date> {
    await tx.query('SELECT FROM auth.organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
    return databaseNow(tx);
  }

  /** The key is revoked even if no gateway answers: admission refuses it. */
  private async notifyGateways(keyId: string, sparedRequestId: string | null): Promise<void> {
    const notice = { keyId, sparedRequestId };
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
function requireGrantable(principal: Principal, { scopes, environment = principal.environment }: PostApiKey): void {
  const missing = missingForChild(principal, { scopes, environment });
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
