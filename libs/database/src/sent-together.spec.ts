import { createTestDatabase, type MigratedDatabase } from '@ams/testing';
import { Database } from './database.js';
import { sentTogether } from './sent-together.js';

let own: MigratedDatabase;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  database = await Database.open({ service: 'alert-pipeline', url: own.urls['alert-pipeline'], poolSize: 1 });
});
afterAll(async () => {
  await database?.close();
  await own?.drop();
});

const insert = `INSERT INTO alerts.replicas (id, seen_at) VALUES (gen_random_uuid(), now())`;
const rows = async (): Promise<number> => (await database.query('SELECT FROM alerts.replicas')).length;

test('statements are executed in the order in which they were sent', async () => {
  const results = await database.asService((tx) =>
    sentTogether([
      tx.query<{ n: number }>('SELECT 1 AS n'),
      tx.query(insert),
      tx.query<{ n: number }>('SELECT count(*)::int AS n FROM alerts.replicas'),
    ]),
  );
  expect(results).toEqual([[{ n: 1 }], [], [{ n: 1 }]]);
  expect(await rows()).toBe(1);
});

test('the first error is thrown, and nothing that follows is committed alone', async () => {
  const before = await rows();
  const later = async (query: (sql: string) => Promise<unknown>): Promise<void> => {
    for (let n = 0; n < 5; n++) {
      await query(insert).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const failing = database.asService((tx) =>
    sentTogether([tx.query('SELECT 1 / 0'), tx.query('not SQL'), later((sql) => tx.query(sql))]),
  );
  await expect(failing).rejects.toThrow('division by zero');
  expect(await rows()).toBe(before);
});
