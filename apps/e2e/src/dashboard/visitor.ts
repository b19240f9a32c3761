/** A person at the dashboard: a browser profile of its own, and what the page must never do. */
import { eventually } from '@ams/testing';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';

export interface Visitor {
  page: Page;
  /** What the browser has refused or reported: violations of the policy, errors of scripts. */
  complaints: string[];
  /** Rules of accessibility that the page breaks, with the elements. */
  barriers(): Promise<string[]>;
  /** Goes to a page as a link of the dashboard does, without loading everything again, and waits until it is shown. */
  open(path: string): Promise<void>;
  /** Answers of the API with an error status: method, path, status. */
  refusals: string[];
  close(): Promise<void>;
}

/** What a page shows while it waits for its data. */
const waitingMarks = '[role="status"][aria-label="Loading"]';

/** The machine may be busy. */
const patienceMs = 60_000;

export async function visitorOf(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser reports each answer with an error status; the pages show those.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  const refusals: string[] = [];
  let pending = 0;
  const isRead = (request: Request): boolean => !request.url().endsWith('/stream');
  page.on('request', (request) => (pending += isRead(request) ? 1 : 0));
  const ended = (request: Request): void => void (pending -= isRead(request) ? 1 : 0);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  page.on('response', (response) => {
    if (response.status() < 400 || !response.url().includes('/api/v1/')) return;
    refusals.push(`${response.request().method()} ${new URL(response.url()).pathname}: ${response.status()}`);
  });
  const isShown = async (): Promise<boolean> =>
    pending === 0 && (await page.locator(waitingMarks).filter({ visible: true }).count()) === 0;
  return {
    page,
    complaints,
    refusals,
    async open(path) {
      const go = `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`;
      await page.evaluate(go);
      // Reads may follow each other: it is shown when nothing is waited for several times in a row.
      let times = 0;
      await eventually(
        async () => (times = (await isShown()) ? times + 1 : 0) >= 4 && (await page.locator('h1').count()) > 0,
        { everyMs: 50 },
      );
    },
    async barriers() {
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run(document)')) as {
        violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
      };
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
      );
    },
    close: () => context.close(),
  };
}
