// The mail catcher as a process of the installation: supervised like the services, on free ports of loopback.
import { join } from 'node:path';
import * as embedded from '@ams/embedded';
import { root } from '../lib/workspace.mjs';
import { supervise } from './services.mjs';

/** Starts it. `url` and `from` are settings of the notifier, `pageUrl` is the page that shows the mails. */
export async function startMailCatcher(state, report, running) {
  const [smtpPort, port] = [await embedded.freePort(), await embedded.freePort()];
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
