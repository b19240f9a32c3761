import type { Tenant } from '@ams/contracts';
import { insertAlerts, type HttpClient } from '@ams/testing';
import type { SystemClient } from './system-client.js';

/** More than a request changes at once. */
const enough = 1001;

/** A bulk change of so many alerts that it is a job. They are resolved before, so it changes nothing. Returns its id. */
export async function bulkJob(
  { sql }: Pick<SystemClient, 'sql'>,
  { tenant, api, title = 'Many' }: { tenant: Tenant; api: HttpClient; title?: string },
): Promise<string> {
  const source = `${title} ${crypto.randomUUID()}`;
  const seeds = Array.from({ length: enough }, () => ({ title, source, status: 'resolved' as const }));
  await insertAlerts({ query: async (text, values) => ({ rows: await sql(text, values) }) }, tenant, seeds);
  const body = { action: 'resolve', filter: { source: [source], status: ['resolved'] } };
  const answer = await api.post<{ data: { id: string } }>('/api/v1/alerts/bulk', body);
  expect(answer.status).toBe(202);
  return answer.body.data.id;
}
