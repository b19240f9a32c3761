/** The record that the path of a call names, as an entity. Every query begins at the tenant. */
import { isDeepStrictEqual } from 'node:util';
import { Fault, uuidOf, type Input, type Noun, type Tenant } from '@ams/contracts';
import { requireVersion, type Tx } from '@ams/database';
import type { QueryDeepPartialEntity, SelectQueryBuilder } from 'typeorm';

interface TenantEntity extends Tenant {
  id: string;
}

interface VersionedEntity extends TenantEntity {
  updatedAt: Date;
  version: number;
}

export interface RecordKind<Entity> {
  entity: new () => Entity;
  noun: Noun;
  /** The name of the record in faults and in the audit log. */
  resource: string;
}

type PathOf = Pick<Input<unknown, unknown>, 'principal' | 'params'>;

/** Throws NOT_FOUND. */
export const findRecord = <Entity extends TenantEntity>(
  tx: Tx,
  kind: RecordKind<Entity>,
  input: PathOf,
): Promise<Entity> => recordOf(tx, kind, input, (query) => query);

/**
 * Locks the record until the end of the transaction. Throws NOT_FOUND or VERSION_MISMATCH. `toChange`: other
 * transactions may still name the record. Teams and policies name each other, and must not wait for each other.
 */
export async function lockRecord<Entity extends TenantEntity & { version: number }>(
  tx: Tx,
  kind: RecordKind<Entity>,
  input: PathOf & { ifMatch: string | null },
  { toChange = false } = {},
): Promise<Entity> {
  const lock = toChange ? 'for_no_key_update' : 'pessimistic_write';
  const record = await recordOf(tx, kind, input, (query) => query.setLock(lock));
  requireVersion(input.ifMatch, record.version);
  return record;
}

async function recordOf<Entity extends TenantEntity>(
  tx: Tx,
  { entity, noun, resource }: RecordKind<Entity>,
  { principal: { organizationId, environment }, params }: PathOf,
  locked: (query: SelectQueryBuilder<Entity>) => SelectQueryBuilder<Entity>,
): Promise<Entity> {
  const publicId = params['id'] ?? '';
  const id = uuidOf(noun, publicId);
  const query = tx.repository(entity).createQueryBuilder('record').where({ id, organizationId, environment });
  const record = id === null ? null : await locked(query).getOne();
  if (!record) throw new Fault('NOT_FOUND', { resource, id: publicId });
  return record;
}

/** The primary key with the tenant, for `where`. */
export const keyOf = <Entity extends TenantEntity>({ id, organizationId, environment }: Entity): TenantEntity => ({
  id,
  organizationId,
  environment,
});

// The casts are needed because TypeORM's types for writes accept no value of type `unknown` in a JSON column.

export const insertRecord = <Entity extends TenantEntity>(
  tx: Tx,
  { entity }: RecordKind<Entity>,
  record: Entity,
): Promise<unknown> => tx.repository(entity).insert(record as QueryDeepPartialEntity<Entity>);

export const deleteRecord = <Entity extends TenantEntity>(
  tx: Tx,
  { entity }: RecordKind<Entity>,
  record: Entity,
): Promise<unknown> => tx.repository(entity).createQueryBuilder().delete().where(keyOf(record)).execute();

/** Writes the next version of a locked record, and returns it. */
export async function changeRecord<Entity extends VersionedEntity>(
  tx: Tx,
  { entity }: RecordKind<Entity>,
  record: Entity,
  changes: Partial<Entity>,
  at: Date,
): Promise<Entity> {
  const next = { ...changes, updatedAt: at, version: record.version + 1 };
  await tx
    .repository(entity)
    .createQueryBuilder()
    .update()
    .set(next as unknown as QueryDeepPartialEntity<Entity>)
    .where(keyOf(record))
    .execute();
  return { ...record, ...next };
}

/** The settings of a record: those of its properties that `defaults` has. */
export const settingsOf = <Settings extends object>(defaults: Settings, record: Settings): Settings =>
  mapped(defaults, (key) => record[key]);

/** Undefined keeps, null clears. An equal value stays as it is stored, where fields of objects have another order. */
export const patched = <T>(stored: T, sent: T | undefined): T =>
  sent === undefined || isDeepStrictEqual(sent, stored) ? stored : sent;

/** The settings with what was sent; see `patched`. */
export const patch = <Settings extends object>(settings: Settings, sent: Partial<Settings>): Settings =>
  mapped(settings, (key) => patched<Settings[keyof Settings]>(settings[key], sent[key]));

const mapped = <Settings extends object>(
  settings: Settings,
  valueOf: (key: keyof Settings) => Settings[keyof Settings],
): Settings =>
  Object.fromEntries(Object.keys(settings).map((key) => [key, valueOf(key as keyof Settings)])) as Settings;
