/**
 * Holds entities against the migrated schema: the statements by which TypeORM would change the tables; none when they agree.
 * An entity needs its indexes, unique constraints, foreign keys, checks and defaults by name. An index that TypeORM cannot
 * express (descending, over an expression) is named with `@Index('name', { synchronize: false })`.
 */
import { DataSource } from 'typeorm';

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
    return upQueries.map(({ query }) => query);
  } finally {
    await source.destroy();
  }
}
