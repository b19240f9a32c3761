import {
  documentedOperations,
  startExampleServer,
  type DocumentedOperation,
  type ExampleServer,
  type Parameter,
  type Seen,
} from '../testing/example-server.js';
import { createAlertClient, type AlertClient, type operations } from './index.js';

const apiKey = 'svc_test_0123456789abcdefghijABCDEFGHIJKL012345';

let server: ExampleServer;
let client: AlertClient;
beforeAll(async () => {
  server = await startExampleServer();
  client = createAlertClient({ baseUrl: server.baseUrl, apiKey });
});
afterAll(() => server.stop());

const last = (): Seen => server.seen.at(-1) as Seen;

/**
 * The document's form of a list in the query: `explode` means a repeated name, otherwise values are comma-separated.
 */
function written({ name, schema, explode, example }: Parameter): string {
  if (schema.type !== 'array') return `${name}=${encodeURIComponent(String(example))}`;
  const values = (example as string[]).map(encodeURIComponent);
  return explode ? values.map((value) => `${name}=${value}`).join('&') : `${name}=${values.join(',')}`;
}

/**
 * Calls the operation with all documented parameters; the path is known only at run time, so its types do not apply.
 */
const call = ({ method, path, parameters, body }: DocumentedOperation) => {
  const params: Record<string, Record<string, unknown>> = {};
  for (const parameter of parameters) (params[parameter.in] ??= {})[parameter.name] = parameter.example;
  const ask = client[method.toUpperCase() as keyof AlertClient] as (
    path: string,
    init: object,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  return ask(path, { params, body });
};

describe('every operation', () => {
  it.each(documentedOperations.map((op) => [op.operationId, op] as const))(
    '%s sends the documented request and returns the documented response',
    async (_name, op) => {
      const { data, error, response } = await call(op);
      expect([response.status, error]).toEqual([op.status, undefined]);
      expect(data).toEqual(op.reply);

      const inPath = op.parameters
        .filter((parameter) => parameter.in === 'path')
        .reduce((path, { name, example }) => path.replace(`{${name}}`, String(example)), op.path);
      const [path, query = ''] = last().url.split('?');
      expect([last().method, path]).toEqual([op.method.toUpperCase(), `/api/v1${inPath}`]);
      expect(query.split('&').sort().join('&')).toBe(
        op.parameters
          .filter((parameter) => parameter.in === 'query')
          .map(written)
          .sort()
          .join('&'),
      );
      expect(last().headers.authorization).toBe(`Bearer ${apiKey}`);
      for (const { name, example } of op.parameters.filter((parameter) => parameter.in === 'header'))
        expect(last().headers[name.toLowerCase()]).toBe(example);
      expect(last().body === '' ? undefined : JSON.parse(last().body)).toEqual(op.body);
      if (op.body !== undefined) expect(last().headers['content-type']).toBe('application/json');
    },
  );

  it.each(documentedOperations.map((op) => [op.operationId, op] as const))(
    '%s returns the error of each code without throwing',
    async (_name, op) => {
      for (const { status, body } of Object.values(op.errors)) {
        server.next(status, body);
        const { data, error, response } = await call(op);
        expect([response.status, data, error]).toEqual([status, undefined, body]);
      }
    },
  );
});

describe('the query', () => {
  it.each([
    [
      'lists with commas between the values',
      { status: ['firing', 'resolved'], limit: 5 },
      'status=firing,resolved&limit=5',
    ],
    [
      'each label by itself, commas and all',
      { label: ['region:eu', 'hosts:a,b'] },
      'label=region%3Aeu&label=hosts%3Aa%2Cb',
    ],
    [
      'both together',
      { label: ['region:eu'], source: ['prometheus', 'a&b'] },
      'source=prometheus,a%26b&label=region%3Aeu',
    ],
    ['text that has to be encoded', { q: 'Größe 100 %&=+' }, 'q=Gr%C3%B6%C3%9Fe%20100%20%25%26%3D%2B'],
    ['nothing for an empty list or a value that is not given', { status: [], label: [] as string[], q: undefined }, ''],
  ] satisfies [string, operations['listAlerts']['parameters']['query'], string][])(
    'writes %s',
    async (_what, query, expected) => {
      await client.GET('/alerts', { params: { query } });
      expect(last().url.split('?')[1] ?? '').toBe(expected);
    },
  );
});

describe('other features', () => {
  it('accepts a custom fetch that adds the key', async () => {
    const asked: (string | null)[] = [];
    const own = createAlertClient({
      baseUrl: `${server.baseUrl}/`,
      apiKey,
      fetch: (request) => {
        asked.push(request.headers.get('authorization'));
        return fetch(request);
      },
    });
    const { data } = await own.GET('/alerts/{id}', { params: { path: { id: 'alr_0' } } });
    expect([data?.data.title, asked, last().url]).toEqual(['High CPU', [`Bearer ${apiKey}`], '/api/v1/alerts/alr_0']);
  });

  it('encodes path parameters', async () => {
    await client.GET('/alerts/{id}', { params: { path: { id: '../users?x=1' } } });
    expect(last().url).toBe('/api/v1/alerts/..%2Fusers%3Fx%3D1');
  });

  it('returns a deletion without data', async () => {
    const answer = await client.DELETE('/clients/{id}', {
      params: { path: { id: 'cli_0' }, header: { 'If-Match': '"3"' } },
    });
    expect([answer.response.status, answer.data, answer.error]).toEqual([204, undefined, undefined]);
    expect(last().headers['if-match']).toBe('"3"');
  });

  it('throws when the server is unreachable', async () => {
    const gone = await startExampleServer();
    await gone.stop();
    await expect(createAlertClient({ baseUrl: gone.baseUrl, apiKey }).GET('/alerts')).rejects.toThrow('fetch failed');
  });
});
