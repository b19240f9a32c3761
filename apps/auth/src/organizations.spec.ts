import { isApiKey, listAuditLog, listApiKeys } from '@ams/contracts';
import { scopes } from '@ams/scopes';
import { admit, ask, startReplicas, type Replicas } from '../testing/replicas.js';
import { bootstrap, slugOf } from './organizations.js';

let replicas: Replicas;
beforeAll(async () => {
  replicas = await startReplicas(1);
});
afterAll(() => replicas.stop());

it('makes the first organization once, also when it is told twice at once', async () => {
  const wanted = { organization: 'Ship & Sail', ownerName: 'Ada', ownerEmail: 'ada@example.com', keyName: 'first key' };
  const made = await Promise.all([1, 2, 3].map(() => bootstrap(replicas.database, wanted)));
  const keys = made.flatMap(({ key }) => key ?? []);
  expect(keys).toHaveLength(1);
  expect(new Set(made.map(({ organizationId, ownerId }) => `${organizationId} ${ownerId}`)).size).toBe(1);
  expect(await bootstrap(replicas.database, wanted)).toEqual({ ...made[0], key: null });
  const [key] = keys as [string];
  expect(isApiKey(key)).toBe(true);

  const admission = await admit(replicas.broker, key, { scope: 'audit:read' });
  expect(admission).toMatchObject({ kind: 'admitted', principal: { name: 'first key', environment: 'live', scopes } });
  if (admission.kind !== 'admitted') return;
  const log = await ask(replicas.broker, listAuditLog, admission.principal);
  expect((log as unknown as { body: { data: { type: string; actor: object }[] } }).body.data.map(({ type, actor }) => ({ type, actor })).sort((a, b) => a.type.localeCompare(b.type))).toEqual([
    { type: 'api_key.created', actor: { type: 'service', id: null, name: 'setup' } },
    { type: 'api_key.used', actor: { type: 'api_key', id: expect.stringMatching(/^key_/), name: 'first key' } },
    { type: 'member.created', actor: { type: 'service', id: null, name: 'setup' } },
    { type: 'organization.created', actor: { type: 'service', id: null, name: 'setup' } },
  ]);
  expect(JSON.stringify(log)).not.toContain(key);
  expect(await ask(replicas.broker, listApiKeys, admission.principal)).toMatchObject({ body: { data: [{ name: 'first key', createdBy: { type: 'service', id: null, name: 'setup' } }] } });
});

it.each([
  ['Ship & Sail GmbH', 'ship-sail-gmbh'],
  ['  Überwald  ', 'uberwald'],
  ['東京 24', '東京-24'],
])('makes of the name %s the slug %s', (name, slug) => expect(slugOf(name)).toBe(slug));
