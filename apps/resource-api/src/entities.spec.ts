import { createTestDatabase, schemaDifference, type MigratedDatabase } from '@ams/testing';
import { entities } from './entities.js';

let own: MigratedDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own?.drop());

it('describe their tables as the migrations made them', async () => {
  expect(await schemaDifference(own.url, entities)).toEqual([]);
});
