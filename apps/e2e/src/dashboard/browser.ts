import { launchBrowser } from '@ams/testing';
import type { Browser } from 'playwright-core';

let running: Promise<Browser> | null = null;

/** One for all test files of a run. It ends with the process. */
export async function openBrowser(): Promise<Browser> {
  if (!(await running)?.isConnected()) running = launchBrowser();
  return running as Promise<Browser>;
}
