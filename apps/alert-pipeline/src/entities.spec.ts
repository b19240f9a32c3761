import { createTestDatabase, schemaDifference } from '@ams/testing';
import { entities } from './entities.js';

test('the entities and the migrated tables agree', async () => {
  const database = await createTestDatabase();
  expect(await schemaDifference(database.url, entities)).toEqual([]);
  await database.drop();
});
