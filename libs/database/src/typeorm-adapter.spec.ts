import { createDatabase, type TestDatabase } from '@ams/testing';
import { DataSource } from 'typeorm';
import { clientOf, markTransaction, poolOf, release } from './typeorm-adapter.js';

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await createDatabase();
  source = new DataSource({ type: 'postgres', url: database.url, poolSize: 2, logging: false });
  await source.initialize();
});

afterAll(async () => {
  await source.destroy();
  await database.drop();
});

it('gives the pool, which accepts named statements', async () => {
  const { rows } = await poolOf(source).query({ name: 'one', text: 'SELECT $1::int AS n', values: [1] });
  expect(rows).toEqual([{ n: 1 }]);
});

it('returns a connection to the pool, and closes a broken one', async () => {
  const runner = source.createQueryRunner();
  await clientOf(runner);
  await release(runner);
  expect([poolOf(source).totalCount, poolOf(source).idleCount]).toEqual([1, 1]);

  const broken = source.createQueryRunner();
  await clientOf(broken);
  await release(broken, new Error('broken'));
  expect(poolOf(source).totalCount).toBe(0);
});

it('marks a transaction as active, so that locks are allowed', async () => {
  const runner = source.createQueryRunner();
  await clientOf(runner);
  markTransaction(runner);
  expect(runner.isTransactionActive).toBe(true);
  await release(runner);
});
