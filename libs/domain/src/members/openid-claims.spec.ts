import { roles, type Role } from '@ams/scopes';
import fc from 'fast-check';
import { membershipOf, readMapping, type ClaimMapping } from './openid-claims.js';

const mapping = (changed: Partial<ClaimMapping> = {}): ClaimMapping => ({
  groupsClaim: 'groups',
  roles: new Map<string, Role>([
    ['admins', 'admin'],
    ['oncall', 'responder'],
    ['bosses', 'owner'],
  ]),
  otherRole: null,
  teams: new Map(),
  ...changed,
});

const roleOf = (claims: object, changed: Partial<ClaimMapping> = {}): unknown => {
  const membership = membershipOf(claims as Record<string, unknown>, mapping(changed));
  return membership.kind === 'member' ? membership.role : membership.kind;
};

describe('the role of a member', () => {
  it.each<[string, object, Partial<ClaimMapping>, unknown]>([
    ['is that of the group', { groups: ['oncall'] }, {}, 'responder'],
    ['is the one with the most rights', { groups: ['oncall', 'bosses', 'admins'] }, {}, 'owner'],
    ['may come from one name', { groups: 'admins' }, {}, 'admin'],
    ['is in a nested claim', { realm_access: { roles: ['admins'] } }, { groupsClaim: 'realm_access.roles' }, 'admin'],
    ['is in a claim with dots', { 'https://a.example/g': ['admins'] }, { groupsClaim: 'https://a.example/g' }, 'admin'],
    ['is the other role without a group', { groups: ['x'] }, { otherRole: 'viewer' }, 'viewer'],
    ['is none without a group', { groups: ['x'] }, {}, 'noRole'],
    ['is none without the claim', {}, {}, 'noRole'],
    ['is none when the claim holds something else', { groups: [{ name: 'admins' }, 3, null] }, {}, 'noRole'],
    ['is not found in what every object has', { groups: ['x'] }, { groupsClaim: 'constructor.name' }, 'noRole'],
    ['stays when no group is mapped', { groups: ['admins'] }, { roles: new Map() }, null],
  ])('%s', (_what, claims, changed, expected) => expect(roleOf(claims, changed)).toBe(expected));

  it('never has rights that no group of the member gives', () => {
    const role = fc.constantFrom(...(Object.keys(roles) as Role[]));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), role), fc.array(fc.string()), (mapped, groups) => {
        const given = groups.filter((group) => Object.hasOwn(mapped, group)).map((group) => mapped[group]);
        const found = roleOf({ groups }, { roles: new Map(Object.entries(mapped)) });
        if (given.length > 0) expect(given).toContain(found);
        else expect([null, 'noRole']).toContain(found);
      }),
    );
  });
});

describe('the teams of a member', () => {
  const teams = new Map([
    ['pay', ['payments', 'checkout']],
    ['web', ['checkout']],
  ]);
  it.each<[string, string[], Record<string, boolean>]>([
    ['are those of the groups', ['pay'], { payments: true, checkout: true }],
    ['belong by one of several groups', ['web'], { payments: false, checkout: true }],
    ['are left without a group', [], { payments: false, checkout: false }],
  ])('%s', (_what, groups, expected) => {
    const membership = membershipOf({ groups }, mapping({ roles: new Map(), teams }));
    const found = membership.kind === 'member' ? membership.teams : [];
    expect(Object.fromEntries(found.map(({ slug, belongs }) => [slug, belongs]))).toEqual(expected);
  });
});

describe('the text of a mapping', () => {
  it.each([
    ['', [], []],
    [
      'sre=admin, on call = responder,',
      [
        ['sre', 'admin'],
        ['on call', 'responder'],
      ],
      [],
    ],
    ['cn=sre=admin', [['cn=sre', 'admin']], []],
    ['sre, =admin, a=', [], ['sre', '=admin', 'a=']],
  ])('%j', (text, pairs, faults) => expect(readMapping(text)).toEqual({ pairs, faults }));
});
