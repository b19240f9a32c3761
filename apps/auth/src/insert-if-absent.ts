import { type Tx } from '@ams/database';
import { type QueryDeepPartialEntity, type ObjectLiteral } from 'typeorm';

/** Inserts a record unless a unique index has its value already. Returns whether it was inserted. */
export async function insertIfAbsent<Entity extends ObjectLiteral>(
  tx: Tx,
  entity: new () => Entity,
  record: QueryDeepPartialEntity<Entity>,
): Promise<boolean> {
  const insert = tx.repository(entity).createQueryBuilder().insert().values(record).orIgnore();
  const { raw } = await insert.returning('id').updateEntity(false).execute();
  return (raw as unknown[]).length > 0;
}
