import { createDatabase, testPasswords, type TestDatabase } from '@ams/testing';
import pg from 'pg';
import { ensureRoles } from './roles.js';

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
