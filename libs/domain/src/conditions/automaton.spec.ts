import fc from 'fast-check';
import { RE2JS } from 're2js';
import { Automaton } from './automaton.js';

const automatonOf = (pattern: string): Automaton => new Automaton(RE2JS.compile(pattern, RE2JS.DOTALL));
const unlimited = Number.MAX_SAFE_INTEGER;

/** Patterns that RE2 and JavaScript both know, with the same meaning. */
const atom = fc.constantFrom(
  'a',
  'b',
  'k',
  'ſ',
  'é',
  '☃',
  '😀',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\W',
  '\\s',
  '\\n',
  '\\.',
);
const place = fc.constantFrom('^', '$', '\\b', '\\B', '');
/** JavaScript tries every division of a text among nested repetitions, so its patterns repeat single atoms only. */
const repetition = fc.constantFrom('', '*', '+', '?', '{2}', '{0,3}', '*?');
const simplePattern = fc
  .array(fc.array(fc.tuple(place, atom, fc.constantFrom('', '', '?', '{2}', '*')), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.map((one) => one.map((texts) => texts.join('')).join('')).join('|'));
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(tie('pattern'), repetition).map(([p, r]) => `(?:${p})${r}`),
    fc.tuple(tie('part'), tie('part')).map(([a, b]) => a + b),
    fc.tuple(place, tie('part'), place).map((parts) => parts.join('')),
  ),
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('part'),
    fc.tuple(tie('part'), tie('part')).map(([a, b]) => `${a}|${b}`),
  ),
}));
const text = fc
  .array(fc.constantFrom('a', 'b', 'k', 'K', 'K', 's', 'ſ', 'é', 'É', '☃', '😀', '\n', ' ', '5', '_', '.'), {
    maxLength: 30,
  })
  .map((characters) => characters.join(''));

describe('the result of a search', () => {
  test('is that of the regular expressions of JavaScript', () => {
    fc.assert(
      // JavaScript finds `\\B` also within a surrogate pair.
      fc.property(simplePattern, text, (source, whole) => {
        const searched = whole.replaceAll('😀', '☃');
        const found = automatonOf(source).find(searched, unlimited).found;
        expect(found).toBe(new RegExp(source, 'su').test(searched));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is that of RE2, also where the case of letters is ignored and where lines have beginnings', () => {
    fc.assert(
      fc.property(pattern, fc.constantFrom('', '(?i)', '(?m)', '(?im)'), text, (source, flags, searched) => {
        const expression = RE2JS.compile(flags + source, RE2JS.DOTALL);
        expect(new Automaton(expression).find(searched, unlimited).found).toBe(expression.matcher(searched).find());
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the steps of a search', () => {
  test('do not depend on earlier searches', () => {
    fc.assert(
      fc.property(pattern, text, fc.array(text, { maxLength: 5 }), (source, searched, earlier) => {
        const used = automatonOf(source);
        for (const one of earlier) used.find(one, unlimited);
        expect(used.find(searched, unlimited)).toEqual(automatonOf(source).find(searched, unlimited));
      }),
    );
  });

  test('end at the limit, whatever the pattern', () => {
    fc.assert(
      fc.property(pattern, text, fc.nat(2_000), (source, searched, limit) => {
        const whole = automatonOf(source).find(searched, unlimited);
        const { found } = automatonOf(source).find(searched, limit);
        expect(found).toBe(whole.steps > limit ? null : whole.found);
      }),
    );
  });

  it.each<[string, string, string]>([
    ['many optional characters', '(?i)(?:a?){990}z', 'a'.repeat(32_768)],
    ['a common word', 'timeout', 'connection lost '.repeat(2_048)],
    ['one of a hundred words', Array.from({ length: 100 }, (_, i) => `host-${i}`).join('|'), 'host-x '.repeat(4_681)],
  ])('are few for %s in 32 KiB', (_what, source, searched) => {
    const { found, steps } = automatonOf(source).find(searched, unlimited);
    expect(found).toBe(false);
    expect(steps).toBeLessThan(200_000);
  });

  it('end a search that needs a new state for almost every character', () => {
    const bits = Array.from({ length: 1_024 }, (_, i) => ((i * 2_654_435_761) >>> 0).toString(2).padStart(32, '0'));
    const { found, steps } = automatonOf('1[01]{400}2').find(bits.join(''), 500_000);
    expect(found).toBeNull();
    expect(steps).toBeLessThan(550_000);
  });

  it('of finding groups are the instructions that are possible at each position', () => {
    expect(automatonOf('(?:a?){200}(z)').measure('a'.repeat(4_096), 500_000).found).toBeNull();
    expect(automatonOf('^\\[(.*?)\\] (.*)$').measure(`[x] ${'a'.repeat(1_000)}`, 500_000)).toMatchObject({
      found: true,
    });
  });
});
