import { updateWithVersions } from '../scenarios/versioned-updates.js';
import { startSystem, type System } from '../system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem({ replicas: { 'api-gateway': 2, 'resource-api': 2, auth: 2 } });
});
afterAll(() => system?.stop());

it('2,000 updates at the same time with If-Match: each success adds one to the version, none is lost', async () => {
  await updateWithVersions(await system.organization(), 2000);
});
