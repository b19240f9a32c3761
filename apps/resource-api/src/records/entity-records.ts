/** The record that the path of a call names, as an entity. Every query begins at the tenant. */
import { Fault, uuidOf, type Input, type Noun, type Tenant } from '@ams/contracts';
import { requireVersion, type Tx } from '@ams/database';
import type { SelectQueryBuilder } from 'typeorm';

interface TenantEntity extends Tenant {
  id: string;
}

export interface RecordKind<Entity> {
  entity: new () => Entity;
  noun: Noun;
  /** Its name in faults and in the audit log. */
  resource: string;
}

type PathOf = Pick<Input<unknown, unknown>, 'principal' | 'params'>;

/** Throws NOT_FOUND. */
export const findRecord = <Entity extends TenantEntity>(
  tx: Tx,
  kind: RecordKind<Entity>,
  input: PathOf,
): Promise<Entity> => recordOf(tx, kind, input, (query) => query);

/** Nobody else changes the record until the end of the transaction. Throws NOT_FOUND or VERSION_MISMATCH. */
export async function lockRecord<Entity extends TenantEntity & { version: number }>(
  tx: Tx,
  kind: RecordKind<Entity>,
  input: PathOf & { ifMatch: string | null },
): Promise<Entity> {
  const record = await recordOf(tx, kind, input, (query) => query.setLock('pessimistic_write'));
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

/** For the `where` of an update or a delete. */
export const keyOf = <Entity extends TenantEntity>({ id, organizationId, environment }: Entity): TenantEntity => ({
  id,
  organizationId,
  environment,
});
