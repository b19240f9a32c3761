// Started by a test: starts both servers in the given folder, prints their process ids and URLs as JSON, and waits.
import { join } from 'node:path';
import { startNats, startPostgres } from '../src/index.ts';

const [dir, cacheDir] = process.argv.slice(2);
if (cacheDir) process.env.XDG_CACHE_HOME = cacheDir;
const [postgres, nats] = await Promise.all([
  startPostgres({ dir: join(dir, 'postgres') }),
  startNats({ dir: join(dir, 'nats') }),
]);
console.log(
  JSON.stringify({
    postgres: postgres.pid,
    nats: nats.pid,
    url: postgres.url,
    natsUrl: nats.url,
    uid: process.getuid(),
  }),
);
process.stdin.resume();
process.stdin.on('end', async () => {
  await Promise.all([postgres.stop(), nats.stop()]);
  process.exit(0);
});
