import { serviceRequest } from '@ams/contracts';
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import { mkdtempSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectNats } from '../connection.js';
import type { Logger } from '../logger.js';
import { RpcClient } from './rpc-client.js';
import { RpcServer } from './rpc-server.js';

const work = serviceRequest<{ n: number }, { done: number }>('rpc.work');
const revocation = serviceRequest<{ n: number }, { done: number }>('rpc.revocation');

/** A way to the NATS server that can hold back what the server sends, without closing the connection. */
async function startHoldingProxy(port: number) {
  const releases = new Set<() => void>();
  let held = false;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    const waiting: Buffer[] = [];
    upstream.on('data', (bytes: Buffer) => (held ? waiting.push(bytes) : client.write(bytes)));
    releases.add(() => waiting.splice(0).forEach((bytes) => client.write(bytes)));
    client.pipe(upstream);
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => void (held = true),
    release() {
      held = false;
      releases.forEach((release) => release());
    },
    stop: () => void server.close(),
  };
}

let dir: string;
let nats: EmbeddedNats;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ams-late-'));
  nats = await startNats({ dir, durable: false });
});
afterAll(async () => {
  await nats.stop();
  removeState(dir);
});

it('a request that is received after its caller stopped waiting is dropped, the next one is done', async () => {
  const warnings: object[] = [];
  const log = { warn: (facts: object) => void warnings.push(facts), error: () => undefined } as unknown as Logger;
  const proxy = await startHoldingProxy(Number(new URL(nats.url).port));
  const [owner, caller] = await Promise.all([
    connectNats({ url: proxy.url, name: 'owner' }),
    connectNats({ url: nats.url, name: 'caller' }),
  ]);
  const server = new RpcServer(owner, 'owner', log);
  const done: number[] = [];
  for (const { subject } of [work, revocation]) {
    server.addHandler(subject, async ({ n }: { n: number }) => {
      done.push(n);
      return { done: n };
    });
  }
  await server.listen((error) => {
    if (error) throw error as Error;
  });
  const rpc = new RpcClient(caller);
  const send = (n: number, timeoutMs: number) => rpc.request(work, { n }, { timeoutMs, requestId: 'r' });
  try {
    expect(await send(1, 5000)).toEqual({ done: 1 });

    proxy.hold();
    await expect(send(2, 300)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const withoutLimit = rpc.requestAll(revocation, { n: 3 }, { stallMs: 5000, maxWaitMs: 5000 });
    await pause(400);
    proxy.release();
    // It has no time limit, so it is done; the request before it was dropped.
    for (let i = 0; i < 500 && done.length < 2; i++) await pause(10);
    expect(done).toEqual([1, 3]);

    expect(await send(4, 5000)).toEqual({ done: 4 });
    expect(done).toEqual([1, 3, 4]);
    for (let i = 0; i < 500 && warnings.length === 0; i++) await pause(10);
    expect(warnings).toEqual([{ requests: 1 }]);
    await withoutLimit;
  } finally {
    await server.close();
    await Promise.all([owner.close(), caller.close()]);
    proxy.stop();
  }
});
