import { createTestDatabase, schemaDifference, type MigratedDatabase } from '@ams/testing';
import { entities } from './entities.js';

let own: MigratedDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own?.drop());

it('match the tables that the migrations create', async () => {
  expect(await schemaDifference(own.url, entities)).toEqual([]);
});
