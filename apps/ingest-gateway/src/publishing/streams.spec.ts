import { ingestLimitStream, ingestLimitSubjects } from '@ams/contracts';
import { managerOf } from '@ams/messaging';
import { eventually } from '@ams/testing';
import { alert, post, startWorld, type World } from '../../testing/harness.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.end());

it('is ready again when a stream that could not be created exists, without a reconnection or a request', async () => {
  const { url, managementUrl } = await world.gateway();
  const { token } = await world.integration();
  const { streams } = await managerOf(world.connection);
  const readiness = async (): Promise<number> => (await fetch(`${managementUrl}/readyz`)).status;
  await streams.delete(ingestLimitStream);
  // NATS refuses a stream whose subjects belong to another one.
  await streams.add({ name: 'ANOTHER', subjects: [ingestLimitSubjects.replace(/[*>]$/, 'never')] });
  await post(url, token, alert());
  await eventually(async () => expect(await readiness()).toBe(503));
  await streams.delete('ANOTHER');
  await eventually(async () => expect(await readiness()).toBe(200));
});
