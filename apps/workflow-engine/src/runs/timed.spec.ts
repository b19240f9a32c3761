import { timed } from './timed.js';

/** Steps of these durations, with 1 s between them. */
function measured(...durations: number[]): { result: string; ms: number } {
  let clock = 0;
  function* work(): Generator<void, { result: string }> {
    for (const [index, duration] of durations.entries()) {
      if (index > 0) yield;
      clock += duration;
    }
    return { result: 'decided' };
  }
  const steps = timed(work(), () => clock);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    clock += 1000;
  }
}

describe('what work takes', () => {
  it('is the sum of its steps, without the time between them', () =>
    expect(measured(2, 3, 1)).toEqual({ result: 'decided', ms: 6 }));

  it('has little of a step during which the process was paused', () => expect(measured(2, 120_000, 1).ms).toBe(53));
});
