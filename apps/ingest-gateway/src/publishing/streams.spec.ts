import { ingestLimitStream } from '@ams/contracts';
import { eventually, streamManager } from '@ams/testing';
import { alert, post, startWorld, type World } from '../../testing/harness.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.end());

it('says what is missing, and is ready again when it exists, without a reconnection or a request', async () => {
  const { url, managementUrl } = await world.gateway();
  const { token } = await world.integration();
  const { streams } = await streamManager(world.connection);
  const readiness = async (): Promise<string> => {
    const answer = await fetch(`${managementUrl}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };
  await world.broker.stop();
  await streams.delete(ingestLimitStream);
  await post(url, token, alert());
  await eventually(async () =>
    expect(await readiness()).toMatch(/^503 .*LIMIT_INGEST is missing in NATS: run .*npm run admin -- broker apply/),
  );
  await world.broker.apply();
  await eventually(async () => expect(await readiness()).toMatch(/^200/));
});
