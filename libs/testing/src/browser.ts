/**
 * A real browser for tests and measurements of the dashboard: Debian's Chromium, which is installed when it is missing.
 * CHROMIUM_PATH names another one.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';

const run = promisify(execFile);

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const findBrowser = (): string | undefined =>
  [process.env['CHROMIUM_PATH'] ?? '', ...places].find((path) => path !== '' && existsSync(path));

/** The path of the browser, for programs that start it themselves. */
export const browserPath = async (): Promise<string> => findBrowser() ?? (await installBrowser());

export async function launchBrowser(): Promise<Browser> {
  const executablePath = await browserPath();
  const { chromium } = await import('playwright-core'); // most tests need no browser
  // Chromium's own sandbox needs rights that containers do not give; the pages here are ours.
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: 120_000 });
}

async function installBrowser(): Promise<string> {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const packages = async (...args: string[]): Promise<void> => {
    const [command = '', ...rest] = [...asRoot, 'apt-get', '-q', '-y', '-o', 'DPkg::Lock::Timeout=300', ...args];
    await run(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  };
  for (let attempt = 1; findBrowser() === undefined; attempt++) {
    try {
      await packages('update');
      await packages('install', '--no-install-recommends', 'chromium');
    } catch (error) {
      const { message, stderr = '' } = error as Error & { stderr?: string };
      // Another apt-get may be at work: not every lock of it can be waited for.
      if (attempt < 5) {
        await setTimeout(10_000);
        continue;
      }
      throw new Error(
        'The dashboard needs Chromium here, and it could not be installed. Install it (apt-get install chromium), ' +
          `or set CHROMIUM_PATH. ${message} ${stderr.slice(-500)}`,
        { cause: error },
      );
    }
    break;
  }
  const installed = findBrowser();
  if (installed === undefined)
    throw new Error('apt-get has installed chromium, but it is in none of the known places.');
  return installed;
}
