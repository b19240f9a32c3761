import { mostCountedMs } from '@ams/service';

/** The same work, and how many milliseconds it takes without what happens between its steps. `now`: in milliseconds. */
export function* timed<Result extends object>(
  work: Generator<void, Result>,
  now: () => number = () => performance.now(),
): Generator<void, Result & { ms: number }> {
  let ms = 0;
  for (;;) {
    const begun = now();
    const step = work.next();
    ms += Math.min(now() - begun, mostCountedMs);
    if (step.done) return { ...step.value, ms };
    yield;
  }
}
