import { setTimeout as sleep } from 'node:timers/promises';

/** The pauses get longer, so that a test that waits long does not keep the machine busy. */
const longestPauseMs = 500;

/**
 * Calls `attempt` until it neither throws nor returns false, and returns its result. After the time-out, throws the
 * last error. Put the expectations inside: `await eventually(async () => expect(await status()).toBe('open'))`.
 * `everyMs` is the first pause.
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 25 } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = everyMs; ; pauseMs = Math.max(everyMs, Math.min(pauseMs * 1.2, longestPauseMs))) {
    let failure: unknown;
    try {
      const result = await attempt();
      if (result !== false) return result;
      failure = new Error(`not true within ${timeoutMs} ms`);
    } catch (error) {
      failure = error;
    }
    if (Date.now() >= deadline) throw failure;
    await sleep(pauseMs);
  }
}
