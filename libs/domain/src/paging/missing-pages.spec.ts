import { missingAmong } from './missing-pages.js';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 12) + seconds * 1000).toISOString();

describe('what a look for missing pages finds', () => {
  test.each<[string, number, number | null, boolean]>([
    ['what exists for a minute and was found before is missing', -60, -30, true],
    ['what is younger is not', -59, -30, false],
    ['what is older, but is found for the first time, may be in progress', -3600, null, false],
    ['the clock of who wrote it is a minute behind: it was found only now', -90, null, false],
    ['that clock is ahead: what was first found a minute ago is missing', 300, -60, true],
    ['that clock is ahead, and it was first found half a minute ago', 300, -30, false],
  ])('%s', (_name, since, found, isMissing) => {
    const { missing, seen } = missingAmong(
      [{ id: 'a', since: at(since) }],
      found === null ? {} : { a: at(found) },
      at(0),
    );
    expect(missing).toEqual(isMissing ? ['a'] : []);
    expect(seen).toEqual({ a: at(found ?? 0) });
  });

  test('what is no longer found is forgotten', () => {
    expect(missingAmong([], { a: at(-60) }, at(0))).toEqual({ missing: [], seen: {} });
  });

  test.each([0, 7, 15, 29, 30])(
    'with a look each half minute, what is lost %d seconds before a look is found within 90 seconds',
    (before) => {
      let seen = {};
      for (let look = 0; ; look += 30) {
        const result = missingAmong([{ id: 'a', since: at(-before) }], seen, at(look));
        if (result.missing.length > 0) {
          expect(before + look).toBeLessThanOrEqual(90);
          return;
        }
        ({ seen } = result);
      }
    },
  );
});
