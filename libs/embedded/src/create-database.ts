import pg from 'pg';

export interface CreateDatabaseOptions {
  /** The template to copy; it must have no connections. */
  template?: string;
}

/** Creates a database in the cluster of the (superuser's) URL, and returns the URL of the new database. */
export async function createDatabase(
  url: string,
  name: string,
  { template }: CreateDatabaseOptions = {},
): Promise<string> {
  // The other strategy writes the whole template to the WAL: five times more CPU for a schema of a thousand relations.
  const from = template ? ` TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY FILE_COPY` : '';
  await execute(url, `CREATE DATABASE ${pg.escapeIdentifier(name)}${from}`);
  const created = new URL(url);
  created.pathname = `/${encodeURIComponent(name)}`;
  return created.href;
}

/** Drops the database if it exists, and closes the connections to it. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await execute(url, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
