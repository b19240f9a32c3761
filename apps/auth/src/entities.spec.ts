import { createTestDatabase, schemaDifference } from '@ams/testing';
import { entities } from './entities.js';

it('match the tables that the migrations create', async () => {
  const database = await createTestDatabase();
  try {
    expect(await schemaDifference(database.url, entities)).toEqual([]);
  } finally {
    await database.drop();
  }
});
