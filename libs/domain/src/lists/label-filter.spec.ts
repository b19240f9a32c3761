import fc from 'fast-check';
import { labelFilterLimits, labelTermsOf, matchingValues, parseLabelTerm } from './label-filter.js';

describe('a filter by a label', () => {
  it.each([
    ['service:db', { kind: 'equals', key: 'service', value: 'db', negated: false }],
    ['service:', { kind: 'equals', key: 'service', value: '', negated: false }],
    ['note:a,b:c', { kind: 'equals', key: 'note', value: 'a,b:c', negated: false }],
    ['service!:db', { kind: 'equals', key: 'service', value: 'db', negated: true }],
    ['service:!db', { kind: 'equals', key: 'service', value: '!db', negated: false }],
    ['service~:^db', { kind: 'matches', key: 'service', pattern: '^db', negated: false }],
    ['service!~:^db', { kind: 'matches', key: 'service', pattern: '^db', negated: true }],
    ['service~:a:b', { kind: 'matches', key: 'service', pattern: 'a:b', negated: false }],
    ['service', { kind: 'present', key: 'service', negated: false }],
    ['!service', { kind: 'present', key: 'service', negated: true }],
  ])('%s', (text, term) => {
    expect(parseLabelTerm(text)).toEqual({ kind: 'term', term });
  });

  it.each([
    ['', 'form'],
    ['!', 'form'],
    [':db', 'form'],
    ['!:db', 'form'],
    ['~:db', 'form'],
    ['!service:db', 'form'],
    ['service~:(', 'pattern'],
    ['service~:(?=x)', 'pattern'],
    [`service~:${'x'.repeat(labelFilterLimits.patternCost + 1)}`, 'pattern'],
  ])('%s is refused by the rule %s', (text, rule) => {
    expect(parseLabelTerm(text)).toMatchObject({ kind: 'fault', rule });
  });

  it('names a label and a value that may have any characters', () => {
    const key = fc.string({ minLength: 1 }).filter((name) => /^[^:!][^:]*$/.test(name) && !/[!~]$/.test(name));
    fc.assert(
      fc.property(key, fc.string(), fc.boolean(), (name, value, negated) => {
        expect(labelTermsOf([`${name}${negated ? '!' : ''}:${value}`])).toEqual([
          { kind: 'equals', key: name, value, negated },
        ]);
      }),
    );
  });

  it('finds the values of which a part matches the pattern, in linear time', () => {
    expect(matchingValues('^db', ['db-1', 'web', 'old-db'])).toEqual({ kind: 'values', values: ['db-1'] });
    expect(matchingValues('(a+)+$', [`${'a'.repeat(1000)}!`])).toEqual({ kind: 'values', values: [] });
  });

  it('does not begin work that would take too long', () => {
    const values = Array.from({ length: labelFilterLimits.values }, (_, n) => `${n}`.padEnd(1024, 'x'));
    expect(matchingValues('[a-z]{100}y', values)).toEqual({ kind: 'tooMuch' });
  });
});
