/** The functions on API keys that both the API and the commands of the operator use. */
import {
  credentialHash,
  invalid,
  keyPrefixOf,
  newApiKey,
  newUuid,
  publicId,
  type Actor,
  type ApiKey,
  type ApiKeyWithSecret,
  type Change,
} from '@ams/contracts';
import { type Tx } from '@ams/database';
import { type Environment, type Scope } from '@ams/scopes';
import { ApiKeyEntity } from './api-key.entity.js';

export interface NewApiKey {
  /** A UUID. */
  organizationId: string;
  environment: Environment;
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  createdBy: Actor;
  at: Date;
}

/** Creates a key and stores its hash. Only the returned value contains the key itself. */
export async function insertApiKey(tx: Tx, { at, ...values }: NewApiKey): Promise<ApiKeyWithSecret> {
  const key = newApiKey(values.environment);
  const record = {
    ...values,
    id: newUuid(at.getTime()),
    scopes: [...values.scopes],
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
  keyPrefix: record.keyPrefix,
  expiry: record.expiresAt?.toISOString() ?? null,
  lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
  createdBy: record.createdBy,
  createdAt: record.createdAt.toISOString(),
});

/** The key as the audit log shows it. */
export const changesOfCreation = (key: ApiKey): Change[] =>
  (['name', 'scopes', 'environment', 'keyPrefix', 'expiry'] as const).map((field) => ({
    field,
    before: null,
    after: key[field],
  }));

/** Throws VALIDATION_ERROR. */
export function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt && expiresAt <= now) throw invalid('expiry', 'future', 'expiry must be in the future');
}
