import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import { applyBroker, connectNats } from '@ams/messaging';
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { collectorOf, readSettings, ServiceSettings } from './settings.js';

describe('settings', () => {
  const read = (environment: Record<string, string>) => collectorOf(readSettings(ServiceSettings, environment));

  it('without a collector traces are off', () => {
    expect(read({ OTEL_TRACES_SAMPLER_ARG: '1', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toBeNull();
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, 'http://collector:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector/otlp/' }, 'https://collector/otlp/v1/traces'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/traces' },
      'http://other/traces',
    ],
  ])('the URL of %j is %s', (environment, url) => {
    expect(read(environment as Record<string, string>)?.url).toBe(url);
  });

  it('headers and attributes are lists with encoded values', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, x-tenant=1,',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=a%2Cb',
    };
    expect(read(environment)).toMatchObject({
      headers: { authorization: 'Basic YQ==', 'x-tenant': '1' },
      attributes: { 'deployment.environment.name': 'a,b' },
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://user:secret@collector/'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://collector/?key=secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret%0d%0ab: c'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret%'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['OTEL_RESOURCE_ATTRIBUTES', '=secret'],
  ])('%s=%s is refused, and the message does not have it', (variable, value) => {
    const refused = (() => {
      try {
        read({ [variable]: value });
        return 'accepted';
      } catch (error) {
        return String(error);
      }
    })();
    expect(refused).toMatch(new RegExp(`Invalid configuration. ${variable}: `));
    expect(refused).not.toContain('secret');
  });
});

describe('a service', () => {
  let dir: string;
  let nats: EmbeddedNats;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'ams-traces-'));
    nats = await startNats({ dir, durable: false });
    const client = await connectNats({ url: nats.url, name: 'test' });
    await applyBroker(client);
    await client.close();
  });
  afterAll(async () => {
    await nats.stop();
    removeState(dir);
  });

  /** Starts a service in a process of its own, sends a traced request to it, and stops it. Returns what it has loaded. */
  async function run(
    environment: Record<string, string>,
  ): Promise<{ loaded: string[]; reply: string; metrics: string }> {
    const folder = resolve(import.meta.dirname, '..');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--no-warnings',
        '--import',
        join(folder, '../testing/jest/register-typescript.mjs'),
        'testing/traced-service.ts',
      ],
      { cwd: folder, env: { PATH: process.env['PATH'], NATS_URL: nats.url, HTTP_PORT: '0', ...environment } },
    );
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Awaited<ReturnType<typeof run>>;
  }

  it('without a collector loads no SDK, and has no metric of spans', async () => {
    const { loaded, reply, metrics } = await run({});
    expect(loaded).toEqual(['api']);
    expect(reply).toBe('hello');
    expect(metrics).not.toContain('ams_trace_spans_total');
  });

  it('answers and stops as ever when its collector cannot be reached', async () => {
    const free = createServer();
    await new Promise<void>((done) => free.listen(0, '127.0.0.1', done));
    const { port } = free.address() as AddressInfo;
    await new Promise((done) => free.close(done));
    const { loaded, reply, metrics } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
    expect(loaded).toEqual(expect.arrayContaining(['api', 'sdk-trace', 'exporter-trace-otlp-http']));
    expect(reply).toBe('hello');
    expect(metrics).toContain('ams_trace_spans_total');
  });

  it('stops in time when its collector takes requests and never answers', async () => {
    const silent = createServer();
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as AddressInfo;
    try {
      const { reply } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, DRAIN_SECONDS: '1' });
      expect(reply).toBe('hello');
    } finally {
      silent.close();
    }
  });
});
