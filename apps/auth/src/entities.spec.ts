import { createTestDatabase, schemaDifference } from '@ams/testing';
import { entities } from './entities.js';

it('are the tables that the migrations make', async () => {
  const database = await createTestDatabase();
  try {
    expect(await schemaDifference(database.url, entities)).toEqual([]);
  } finally {
    await database.drop();
  }
});
