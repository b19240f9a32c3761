/** The dashboard of the shared system, and the people who visit it. One for each test file. */
import type { BrowserContextOptions } from 'playwright-core';
import type { Organization } from '../system.js';
import { sharedSystem, type SharedSystem } from '../system/shared-system.js';
import { openBrowser } from './browser.js';
import { visitorOf, type Visitor } from './visitor.js';

export interface Dashboard {
  system: SharedSystem;
  /** The address of the first API gateway, by the name that passkeys need. */
  baseUrl: string;
  /** Somebody who is not signed in. */
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  /** A member who is signed in and sees the first page: the owner, or the one with this e-mail address. */
  signIn(organization: Organization, options?: BrowserContextOptions & { email?: string }): Promise<Visitor>;
  close(): Promise<void>;
}

export async function openDashboard(): Promise<Dashboard> {
  const system = await sharedSystem();
  const browser = await openBrowser();
  const baseUrl = String(system.address.gateways[0]).replace('127.0.0.1', 'localhost');
  const visitors: Visitor[] = [];
  const visit = async (options: BrowserContextOptions = {}): Promise<Visitor> => {
    const visitor = await visitorOf(browser, { baseURL: baseUrl, ...options });
    visitors.push(visitor);
    return visitor;
  };
  return {
    system,
    baseUrl,
    visit,
    async signIn(organization, { email, ...options } = {}) {
      const visitor = await visit(options);
      await visitor.page.goto(await system.signInLink(organization, baseUrl, email));
      await visitor.page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
      return visitor;
    },
    async close() {
      await Promise.all(visitors.map((visitor) => visitor.close()));
      await system.close();
    },
  };
}
