import fc from 'fast-check';
import {
  childKeyFaults,
  isNarrower,
  isWithin,
  missingForChild,
  type KeyLimits,
  type KeyRestriction,
  type KeyRights,
} from './key-restriction.js';

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

const right = (environment: 'live' | 'test', ...scopes: string[]): KeyRights => ({ environment, scopes });

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

describe('what a parent lacks to create a key', () => {
  it.each<[string, KeyRights, KeyRights, string[]]>([
    ['its own rights', right('live', 'a', 'b'), right('live', 'a', 'b'), []],
    ['fewer scopes', right('live', 'a', 'b'), right('live', 'b'), []],
    ['another scope', right('live', 'a'), right('live', 'a', 'b'), ['b']],
    ['a test key of a live key', right('live', 'a'), right('test', 'a'), []],
    ['a live key of a test key', right('test', 'a'), right('live', 'a', 'b'), ['b', 'live']],
  ])('%s', (_what, parent, child, missing) => expect(missingForChild(parent, child)).toEqual(missing));
});

const rights = fc.record({
  environment: fc.constantFrom('live' as const, 'test' as const),
  scopes: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
});
const wishes = fc.array(fc.record({ parent: fc.nat(40), limits: keys, rights }), { maxLength: 40 });

it('no key of a random tree can do, see or live longer than a key from which it descends', () =>
  fc.assert(
    fc.property(keys, rights, wishes, records, fc.nat(11), (limits, own, tree, record, now) => {
      const made: { limits: KeyLimits; rights: KeyRights; ancestors: number[] }[] = [
        { limits, rights: own, ancestors: [] },
      ];
      for (const wish of tree) {
        const at = wish.parent % made.length;
        const parent = made[at] as (typeof made)[number];
        const refused =
          childKeyFaults(parent.limits, wish.limits).length + missingForChild(parent.rights, wish.rights).length > 0;
        if (!refused) made.push({ ...wish, ancestors: [...parent.ancestors, at] });
      }
      const may = ({ limits: { expiresAt, restrictedTo }, rights: { environment, scopes } }: (typeof made)[number]) =>
        (expiresAt === null || now < expiresAt) && isWithin(restrictedTo, record)
          ? scopes.map((scope) => `${environment} ${scope}`)
          : [];
      // A live key has the rights of the test environment too: it may create a test key.
      const has = (key: (typeof made)[number]) =>
        key.rights.environment === 'live'
          ? [...may(key), ...may(key).map((one) => one.replace('live', 'test'))]
          : may(key);
      return made.every((key) =>
        key.ancestors.every((ancestor) => {
          const held = has(made[ancestor] as (typeof made)[number]);
          return may(key).every((one) => held.includes(one));
        }),
      );
    }),
  ));
