import type { Client } from '@ams/contracts';
import { readPagesWhileChanging } from './scenarios/paging.js';
import { type One, type Organization, type Refusal, type SystemClient } from './system.js';
import { sharedSystem } from './system/shared-system.js';

let system: SystemClient;
let acme: Organization;

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
});
afterAll(() => system?.close());

it('2,000 updates at the same time with If-Match: each success adds one to the version, none is lost', async () => {
  const made = await acme.api.post<One<Client>>('/api/v1/clients', { name: 'Acme', description: '' });
  const path = `/api/v1/clients/${made.body.data.id}`;
  const versions: number[] = [];
  let refused = 0;
  let sent = 0;
  /** Reads, adds its own mark, and writes, until the number of requests is reached. */
  const writer = async (name: string): Promise<void> => {
    while (sent < 2000) {
      const { data } = (await acme.api.get<One<Client>>(path)).body;
      sent++;
      const description = `${(data.description ?? '').slice(-400)}${name}${data.version} `;
      const answer = await acme.api.request<One<Client> & Refusal>('PUT', path, {
        body: { description },
        headers: { 'if-match': `"${data.version}"` },
      });
      if (answer.status === 200) {
        expect(answer.body.data).toMatchObject({ version: data.version + 1, description });
        versions.push(answer.body.data.version);
      } else {
        expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 412, code: 'VERSION_MISMATCH' });
        refused++;
      }
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, n) => writer(String.fromCharCode(97 + (n % 26)))));
  const { data } = (await acme.api.get<One<Client>>(path)).body;
  expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: versions.length }, (_, n) => n + 2));
  expect(data.version).toBe(versions.length + 1);
  expect(versions.length + refused).toBe(sent);
  expect(refused).toBeGreaterThan(0);
  // The mark of every successful update is in the text.
  const marks = (data.description ?? '')
    .trim()
    .split(' ')
    .slice(1)
    .map((mark) => Number(mark.slice(1)));
  expect(marks).toEqual(Array.from({ length: marks.length }, (_, n) => data.version - marks.length + n));
});

it('pages show every alert that exists throughout once, while others are added and changed', async () => {
  for (const walk of await readPagesWhileChanging(acme, {
    count: 3000,
    perSecond: 100,
    sorts: ['createdAt', '-createdAt'],
  })) {
    expect(walk).toMatchObject({ missed: [], shownTwice: [] });
    expect(walk.changes).toBeGreaterThan(0);
  }
});
