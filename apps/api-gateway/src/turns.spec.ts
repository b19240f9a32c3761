/** What an organization reads from all owners shares few places while others are active (ADR 75). */
import {
  acknowledgeAlert,
  credentialHash,
  getAlert,
  listAlerts,
  listAuditLog,
  newApiKey,
  type AdmitReply,
  type Answer,
} from '@ams/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  admission,
  announcement,
  one,
  owner,
  principalOf,
  rate,
  startWorld,
  withKey,
  type World,
} from '../testing/support.js';

const [mine, others] = [newApiKey('live'), newApiKey('live')];
const principals = new Map(
  [mine, others].map(
    (key) => [credentialHash(key), principalOf({ scopes: ['alerts:read', 'alerts:write', 'audit:read'] })] as const,
  ),
);

let world: World;
beforeAll(async () => {
  world = await startWorld();
  for (const name of ['resource-api', 'auth', 'alert-pipeline'] as const) await world.announce(announcement(name));
  await admission(world.connection, ({ keyHash }): AdmitReply => {
    const principal = principals.get(keyHash);
    return principal ? { kind: 'admitted', principal, rate } : { kind: 'unauthorized' };
  });
});
afterAll(() => world.stop());

it('reads wait for reads of other owners beside other organizations; changes do not, nor do others', async () => {
  const { client } = await world.startGateway();
  let running = 0;
  let most = 0;
  const slowly = async (): Promise<Answer> => {
    most = Math.max(most, ++running);
    await sleep(30);
    running--;
    return one([]);
  };
  const owners = await Promise.all([
    owner(world.connection, listAuditLog, slowly),
    owner(world.connection, listAlerts, slowly),
    owner(world.connection, getAlert, () => one({})),
    owner(world.connection, acknowledgeAlert, () => one({})),
  ]);

  const answered: string[] = [];
  const get = async (path: string, key: string): Promise<void> => {
    expect((await client.get(`/api/v1${path}`, withKey(key))).status).toBe(200);
    answered.push(path);
  };
  await get('/alerts/first', others);
  const all = Array.from({ length: 16 }, (_, n) => get(n % 2 ? '/alerts' : '/audit-log', mine));
  await get('/alerts/last', others);
  expect((await client.post('/api/v1/alerts/one/acknowledge', {}, withKey(mine))).status).toBe(200);
  expect(answered.length).toBeLessThan(16);
  await Promise.all(all);
  // One at a time, or a few more on a machine so busy that a place is given back before the answer.
  expect(most).toBeLessThan(8);
  await Promise.all(owners.map(({ stop }) => stop()));
});

it('alone, an organization has more of them', async () => {
  const { client } = await world.startGateway();
  let running = 0;
  let begin: () => void = () => undefined;
  const together = new Promise<void>((resolve) => (begin = resolve));
  const { stop } = await owner(world.connection, getAlert, async () => {
    if (++running === 4) begin();
    await together;
    return one({});
  });
  const answers = await Promise.all([1, 2, 3, 4].map((n) => client.get(`/api/v1/alerts/${n}`, withKey(mine))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await stop();
});
