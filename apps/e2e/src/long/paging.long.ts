import { readPagesWhileChanging } from '../scenarios/paging.js';
import { startSystem, type System } from '../system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem({ replicas: { 'api-gateway': 2, 'ingest-gateway': 2 } });
});
afterAll(() => system?.stop());

it('reads 100,000 alerts by page while 100 a second are added and changed: none is missed or shown twice', async () => {
  const walks = await readPagesWhileChanging(await system.organization(), {
    count: 100_000,
    perSecond: 100,
    sorts: ['createdAt', '-createdAt'],
  });
  for (const { sort, pages, changes } of walks)
    console.info(`${sort}: ${pages} pages, ${changes} changes at the same time`);
  expect(walks.map(({ missed, shownTwice }) => ({ missed, shownTwice }))).toEqual(
    walks.map(() => ({ missed: [], shownTwice: [] })),
  );
});
