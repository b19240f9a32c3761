// The mail catcher as a process of the installation: supervised like the services, on ports of loopback. Its page keeps
// its port as long as no other program takes it.
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as embedded from '@ams/embedded';
import { root } from '../lib/workspace.mjs';
import { readJson, writePrivate } from './secrets.mjs';
import { supervise } from './services.mjs';

/** Starts it. `url` and `from` are settings of the notifier, `pageUrl` is the page that shows the mails. */
export async function startMailCatcher(state, report, running) {
  const smtpPort = await embedded.freePort();
  const port = await keptPort(join(state, 'mail-page.json'));
  const catcher = supervise({
    name: 'mail-catcher',
    script: join(root, 'tools/mail-catcher/main.mjs'),
    port,
    env: { SMTP_PORT: String(smtpPort), MAIL_DIR: join(state, 'mails') },
    semiSpaceMegabytes: 1,
    logDir: join(state, 'logs'),
    spawnGuarded: embedded.spawnGuarded,
    report,
  });
  running.push([catcher]);
  await report.step('mail catcher', async () => {
    await catcher.start();
    await catcher.ready(30_000);
  });
  return {
    url: `smtp://127.0.0.1:${smtpPort}`,
    from: 'Alerts <alerts@localhost>',
    pageUrl: `http://127.0.0.1:${port}`,
  };
}

/** The port of the last start, or another free one. */
async function keptPort(file) {
  const last = readJson(file)?.port;
  const port = last && (await isFree(last)) ? last : await embedded.freePort();
  writePrivate(file, { port });
  return port;
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
