// The schema of the installation: a file fits one schema only.

/** Throws unless the database has the schema of this release. Returns its name. */
export async function schemaName({ database, migrations }) {
  const [row] = await database.query('SELECT name FROM ams_migrations ORDER BY timestamp DESC LIMIT 1');
  const own = migrations.at(-1).name;
  if (row?.name !== own)
    throw new Error(
      `The schema of the database is ${row?.name ?? 'missing'}, and this release has ${own}: use its own release.`,
    );
  return own;
}
