import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnection } from 'node:net';
import { createDatabase, eventually, httpClient, manualClock, testNatsUrl, testPostgresUrl } from './index.js';

describe('the global set-up', () => {
  it('gives every test file a PostgreSQL cluster in which it can create databases', async () => {
    const first = await createDatabase();
    const second = await createDatabase({ template: first.name });
    expect(first.url).not.toBe(second.url);
    expect(new URL(second.url).host).toBe(new URL(testPostgresUrl()).host);
    await first.drop();
    await second.drop();
  });

  it('gives a NATS server with JetStream', async () => {
    const { hostname, port } = new URL(testNatsUrl());
    const greeting = await new Promise<string>((resolve, reject) => {
      const socket = createConnection({ host: hostname, port: Number(port) });
      socket.on('error', reject);
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
    });
    expect(greeting).toContain('"jetstream":true');
  });
});

describe('manualClock', () => {
  it('does not change until it is moved', () => {
    const clock = manualClock('2026-03-29T00:30:00Z');
    clock.advance(60_000);
    expect(clock.now().toISOString()).toBe('2026-03-29T00:31:00.000Z');
    clock.set('2027-01-01T00:00:00Z');
    expect(clock.now().getUTCFullYear()).toBe(2027);
  });
});

describe('eventually', () => {
  it('retries until it succeeds', async () => {
    let left = 3;
    await expect(
      eventually(() => {
        if (--left > 0) throw new Error('not yet');
        return 'done';
      }),
    ).resolves.toBe('done');
  });

  it('throws the last error after the time-out', async () => {
    await expect(eventually(() => Promise.reject(new Error('never')), { timeoutMs: 60 })).rejects.toThrow('never');
    await expect(eventually(() => false, { timeoutMs: 60 })).rejects.toThrow('not true within 60 ms');
  });
});

describe('httpClient', () => {
  it('gives status, headers and body for any status', async () => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        response.writeHead(418, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify({ url: request.url, key: request.headers['x-key'], body: JSON.parse(body) }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = httpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      headers: { 'x-key': 'k' },
    });
    const answer = await client.post('/tea', { sugar: 1 }, { query: { cups: 2 } });
    server.close();
    expect(answer.status).toBe(418);
    expect(answer.body).toEqual({ url: '/tea?cups=2', key: 'k', body: { sugar: 1 } });
  });
});
