// Pictures of the dashboard, light and dark, on a phone, a small and a wide screen:
//
//   npm run screenshots                      every page of an installation of its own, to screenshots/
//   npm run screenshots -- /alerts /on-call  only pages whose path begins so
//
//   --out DIR     the folder of the pictures
//   --state DIR   an installation that runs with this state folder (npm start -- --state DIR), in place of an own one
//   --empty       of an organization without data
//   --error       every request of data is answered with status 500
//   --width N     only this width (390, 1024 or 1600)
//   --scheme S    only light or only dark
//   --docs        the pictures of README.md and docs/dashboard.md, to docs/images
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createReporter } from './lib/reporter.mjs';
import { ensureBuilt, ensureDependencies, root } from './lib/workspace.mjs';
import { documentPages, pages, patienceMs, settled } from './screenshots/pages.mjs';

const { values: options, positionals } = parseArgs({
  options: {
    out: { type: 'string' },
    state: { type: 'string' },
    empty: { type: 'boolean', default: false },
    error: { type: 'boolean', default: false },
    width: { type: 'string' },
    scheme: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const report = createReporter();
await ensureDependencies(report);
await ensureBuilt(report);
const { openInstallation } = await import('./screenshots/installation.mjs');
const { demo } = await import('./screenshots/demo.mjs');
const { launchBrowser } = await import('@ams/testing');

const heights = { 390: 844, 1024: 768, 1600: 1000 };
const widths = options.width ? [Number(options.width)] : [390, 1024, 1600];
const schemes = options.scheme ? [options.scheme] : ['light', 'dark'];
const variant = options.empty ? 'empty' : options.error ? 'error' : '';
const out = resolve(root, options.out ?? (options.docs ? 'docs/images' : join('screenshots', variant)));
mkdirSync(out, { recursive: true });

const own = options.state ? null : mkdtempSync(join(tmpdir(), 'ams-screenshots-'));
const installation = await openInstallation(own ?? resolve(root, options.state), own !== null, report);
let browser;
try {
  const found = options.empty ? {} : await report.step('demo data', () => demo(installation));
  browser = await launchBrowser();
  const storageState = await installation.signIn(browser);
  const wanted = (options.docs ? documentPages(found) : pages(found)).filter(
    ({ path }) => positionals.length === 0 || positionals.some((begin) => path.startsWith(begin)),
  );
  for (const colorScheme of schemes) {
    for (const width of options.docs ? [null] : widths) await shoot({ wanted, colorScheme, width, storageState });
  }
} finally {
  await browser?.close();
  await installation.close();
  if (own) rmSync(own, { recursive: true, force: true });
}

async function shoot({ wanted, colorScheme, width, storageState }) {
  const context = await browser.newContext({
    storageState,
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  page.on('pageerror', (error) => report.line(`${page.url()}: ${error}`));
  if (options.error) {
    const body = JSON.stringify({ success: false, error: 'An internal error occurred', code: 'INTERNAL_ERROR' });
    await page.route(/\/api\/v1\/(?!session$)/, (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', headers: { 'x-request-id': 'picture' }, body }),
    );
  }
  for (const { name, path, size, signedOut, act } of wanted) {
    const [w, h] = size ?? [width, heights[width] ?? 900];
    const file = join(out, options.docs ? `${name}-${colorScheme}.png` : `${name}-${w}-${colorScheme}.png`);
    await page.setViewportSize({ width: w, height: h });
    if (signedOut) await context.clearCookies();
    try {
      await page.goto(`${installation.baseUrl}${path}`);
      await settled(page);
      await act?.(page);
      const tooWide = await page.evaluate('document.scrollingElement.scrollWidth - innerWidth');
      if (tooWide > 0) report.line(`${path} at ${w}: ${tooWide} px too wide`);
    } catch (error) {
      report.line(`${path} at ${w}: ${error.message.split('\n', 1)[0]}`);
    }
    await page.screenshot({ path: file, animations: 'disabled' });
    if (options.docs) withFewColours(file);
  }
  report.line(`${wanted.length} pictures, ${colorScheme}${width ? `, ${width} px` : ''}`);
  await context.close();
}

/** A palette makes a picture three times as small; without pngquant it stays as it is. */
function withFewColours(file) {
  spawnSync('pngquant', ['--force', '--skip-if-larger', '--strip', '--output', file, '128', file]);
}
