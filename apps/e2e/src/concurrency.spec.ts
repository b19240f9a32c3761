import { readPagesWhileChanging } from './scenarios/paging.js';
import { updateWithVersions } from './scenarios/versioned-updates.js';
import type { Organization, SystemClient } from './system.js';
import { sharedSystem } from './system/shared-system.js';

let system: SystemClient;
let acme: Organization;

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
});
afterAll(() => system?.close());

it('200 updates at the same time with If-Match: each success adds one to the version, none is lost', async () => {
  await updateWithVersions(acme, 200);
});

it('pages show every alert that exists throughout once, while others are added and changed', async () => {
  for (const walk of await readPagesWhileChanging(acme, {
    count: 1000,
    perSecond: 100,
    sorts: ['createdAt', '-createdAt'],
  })) {
    expect(walk).toMatchObject({ missed: [], shownTwice: [] });
    expect(walk.changes).toBeGreaterThan(0);
  }
});
