import fc from 'fast-check';
import { childKeyFaults, isNarrower, isWithin, type KeyLimits, type KeyRestriction } from './key-restriction.js';

const to = (clientIds: string[], teamIds: string[] = []): KeyRestriction => ({ clientIds, teamIds });

describe('a record is within a restriction', () => {
  it.each([
    ['of a client of the key', to(['a', 'b']), { clientId: 'b' }, true],
    ['of another client', to(['a']), { clientId: 'b' }, false],
    ['without a client', to(['a']), { clientId: null }, false],
    ['of a team of the key', to([], ['t']), { teamId: 't' }, true],
    ['of a team of the key and another client', to(['a'], ['t']), { clientId: 'b', teamId: 't' }, true],
    ['of another team', to(['a'], ['t']), { teamId: 'u' }, false],
    ['of nobody', to(['a'], ['t']), {}, false],
    ['of nobody, for a key without a restriction', null, {}, true],
  ])('%s', (_what, restriction, record, expected) => expect(isWithin(restriction, record)).toBe(expected));
});

const limits = (expiresAt: number | null, restrictedTo: KeyRestriction | null = null): KeyLimits => ({
  expiresAt,
  restrictedTo,
});

describe('a child of a key', () => {
  it.each<[string, KeyLimits, KeyLimits, string[]]>([
    ['has the limits of its parent', limits(5, to(['a'])), limits(5, to(['a'])), []],
    ['ends earlier', limits(5), limits(4), []],
    ['ends, its parent does not', limits(null), limits(5), []],
    ['ends later', limits(5), limits(6), ['expiry']],
    ['does not end, its parent does', limits(5), limits(null), ['expiry']],
    ['is restricted, its parent is not', limits(null), limits(null, to(['a'])), []],
    ['is restricted to fewer clients', limits(null, to(['a', 'b'])), limits(null, to(['b'])), []],
    ['is restricted to another client', limits(null, to(['a'])), limits(null, to(['a', 'b'])), ['restrictedTo']],
    ['is restricted to another team', limits(null, to(['a'], ['t'])), limits(null, to([], ['u'])), ['restrictedTo']],
    ['is not restricted, its parent is', limits(null, to(['a'])), limits(null), ['restrictedTo']],
    ['is wider and lives longer', limits(5, to(['a'])), limits(null), ['expiry', 'restrictedTo']],
  ])('%s', (_what, parent, child, paths) =>
    expect(childKeyFaults(parent, child).map(({ path }) => path)).toEqual(paths),
  );
});

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
const restrictions = fc.option(fc.record({ clientIds: ids, teamIds: ids }), { nil: null });
const keys = fc.record({ expiresAt: fc.option(fc.nat(10), { nil: null }), restrictedTo: restrictions });
const records = fc.record({
  clientId: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: null }),
  teamId: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: null }),
});

it('what is within a permitted child is within its parent, at every time at which the child is valid', () =>
  fc.assert(
    fc.property(keys, keys, records, fc.nat(11), (parent, child, record, now) => {
      fc.pre(childKeyFaults(parent, child).length === 0);
      const sees = ({ expiresAt, restrictedTo }: KeyLimits): boolean =>
        (expiresAt === null || now < expiresAt) && isWithin(restrictedTo, record);
      return !sees(child) || sees(parent);
    }),
  ));

it('a chain of permitted children stays within its beginning', () =>
  fc.assert(
    fc.property(restrictions, restrictions, restrictions, (a, b, c) => {
      fc.pre(isNarrower(b, a) && isNarrower(c, b));
      return isNarrower(c, a);
    }),
  ));
