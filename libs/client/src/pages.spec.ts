import { documentedOperations, startExampleServer, type ExampleServer } from '../testing/example-server.js';
import { createAlertClient, pages, type AlertClient, type operations } from './index.js';

let server: ExampleServer;
let client: AlertClient;
beforeEach(async () => {
  server = await startExampleServer();
  client = createAlertClient({ baseUrl: server.baseUrl, apiKey: 'svc_test_x' });
});
afterEach(() => server.stop());

const [example] = (
  documentedOperations.find(({ operationId }) => operationId === 'listAlerts')?.reply as { data: { title: string }[] }
).data;
const page = (titles: string[], nextCursor: string | null, total?: number) => ({
  data: titles.map((title) => ({ ...example, title })),
  meta: { limit: 2, hasMore: nextCursor !== null, nextCursor, ...(total === undefined ? {} : { total }) },
});
const urls = () => server.seen.map(({ url }) => url.replace('/api/v1', ''));

it('gives each page and requests the next one with the same parameters', async () => {
  server.next(200, page(['a', 'b'], 'c1', 5));
  server.next(200, page(['c', 'd'], 'c2'));
  server.next(200, page(['e'], null));
  const titles: string[] = [];
  const params = {
    query: { status: ['firing', 'acknowledged'], label: ['region:eu'], limit: 2 },
    header: { 'X-Request-Id': 'r-1' },
  } satisfies operations['listAlerts']['parameters'];
  for await (const { data, error } of pages(client, '/alerts', params)) {
    expect(error).toBeUndefined();
    titles.push(...(data?.data ?? []).map(({ title }) => title));
  }
  expect(titles).toEqual(['a', 'b', 'c', 'd', 'e']);
  const filters = '/alerts?status=firing,acknowledged&limit=2';
  expect(urls()).toEqual([
    `${filters}&label=region%3Aeu`,
    `${filters}&cursor=c1&label=region%3Aeu`,
    `${filters}&cursor=c2&label=region%3Aeu`,
  ]);
  expect(server.seen.map(({ headers }) => headers['x-request-id'])).toEqual(['r-1', 'r-1', 'r-1']);
});

it('requests no page that is not read', async () => {
  server.next(200, page(['a'], 'c1'));
  for await (const { data } of pages(client, '/alerts')) {
    expect(data?.meta.nextCursor).toBe('c1');
    break;
  }
  expect(urls()).toEqual(['/alerts']);
});

it('ends with the first error, and returns it', async () => {
  const fault = { error: 'The cursor is not valid.', code: 'INVALID_CURSOR', details: null };
  server.next(200, page(['a'], 'c1'));
  server.next(400, fault);
  const answers = [];
  for await (const { data, error, response } of pages(client, '/alerts'))
    answers.push([response.status, data?.data.length, error]);
  expect(answers).toEqual([
    [200, 1, undefined],
    [400, undefined, fault],
  ]);
});

it('starts at a cursor, and reads a list below a record', async () => {
  const answers = [];
  for await (const { data } of pages(client, '/incidents/{id}/alerts', {
    path: { id: 'inc_1' },
    query: { cursor: 'c7' },
  }))
    answers.push(data?.data.length);
  expect([answers, urls()]).toEqual([[1], ['/incidents/inc_1/alerts?cursor=c7']]);
});
