// References in a separate Node process: started on a free port, polled until they respond, stopped.
import { join } from 'node:path';
import { freePort, spawnGuarded } from '@ams/embedded';
import { until } from '../until.mjs';

export async function startReference(file) {
  const port = await freePort();
  const child = await spawnGuarded(process.execPath, [join(import.meta.dirname, file), String(port)], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    graceMs: 2000,
  });
  await until(`${file} responds`, async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, 15_000);
  return { port, pid: child.pid, stop: () => child.stop() };
}
