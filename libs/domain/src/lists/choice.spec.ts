import fc from 'fast-check';
import { choiceOf, chosenOf, isChosen, parseChoice, type ChoiceOptions } from './choice.js';

const severities = ['critical', 'high', 'low'] as const;

describe('a filter by values', () => {
  it.each<[string[], ChoiceOptions, object]>([
    [['low'], {}, { negated: false, values: ['low'], none: false }],
    [['low', 'high', 'low'], {}, { negated: false, values: ['low', 'high'], none: false }],
    [['!low'], {}, { negated: true, values: ['low'], none: false }],
    [['!low', '!high'], { allowed: severities }, { negated: true, values: ['low', 'high'], none: false }],
    [['!'], { mayBeNone: true }, { negated: false, values: [], none: true }],
    [['!', 'cli_1'], { mayBeNone: true }, { negated: false, values: ['cli_1'], none: true }],
    [['!!x'], {}, { negated: true, values: ['!x'], none: false }],
  ])('%j with %j means %j', (parts, options, choice) => {
    expect(parseChoice(parts, options)).toEqual({ kind: 'choice', choice });
  });

  it.each<[string[], ChoiceOptions, string]>([
    [[], {}, 'empty'],
    [['!'], {}, 'none'],
    [['low', '!high'], {}, 'mixed'],
    [['!', '!cli_1'], { mayBeNone: true }, 'mixed'],
    [['worst'], { allowed: severities }, 'isIn'],
    [['!worst'], { allowed: severities }, 'isIn'],
    [['!!low'], { allowed: severities }, 'isIn'],
  ])('%j with %j is refused by the rule %s', (parts, options, rule) => {
    expect(parseChoice(parts, options)).toMatchObject({ kind: 'fault', rule });
  });

  const value = fc.constantFrom('a', 'b', 'c');
  const values = fc.uniqueArray(value, { minLength: 1 });

  it('with ! in front chooses exactly the records that the same filter without ! does not', () => {
    fc.assert(
      fc.property(values, fc.option(value), (named, of) => {
        const negated = named.map((name): `!${string}` => `!${name}`);
        expect(isChosen(choiceOf(negated), of)).toBe(!isChosen(choiceOf(named), of));
      }),
    );
  });

  it('of all possible values chooses those that a record may have', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (named, negated) => {
        const parts = named.map((name) => (negated ? (`!${name}` as const) : name));
        const chosen = chosenOf<string>(parts, ['a', 'b', 'c']);
        expect(['a', 'b', 'c'].filter((one) => isChosen(choiceOf(parts), one))).toEqual(chosen);
      }),
    );
    expect(chosenOf(undefined, severities)).toEqual([...severities]);
  });
});
