/** What of a step counts at most: a step takes some milliseconds, and a longer one was a pause of the process. */
const mostOfStepMs = 50;

/** The same work, and how many milliseconds it takes without what happens between its steps. `now`: in milliseconds. */
export function* timed<Result extends object>(
  work: Generator<void, Result>,
  now: () => number = () => performance.now(),
): Generator<void, Result & { ms: number }> {
  let ms = 0;
  for (;;) {
    const begun = now();
    const step = work.next();
    ms += Math.min(now() - begun, mostOfStepMs);
    if (step.done) return { ...step.value, ms };
    yield;
  }
}
