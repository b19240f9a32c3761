import fc from 'fast-check';
import { RefusalPace } from './refusal-pace.js';

const limits = { burst: 3, perSecond: 10, longestMs: 250 };

describe('the pace of refusals', () => {
  test.each([
    ['the first ones are answered at once', [0, 0, 0], [0, 0, 0]],
    [
      'further ones are answered one after another, and none waits longer than the longest time',
      [0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 100, 200, 250, 250],
    ],
    ['a caller that asks no faster than the pace never waits', [0, 100, 200, 300, 400, 500], [0, 0, 0, 0, 0, 0]],
    [
      'a caller that paused is answered at once again',
      [0, 0, 0, 0, 1000, 1000, 1000, 1000],
      [0, 0, 0, 100, 0, 0, 0, 100],
    ],
    [
      'after many refusals, too',
      [...Array.from({ length: 500 }, () => 0), 560],
      [0, 0, 0, 100, 200, ...Array.from({ length: 495 }, () => 250), 0],
    ],
  ])('%s', (_what, at, delays) => {
    const pace = new RefusalPace(limits);
    expect(at.map((now) => pace.delayMs('a', now))).toEqual(delays);
  });

  test('a client that waits for each answer is refused no more often than the pace, after the burst', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }), (pauses) => {
        const pace = new RefusalPace(limits);
        let now = 0;
        const answered = pauses.map((pause) => (now += pause + pace.delayMs('a', now + pause)));
        for (const [i, from] of answered.entries())
          for (const [j, to] of answered.entries())
            if (j >= i) expect(j - i).toBeLessThanOrEqual(limits.burst + (to - from) / 100);
      }),
    );
  });

  test('callers do not wait for each other', () => {
    const pace = new RefusalPace(limits);
    for (let i = 0; i < 100; i++) pace.delayMs('a', 0);
    expect(pace.delayMs('b', 0)).toBe(0);
  });

  test('as many refusals wait as may, and others are answered at once', async () => {
    const pace = new RefusalPace({ burst: 1, perSecond: 0.01, longestMs: 60_000, mostWaiting: 2 });
    await pace.turn('a');
    void pace.turn('a');
    void pace.turn('a');
    expect(pace.waiting).toBe(2);
    await pace.turn('a');
    expect(pace.waiting).toBe(2);
  });

  test('no more callers are remembered than may be', () => {
    const pace = new RefusalPace({ burst: 1, perSecond: 10, longestMs: 250, mostCallers: 2 });
    const twice = (caller: string, now: number): number[] => [pace.delayMs(caller, now), pace.delayMs(caller, now)];
    expect(twice('a', 0)).toEqual([0, 100]);
    expect(twice('b', 0)).toEqual([0, 100]);
    expect(twice('c', 0)).toEqual([0, 0]);
    expect(twice('c', 1000)).toEqual([0, 100]);
  });
});
