import fc from 'fast-check';
import { batchIdPattern, referencesIn, withReferences } from './references.js';

const known = new Set(['team', 'policy']);
const ids = new Map([
  ['team', 'tea_1'],
  ['policy', 'pol_1'],
]);

describe('references in a batch', () => {
  it.each<[unknown, string[], unknown]>([
    ['$team', ['team'], 'tea_1'],
    [
      { teamId: '$team', targets: [{ id: '$policy' }, '$team'] },
      ['team', 'policy'],
      { teamId: 'tea_1', targets: [{ id: 'pol_1' }, 'tea_1'] },
    ],
    ['costs $team', [], 'costs $team'],
    ['$5', [], '$5'],
    ['$', [], '$'],
    ['team', [], 'team'],
    [{ $team: 1 }, [], { $team: 1 }],
    [null, [], null],
    [{ a: 1, b: [true, null] }, [], { a: 1, b: [true, null] }],
  ])('%j', (value, names, resolved) => {
    expect(referencesIn(value, known)).toEqual(names);
    expect(withReferences(value, ids)).toEqual(resolved);
  });

  it('change nothing in a value without them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(withReferences(value, new Map())).toEqual(value);
      }),
    );
  });

  it('are all found, and none is left', () => {
    const name = fc.stringMatching(batchIdPattern);
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 5 }), fc.jsonValue(), (names, other) => {
        const value = { other: withReferences(other, new Map()), refs: names.map((one) => ({ deep: [`$${one}`] })) };
        const all = new Set(names);
        expect(referencesIn(value, all)).toEqual(expect.arrayContaining(names));
        const made = new Map(names.map((one) => [one, `id-${one}`]));
        expect(referencesIn(withReferences(value, made), all)).toEqual([]);
      }),
    );
  });
});
