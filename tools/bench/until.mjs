import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until it is so, and says what was waited for when it does not become so. */
export async function until(what, isSo, timeoutMs, pauseMs = 50) {
  const end = performance.now() + timeoutMs;
  let error = null;
  while (performance.now() < end) {
    try {
      if (await isSo()) return;
      error = null;
    } catch (failure) {
      error = failure;
    }
    await sleep(pauseMs);
  }
  throw new Error(`waited ${timeoutMs / 1000} s in vain: ${what}${error ? ` (${error.message})` : ''}`);
}
