// A program that is not ours and serves HTTP. It runs under the guard (libs/embedded), so that it ends with this
// process.
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnGuarded } from '@ams/embedded';

const isReady = (url) =>
  fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * `{ url, log(), kill(), start(), stop() }` of a program that answers `/-/ready` on the port. `kill` sends SIGKILL;
 * `start` starts it again.
 */
export async function startProgram({ name, command: [file, ...args], port }) {
  const url = `http://127.0.0.1:${port}`;
  const log = [];
  let child;
  const start = async () => {
    child = await spawnGuarded(file, args, { output: (line) => log.push(line) });
    for (const until = Date.now() + 30_000; !(await isReady(url)); await sleep(100))
      if (!child.running || Date.now() > until) throw new Error(`${name} did not start:\n${log.slice(-10).join('\n')}`);
  };
  await start();
  return { url, log: () => log, kill: () => child.kill(), start, stop: () => child.stop() };
}
