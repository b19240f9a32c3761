import { raceWithRevocation } from '../scenarios/revocation-race.js';
import { startSystem, type System } from '../system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem({ replicas: { 'api-gateway': 3, auth: 2, 'alert-pipeline': 2 } });
});
afterAll(() => system?.stop());

it('after a revocation is answered, no request succeeds or takes effect, in 1,000 races', async () => {
  const acme = await system.organization();
  const sender = await acme.integration();
  for (let round = 0; round < 1000; round += 4) {
    const faults = await Promise.all([0, 1, 2, 3].map((n) => raceWithRevocation(system, acme, sender, round + n)));
    expect(faults.flat()).toEqual([]);
  }
});
