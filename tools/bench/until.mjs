import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds; throws an error with its description after the time-out. */
export async function until(what, holds, timeoutMs, pauseMs = 50) {
  const end = performance.now() + timeoutMs;
  let error = null;
  while (performance.now() < end) {
    try {
      if (await holds()) return;
      error = null;
    } catch (failure) {
      error = failure;
    }
    await sleep(pauseMs);
  }
  throw new Error(`not within ${timeoutMs / 1000} s: ${what}${error ? ` (${error.message})` : ''}`);
}
