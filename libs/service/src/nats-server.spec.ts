/** A NATS server whose settings do not fit: the service says so when it starts, and after a reconnection. */
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import { Module } from '@nestjs/common';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from './log.js';
import { startService } from './run-service.js';
import { ServiceSettings } from './settings.js';

@Module({})
class EmptyModule {}

let dir: string;
let nats: EmbeddedNats;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ams-service-'));
  nats = await startNats({ dir, durable: false });
});
afterAll(async () => {
  await nats?.stop();
  removeState(dir);
});

const stock = 'max_payload: 1048576';

const start = (natsUrl: string, lines: string[] = []) =>
  startService(
    { name: 'probe', settings: ServiceSettings, module: EmptyModule },
    Object.assign(new ServiceSettings(), { natsUrl, httpHost: '127.0.0.1', httpPort: 0 }),
    createLogger('probe', 'error', { write: (line) => lines.push(line) }),
  );

test.each([
  ['accepts small messages only', stock, /accepts messages of 1048576 bytes and must accept 8388608: set "max_payload/],
  ['has no JetStream', 'jetstream: disabled', /has no JetStream: add "jetstream/],
])('a service does not start with a server that %s', async (_what, config, message) => {
  await nats.restart({ config });
  await expect(start(nats.url)).rejects.toThrow(message);
});

test('/readyz and the log name the fault of a server that was restarted with other settings', async () => {
  await nats.restart({ config: '' });
  const lines: string[] = [];
  const service = await start(nats.url, lines);
  const ready = () => fetch(`http://127.0.0.1:${service.port}/readyz`);
  expect((await ready()).status).toBe(200);
  await nats.restart({ config: stock });
  while (!/"nats":{"message":"the NATS server accepts messages of 1048576/.test(await (await ready()).text()))
    await pause(50);
  while (!/"level":"error".*must accept 8388608/.test(lines.join(''))) await pause(50);
  await nats.restart({ config: '' });
  while ((await ready()).status !== 200) await pause(50);
  await service.stop();
});
