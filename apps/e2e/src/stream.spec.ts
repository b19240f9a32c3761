/** The stream of events in a whole system. How it resumes, and its limits, are tests of the API gateway. */
import { eventually } from '@ams/testing';
import { type Organization, type SystemClient } from './system.js';
import { sharedSystem } from './system/shared-system.js';

let system: SystemClient;
let acme: Organization;
const abort = new AbortController();

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
});
afterAll(async () => {
  abort.abort();
  await system?.close();
});

interface Received {
  type: string;
  resource: { type: string; id: string };
  changed: string[];
  fields: Record<string, unknown>;
}

/** The data of the events, as they arrive. */
async function follow(key: string, query = ''): Promise<Received[]> {
  const headers = { authorization: `Bearer ${key}` };
  const url = `${system.address.gateways[0]}/api/v1/stream${query}`;
  const answer = await fetch(url, { headers, signal: abort.signal });
  expect(answer.status).toBe(200);
  const received: Received[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data) received.push(JSON.parse(data) as Received);
      }
    }
  };
  read().catch(() => undefined);
  return received;
}

it('shows how an alert and its incident change, to those who may see it', async () => {
  const client = await acme.api.post<{ data: { id: string } }>('/api/v1/clients', {
    name: 'Acme',
    slug: crypto.randomUUID(),
  });
  const clientId = client.body.data.id;
  const narrow = await acme.api.post<{ data: { key: string } }>('/api/v1/api-keys', {
    name: 'of the client',
    scopes: ['alerts:read'],
    restrictedTo: { clientIds: [clientId] },
  });
  const [all, alertsOnly, restricted, foreign] = await Promise.all([
    follow(acme.key),
    follow((await acme.newKey({ scopes: ['alerts:read'] })).key, '?types=alert.created,alert.resolved'),
    follow(narrow.body.data.key),
    follow((await system.organization()).key),
  ]);
  const [own, other] = [
    await acme.integration({ name: 'of the client', clientId }),
    await acme.integration({ name: 'of nobody' }),
  ];
  for (const sender of [other, own])
    await sender.fire({ title: 'Disk full', severity: 'critical', fingerprint: crypto.randomUUID() });
  await eventually(() => expect(restricted.map(({ type }) => type)).toContain('alert.created'));
  const [alert] = await acme.alerts({ clientId });
  const id = alert?.id as string;
  // Nobody is paged, and no incident opens, for an alert that is over before its workflow begins.
  const inIncident = (): Received | undefined =>
    all.find(({ type, resource }) => type === 'alert.addedToIncident' && resource.id === id);
  await eventually(() => expect(inIncident()).toBeDefined());
  await acme.api.post(`/api/v1/alerts/${id}/acknowledge`, {});
  await acme.api.post(`/api/v1/alerts/${id}/resolve`, {});
  await eventually(() => expect(alertsOnly.filter(({ type }) => type === 'alert.resolved')).toHaveLength(1));
  await eventually(() => expect(all.map(({ type }) => type)).toContain('incident.resolved'));
  const ofAlert = all.filter(({ resource }) => resource.id === id);
  expect(ofAlert.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['alert.created', 'alert.acknowledged', 'alert.resolved']),
  );
  const last = ofAlert.find(({ type }) => type === 'alert.resolved');
  expect(last?.fields).toMatchObject({ status: 'resolved', clientId, resolvedBy: { name: expect.any(String) } });
  expect(new Set(alertsOnly.map(({ type }) => type))).toEqual(new Set(['alert.created', 'alert.resolved']));
  expect(new Set(restricted.map(({ resource }) => resource.id))).toEqual(new Set([id]));
  expect(foreign).toEqual([]);
});

it('ends when the key is revoked', async () => {
  const { key, id } = await acme.newKey({ scopes: ['alerts:read'] });
  const received = await follow(key);
  expect((await acme.api.delete(`/api/v1/api-keys/${id}`)).status).toBe(204);
  await eventually(() => expect(received).toEqual([{ reason: 'revoked' }]));
});
