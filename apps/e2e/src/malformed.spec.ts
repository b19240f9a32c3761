import { sendBadRequests } from './scenarios/malformed.js';
import { startSystem, type System } from './system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system?.stop());

it('400 malformed requests each get a valid answer within a short time', async () => {
  const pids = system.allReplicas.map(({ pid }) => pid);
  await sendBadRequests(system, await system.organization(), 400);
  expect(system.allReplicas.map(({ pid, running }) => running && pid)).toEqual(pids);
  expect(system.logs()).not.toMatch(/"msg":"a request failed"/);
});
