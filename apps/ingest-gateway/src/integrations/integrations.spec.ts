import { credentialHash, integrationsBucket, newIngestToken, newUuid } from '@ams/contracts';
import { presetSettings } from '@ams/domain';
import { integrationsKv } from '@ams/messaging';
import { eventually, streamManager } from '@ams/testing';
import { alert, post, startWorld, type World } from '../../testing/harness.js';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.end());

const bucket = () => integrationsKv(world.connection, { replicas: 1 });

it('knows the integrations that existed before it started', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => world.integration()));
  const { url } = await world.gateway();
  for (const { token } of all) expect((await post(url, token, alert())).status).toBe(202);
});

it('accepts a token as soon as it exists, also one that was refused before', async () => {
  const { url } = await world.gateway();
  for (let i = 0; i < 10; i++) {
    const { token } = await world.integration();
    expect((await post(url, token, alert())).status).toBe(202);
  }
  const token = newIngestToken();
  expect((await post(url, token, alert())).status).toBe(401);
  const { integration } = await world.integration();
  await world.put(token, integration);
  await eventually(async () => expect((await post(url, token, alert())).status).toBe(202));
});

it('applies changes: mapping, disabling, deletion', async () => {
  const { url } = await world.gateway();
  const { token, integration } = await world.integration();
  await world.put(token, {
    ...integration,
    version: 2,
    settings: { ...presetSettings('generic'), defaultSeverity: 'low' },
  });
  await eventually(async () => expect((await post(url, token, { title: 'x' })).status).toBe(202));
  await world.put(token, { ...integration, version: 3, enabled: false });
  await eventually(async () => expect((await post(url, token, alert())).status).toBe(401));
  await world.put(token, { ...integration, version: 4 });
  await eventually(async () => expect((await post(url, token, alert())).status).toBe(202));
  await (await bucket()).delete(credentialHash(token));
  await eventually(async () => expect((await post(url, token, alert())).status).toBe(401));
});

it('applies changes that were made while NATS was disconnected', async () => {
  const { url } = await world.gateway();
  const [stays, goes] = [await world.integration(), await world.integration()];
  await eventually(async () => expect((await post(url, goes.token, alert())).status).toBe(202));
  await world.restart();
  await (await bucket()).delete(credentialHash(goes.token));
  await eventually(async () => expect((await post(url, goes.token, alert())).status).toBe(401));
  // NATS has just started: it may answer too late, which is 503.
  await eventually(async () => expect((await post(url, stays.token, alert())).status).toBe(202));
});

it('keeps the known integrations when the bucket is lost, and watches the new one', async () => {
  const { url } = await world.gateway();
  const old = await world.integration();
  expect((await post(url, old.token, alert())).status).toBe(202);
  await (await streamManager(world.connection)).streams.delete(`KV_${integrationsBucket}`);
  expect((await post(url, old.token, alert())).status).toBe(202);
  await eventually(
    async () =>
      (await streamManager(world.connection)).streams.info(`KV_${integrationsBucket}`).then(
        () => true,
        () => false,
      ),
    { everyMs: 200 },
  );
  await world.put(old.token, { ...old.integration, enabled: false });
  await eventually(async () => expect((await post(url, old.token, alert())).status).toBe(401), { everyMs: 200 });
});

it('ignores an entry that cannot be read', async () => {
  await (await bucket()).put(credentialHash(newIngestToken()), 'not JSON');
  const { url } = await world.gateway();
  const { token } = await world.integration({ id: newUuid() });
  expect((await post(url, token, alert())).status).toBe(202);
});

it('answers 503 for an unknown token while NATS is disconnected, because the token may be new', async () => {
  const { url } = await world.gateway();
  const { token } = await world.integration();
  const unknownToken = newIngestToken();
  await eventually(async () => expect((await post(url, unknownToken, alert())).status).toBe(401));
  await world.nats.kill();
  try {
    await eventually(async () => expect((await post(url, unknownToken, alert())).status).toBe(503));
    expect((await post(url, token, alert())).status).toBe(503);
    expect((await post(url, 'no token', alert())).status).toBe(401);
  } finally {
    await world.restart();
  }
  await eventually(async () => expect((await post(url, unknownToken, alert())).status).toBe(401));
});
