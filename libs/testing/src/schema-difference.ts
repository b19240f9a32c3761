/**
 * Compares entities with the migrated schema: returns the statements with which TypeORM would change the tables, none
 * when they agree. An entity needs its indexes, unique constraints, foreign keys, checks and defaults by name. An index
 * that TypeORM cannot express (descending, on an expression) is declared with `@Index('name', { synchronize: false })`.
 * A foreign key to a table of another service is ignored, because no entity can refer to it.
 */
import { DataSource } from 'typeorm';

const droppedForeignKeysBetweenSchemas = `
  SELECT format('ALTER TABLE "%s"."%s" DROP CONSTRAINT "%s"', own_schema.nspname, own.relname, fk.conname) AS statement
  FROM pg_constraint fk
  JOIN pg_class own ON own.oid = fk.conrelid
  JOIN pg_namespace own_schema ON own_schema.oid = own.relnamespace
  JOIN pg_class referenced ON referenced.oid = fk.confrelid
  WHERE fk.contype = 'f' AND referenced.relnamespace <> own.relnamespace`;

export async function schemaDifference(databaseUrl: string, entities: (new () => object)[]): Promise<string[]> {
  const source = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    entities,
    logging: false,
    installExtensions: false,
  });
  await source.initialize();
  try {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    const ignored: { statement: string }[] = await source.query(droppedForeignKeysBetweenSchemas);
    const isIgnored = (query: string): boolean => ignored.some(({ statement }) => statement === query);
    return upQueries.map(({ query }) => query).filter((query) => !isIgnored(query));
  } finally {
    await source.destroy();
  }
}
