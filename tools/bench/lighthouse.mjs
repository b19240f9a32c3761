// Lighthouse's scores of a page. Lighthouse has as many packages as the rest of the project, so it is not a dependency:
// npm installs it for the measurement.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDir } from '@ams/embedded';
import { browserPath } from '@ams/testing';

const run = promisify(execFile);
const version = '12.8.2'; // the last one for Node 20

/** The path of its command, or null when it cannot be installed. */
async function install(report) {
  const dir = join(defaultCacheDir(tmpdir()), `lighthouse-${version}`);
  const command = join(dir, 'node_modules/lighthouse/cli/index.js');
  if (existsSync(command)) return command;
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{"private":true}\n');
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `lighthouse@${version}`], { cwd: dir });
    return command;
  } catch (error) {
    report.line(`          Lighthouse: ${error.message.split('\n')[0]}`);
    rmSync(dir, { recursive: true, force: true });
    return null;
  }
}

/**
 * `{performance, accessibility, 'best-practices', seo}`, each 0 to 100, on a desktop; null when it is not installed.
 * `signedIn`: the storage state of a signed-in browser.
 */
export async function lighthouseScores(url, { signedIn, report }) {
  const command = await install(report);
  if (command === null) return null;
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
        '--preset=desktop',
        '--output=json',
        `--output-path=${output}`,
        `--extra-headers=${headers}`,
        '--chrome-flags=--headless=new --no-sandbox',
      ],
      { env: { ...process.env, CHROME_PATH: await browserPath() }, timeout: 300_000 },
    );
    const { categories } = JSON.parse(readFileSync(output, 'utf8'));
    return Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, Math.round(score * 100)]));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
