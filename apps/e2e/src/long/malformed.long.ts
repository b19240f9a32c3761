import { sendBadRequests } from '../scenarios/malformed.js';
import { startSystem, type System } from '../system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system?.stop());

it('20,000 malformed requests each get a valid answer within a short time', async () => {
  await sendBadRequests(system, await system.organization(), 20_000);
  expect(system.allReplicas.every(({ running }) => running)).toBe(true);
  expect(system.logs()).not.toMatch(/"msg":"a request failed"/);
});
