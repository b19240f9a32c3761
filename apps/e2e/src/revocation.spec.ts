import type { Alert } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { raceWithRevocation } from './scenarios/revocation-race.js';
import { type One, type Organization, type Refusal, type Sender, type SystemClient } from './system.js';
import { sharedSystem } from './system/shared-system.js';

let system: SystemClient;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
  sender = await acme.integration();
});
afterAll(() => system?.close());

const newAlert = async (): Promise<Alert> => {
  const fingerprint = crypto.randomUUID();
  await sender.fire({ title: 'Slow', severity: 'low', fingerprint });
  return (await acme.alerts({ fingerprint }))[0] as Alert;
};

it('ends a request of the key that another replica is serving: 401, and nothing is committed', async () => {
  const alert = await newAlert();
  const { id, key } = await acme.newKey({ scopes: ['alerts:read', 'alerts:write'] });
  const session = await system.session();
  try {
    await session.query('BEGIN');
    await session.query('SELECT FROM alerts.alerts WHERE fingerprint = $1 FOR UPDATE', [alert.fingerprint]);
    const slow = system.as(key, 0).post<Refusal>(`/api/v1/alerts/${alert.id}/acknowledge`);
    await eventually(async () => {
      const waiting = await system.sql(
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%alerts.alerts%'",
      );
      return waiting.length > 0;
    });
    const revocation = system.as(acme.key, 1).delete(`/api/v1/api-keys/${id}`);
    const answer = await slow; // the row is still locked
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED', details: null } });
    await session.query('ROLLBACK');
    expect((await revocation).status).toBe(204);
  } finally {
    await session.end();
  }
  const { body } = await acme.api.get<One<Alert>>(`/api/v1/alerts/${alert.id}`);
  expect(body.data).toEqual(alert);
  expect(await acme.timeline(alert.id)).toHaveLength(1);
});

it('takes effect at once, on each replica', async () => {
  for (let round = 0; round < 10; round++) {
    const { id, key } = await acme.newKey({ scopes: ['alerts:read'] });
    const ask = (gateway: number) => system.as(key, gateway).get('/api/v1/alerts');
    expect([(await ask(0)).status, (await ask(1)).status]).toEqual([200, 200]);
    expect((await system.as(acme.key, round % 2).delete(`/api/v1/api-keys/${id}`)).status).toBe(204);
    expect((await Promise.all([ask(0), ask(1), ask(0), ask(1)])).map(({ status }) => status)).toEqual([
      401, 401, 401, 401,
    ]);
    expect((await acme.api.delete(`/api/v1/api-keys/${id}`)).status).toBe(404);
  }
});

it('lets a key revoke itself, once', async () => {
  const { id, key } = await acme.newKey({ scopes: ['api_keys:write'] });
  expect((await system.as(key, 0).delete(`/api/v1/api-keys/${id}`)).status).toBe(204);
  expect((await system.as(key, 1).delete(`/api/v1/api-keys/${id}`)).status).toBe(401);
});

it('after its answer no request succeeds or takes effect, in 40 races', async () => {
  for (let round = 0; round < 40; round += 4) {
    const faults = await Promise.all([0, 1, 2, 3].map((n) => raceWithRevocation(system, acme, sender, round + n)));
    expect(faults.flat()).toEqual([]);
  }
});

it('stops a disabled, rotated or deleted ingest token on every replica', async () => {
  const own = await acme.integration();
  const body = { title: 'x', severity: 'low' };
  const eventuallyStatus = (status: number) =>
    eventually(async () => expect((await own.send(body)).status).toBe(status));
  await eventuallyStatus(202);
  await acme.api.put(`/api/v1/integrations/${own.id}`, { enabled: false });
  await eventuallyStatus(401);
  await acme.api.put(`/api/v1/integrations/${own.id}`, { enabled: true });
  await eventuallyStatus(202);
  expect((await acme.api.post(`/api/v1/integrations/${own.id}/rotate-token`)).status).toBe(200);
  await eventuallyStatus(401);
});
