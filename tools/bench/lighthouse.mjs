// Lighthouse's scores of a page. Lighthouse has as many packages as the rest of the project, so it is not a dependency:
// npm installs it for the measurement, once. A measurement itself needs no network. Each step has a deadline.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDir } from '@ams/embedded';
import { browserPath } from '@ams/testing';

const run = promisify(execFile);
const version = '12.8.2'; // the last one for Node 20
const installMinutes = 5;
const pageMinutes = 4;

/** The path of its command. Fails with a message that says what to do. */
export async function installLighthouse(report) {
  const dir = join(defaultCacheDir(tmpdir()), `lighthouse-${version}`);
  const command = join(dir, 'node_modules/lighthouse/cli/index.js');
  if (existsSync(command)) return command;
  report.line(`          installing Lighthouse ${version} (at most ${installMinutes} minutes)`);
  mkdirSync(dirname(dir), { recursive: true });
  const unfinished = mkdtempSync(`${dir}-`);
  writeFileSync(join(unfinished, 'package.json'), '{"private":true}\n');
  const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', `lighthouse@${version}`];
  try {
    await run('npm', npm, { cwd: unfinished, timeout: installMinutes * 60_000 });
    rmSync(dir, { recursive: true, force: true });
    renameSync(unfinished, dir); // only a complete installation has the name
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`npm could not install Lighthouse: ${failure(error, installMinutes)}`, { cause: error });
  }
  return command;
}

/** The first line with which a command explains why it failed. */
const failure = ({ killed, stderr, message }, minutes) =>
  killed
    ? `it took longer than ${minutes} minutes`
    : (stderr?.split('\n').find((line) => /error/i.test(line)) ?? message).trim();

/**
 * `{performance, accessibility, 'best-practices', seo}`, each 0 to 100, on a desktop.
 * `command`: of `installLighthouse`. `signedIn`: the storage state of a signed-in browser.
 * A browser may lose the record of a page (NO_NAVSTART): then Lighthouse asks to be run again, which is done once.
 */
export const lighthouseScores = (url, options) => scores(url, options).catch(() => scores(url, options));

async function scores(url, { command, signedIn }) {
  const dir = mkdtempSync(join(tmpdir(), 'ams-lighthouse-'));
  const headers = join(dir, 'headers.json');
  const output = join(dir, 'report.json');
  const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  writeFileSync(headers, JSON.stringify({ cookie }), { mode: 0o600 });
  try {
    await run(
      process.execPath,
      [
        command,
        url,
        '--quiet',
        '--no-enable-error-reporting',
        '--preset=desktop',
        '--output=json',
        `--output-path=${output}`,
        `--extra-headers=${headers}`,
        '--chrome-flags=--headless=new --no-sandbox',
      ],
      // At SIGINT it ends its browser as well.
      {
        env: { ...process.env, CHROME_PATH: await browserPath() },
        timeout: pageMinutes * 60_000,
        killSignal: 'SIGINT',
      },
    );
    const { categories } = JSON.parse(readFileSync(output, 'utf8'));
    return Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, Math.round(score * 100)]));
  } catch (error) {
    throw new Error(`Lighthouse could not measure ${url}: ${failure(error, pageMinutes)}`, { cause: error });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
