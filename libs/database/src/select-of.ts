import type { ObjectLiteral } from 'typeorm';
import type { Tx } from './database.js';

/**
 * The columns of an entity for a SELECT in SQL: `c.created_at AS "createdAt", …`, without columns of `select: false`.
 * The values are those of the driver: column transformers are not applied.
 */
export const selectOf = (tx: Pick<Tx, 'repository'>, entity: new () => ObjectLiteral, alias: string): string =>
  tx
    .repository(entity)
    .metadata.columns.filter(({ isSelect }) => isSelect)
    .map(({ databaseName, propertyName }) => `${alias}.${databaseName} AS "${propertyName}"`)
    .join(', ');
