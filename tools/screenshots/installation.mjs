// The installation whose pages are shown: one of npm start, which is started here or runs already.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as embedded from '@ams/embedded';
import { root } from '../lib/workspace.mjs';
import { patienceMs } from './pages.mjs';

export async function openInstallation(state, isOwn, report) {
  const child = isOwn ? await report.step('starting', () => start(state)) : null;
  const { baseUrl, apiUrl, key, ingestUrl, signInUrl } = JSON.parse(
    readFileSync(join(state, 'credentials.json'), 'utf8'),
  );
  const sessionFile = join(state, 'screenshots-session.json');
  return {
    baseUrl,
    apiUrl,
    key,
    ingestUrl,
    /** The link works once; its session is kept for the next time. */
    async signIn(browser) {
      if (existsSync(sessionFile)) return JSON.parse(readFileSync(sessionFile, 'utf8'));
      const context = await browser.newContext();
      context.setDefaultTimeout(patienceMs);
      const page = await context.newPage();
      await page.goto(signInUrl);
      await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
      const storage = await context.storageState();
      writeFileSync(sessionFile, JSON.stringify(storage), { mode: 0o600 });
      await context.close();
      return storage;
    },
    close: () => (child ? stop(child) : undefined),
  };
}

async function start(state) {
  const port = await embedded.freePort();
  const child = spawn(process.execPath, [join(root, 'tools/start.mjs'), '--port', String(port), '--state', state], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  await new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the installation ended with ${code}:\n${said.slice(-2000)}`)));
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.includes('Ready after')) resolve();
    });
  });
  return child;
}

const stop = (child) =>
  new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.on('exit', resolve);
    child.kill('SIGTERM');
  });
