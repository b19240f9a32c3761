/** The functions on API keys that both the API and the commands of the operator use. */
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
  type Change,
  type FieldFault,
  type RestrictedTo,
  type Tenant,
} from '@ams/contracts';
import { type Tx } from '@ams/database';
import { type KeyRestriction } from '@ams/domain';
import { type Environment, type Scope } from '@ams/scopes';
import { ApiKeyEntity } from './api-key.entity.js';

export interface NewApiKey {
  /** A UUID. */
  organizationId: string;
  environment: Environment;
  name: string;
  scopes: readonly Scope[];
  /** UUIDs; null: the key sees the whole environment. */
  restrictedTo: KeyRestriction | null;
  expiresAt: Date | null;
  createdBy: Actor;
  at: Date;
}

/** Creates a key and stores its hash. Only the returned value contains the key itself. */
export async function insertApiKey(tx: Tx, { at, restrictedTo, ...values }: NewApiKey): Promise<ApiKeyWithSecret> {
  const key = newApiKey(values.environment);
  const record = {
    ...values,
    id: newUuid(at.getTime()),
    scopes: [...values.scopes],
    clientIds: restrictedTo && [...restrictedTo.clientIds],
    teamIds: restrictedTo && [...restrictedTo.teamIds],
    keyPrefix: keyPrefixOf(key),
    keyHash: credentialHash(key),
    lastUsedAt: null,
    createdAt: at,
    revokedAt: null,
  };
  await tx.repository(ApiKeyEntity).insert(record);
  return { ...apiKeyOf(record), key };
}

/** The key as the API shows it. */
export const apiKeyOf = (record: ApiKeyEntity): ApiKey => ({
  id: publicId('apiKey', record.id),
  name: record.name,
  scopes: record.scopes,
  environment: record.environment,
  restrictedTo: restrictedToOf(record),
  keyPrefix: record.keyPrefix,
  expiry: record.expiresAt?.toISOString() ?? null,
  lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
  createdBy: record.createdBy,
  createdAt: record.createdAt.toISOString(),
});

export const restrictionOf = ({
  clientIds,
  teamIds,
}: Pick<ApiKeyEntity, 'clientIds' | 'teamIds'>): KeyRestriction | null =>
  clientIds && teamIds && { clientIds, teamIds };

function restrictedToOf(record: ApiKeyEntity): ApiKey['restrictedTo'] {
  const restriction = restrictionOf(record);
  return (
    restriction && {
      clientIds: restriction.clientIds.map((id) => publicId('client', id)),
      teamIds: restriction.teamIds.map((id) => publicId('team', id)),
    }
  );
}

/** The restriction with UUIDs, each once. Throws VALIDATION_ERROR for ids of the wrong form. */
export function restrictionFrom(sent: RestrictedTo | null | undefined): KeyRestriction | null {
  if (!sent) return null;
  const uuids = (
    noun: 'client' | 'team',
    path: string,
    ids: string[] = [],
  ): { uuids: string[]; faults: FieldFault[] } => {
    const found = ids.map((id) => uuidOf(noun, id));
    return {
      uuids: [...new Set(found.filter((uuid) => uuid !== null))],
      faults: found.flatMap((uuid, i) =>
        uuid === null ? [{ path: `${path}[${i}]`, rule: 'id', message: `${ids[i]} is not the id of a ${noun}` }] : [],
      ),
    };
  };
  const clients = uuids('client', 'restrictedTo.clientIds', sent.clientIds);
  const teams = uuids('team', 'restrictedTo.teamIds', sent.teamIds);
  const fields = [...clients.faults, ...teams.faults];
  if (fields.length === 0 && clients.uuids.length + teams.uuids.length === 0) {
    const message = 'restrictedTo must name at least one client or team';
    fields.push({ path: 'restrictedTo', rule: 'minItems', message });
  }
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields });
  return { clientIds: clients.uuids, teamIds: teams.uuids };
}

/** The key as the audit log shows it. */
export const changesOfCreation = (key: ApiKey): Change[] =>
  (['name', 'scopes', 'environment', 'restrictedTo', 'keyPrefix', 'expiry'] as const).map((field) => ({
    field,
    before: null,
    after: key[field],
  }));

/** Throws VALIDATION_ERROR. */
export function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt && expiresAt <= now) throw invalid('expiry', 'future', 'expiry must be in the future');
}

/** Throws VALIDATION_ERROR for clients that the environment does not have. */
export async function requireClients(
  tx: Tx,
  { organizationId, environment }: Tenant,
  { clientIds }: KeyRestriction,
): Promise<void> {
  const rows = await tx.inEnvironment(environment, () =>
    tx.query<{ id: string }>(
      `SELECT id FROM resources_views.clients
       WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[]) AND deleted_at IS NULL`,
      [organizationId, environment, clientIds],
    ),
  );
  const present = new Set(rows.map(({ id }) => id));
  const fields = clientIds.flatMap((id, i) =>
    present.has(id)
      ? []
      : [
          {
            path: `restrictedTo.clientIds[${i}]`,
            rule: 'exists',
            message: `there is no client with the id ${publicId('client', id)} in the environment ${environment}`,
          },
        ],
  );
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields });
}
