import { createDatabase, testPasswords, type TestDatabase } from '@ams/testing';
import pg from 'pg';
import { ensureRoles, serviceRoles } from './roles.js';

let databases: TestDatabase[];
beforeAll(async () => {
  databases = await Promise.all(Array.from({ length: 6 }, () => createDatabase()));
});
afterAll(() => Promise.all(databases.map((database) => database.drop())));

it('the roles are set by several installations of one cluster at the same time', async () => {
  await Promise.all(
    databases.map(async ({ url }) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        for (let round = 0; round < 3; round++) await ensureRoles(client, testPasswords);
      } finally {
        await client.end();
      }
    }),
  );
});

it('a service becomes the role of principals, but has not its rights: its own statements have no policies of tenants', async () => {
  const client = new pg.Client({ connectionString: databases[0]?.url });
  await client.connect();
  try {
    await client.query('GRANT ams_auth_principal TO ams_auth WITH INHERIT TRUE'); // as earlier releases did
    await ensureRoles(client, testPasswords);
    const { rows } = await client.query<{ service: string; becomes: boolean; hasRights: boolean }>(
      `SELECT service, pg_has_role(service, service || '_principal', 'SET') AS becomes,
         pg_has_role(service, service || '_principal', 'USAGE') AS "hasRights" FROM unnest($1::text[]) AS service`,
      [Object.values(serviceRoles)],
    );
    expect(rows.map(({ becomes, hasRights }) => ({ becomes, hasRights }))).toEqual(
      Object.values(serviceRoles).map(() => ({ becomes: true, hasRights: false })),
    );
  } finally {
    await client.end();
  }
});
