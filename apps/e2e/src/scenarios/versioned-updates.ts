/** Many callers that read a record and update it with the version that they have read. */
import type { Client } from '@ams/contracts';
import type { One, Organization, Refusal } from '../system.js';

/** Sends `total` updates from 32 callers. Expects that each success adds one to the version, and that none is lost. */
export async function updateWithVersions(acme: Organization, total: number): Promise<void> {
  const made = await acme.api.post<One<Client>>('/api/v1/clients', { name: 'Acme', description: '' });
  const path = `/api/v1/clients/${made.body.data.id}`;
  const versions: number[] = [];
  let refused = 0;
  let sent = 0;
  /** Reads, adds its own mark, and writes, until the number of requests is reached. */
  const writer = async (name: string): Promise<void> => {
    while (sent < total) {
      const read = await acme.api.get<One<Client>>(path);
      if (read.status !== 200) throw new Error(`reading was answered ${read.status} ${JSON.stringify(read.body)}`);
      const { data } = read.body;
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
}
