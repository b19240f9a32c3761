import fc from 'fast-check';
import {
  changeOfView,
  isViewVisible,
  mayChangeView,
  savedViewFaults,
  viewPageNames,
  viewPages,
  viewVisibilities,
  type SavedViewScope,
  type ViewCaller,
} from './saved-views.js';

const key: ViewCaller = {
  memberId: null,
  scopes: ['alerts:read', 'alerts:write'],
  teamIds: [],
  managedTeamIds: [],
};
const viewer: ViewCaller = { memberId: 'mira', scopes: ['alerts:read'], teamIds: ['t'], managedTeamIds: [] };
const manager: ViewCaller = { ...viewer, memberId: 'max', managedTeamIds: ['t'] };
const responder: ViewCaller = { ...viewer, memberId: 'rita', scopes: ['alerts:read', 'alerts:write'], teamIds: [] };
const admin: ViewCaller = { ...responder, memberId: 'ada', scopes: [...responder.scopes, 'organization:write'] };

const own = (ownerId: string): SavedViewScope => ({ page: 'alerts', visibility: 'own', teamId: null, ownerId });
const ofTeam = (teamId: string | null, ownerId: string | null): SavedViewScope => ({
  page: 'alerts',
  visibility: 'team',
  teamId,
  ownerId,
});
const ofAll = (ownerId: string | null): SavedViewScope => ({
  page: 'alerts',
  visibility: 'organization',
  teamId: null,
  ownerId,
});

describe('a view', () => {
  it.each<[string, SavedViewScope, ViewCaller, boolean, boolean]>([
    ['of its owner', own('mira'), viewer, true, true],
    ['of somebody else', own('max'), viewer, false, false],
    ['of a member, for a key', own('mira'), key, false, false],
    ['of a team, for its owner', ofTeam('t', 'mira'), viewer, true, true],
    ['of a team, for another member', ofTeam('t', 'max'), viewer, true, false],
    ['of a team, for its manager', ofTeam('t', 'mira'), manager, true, true],
    ['of another team', ofTeam('u', 'rita'), viewer, false, false],
    ['of everybody, for a viewer', ofAll('rita'), viewer, true, false],
    ['of everybody, for its owner', ofAll('rita'), responder, true, true],
    ['of everybody, for its owner who is a viewer now', ofAll('mira'), viewer, true, false],
    ['of everybody, for an admin', ofAll('rita'), admin, true, true],
    ['that a key made, for another key', ofAll(null), key, true, true],
    ['of a list that the caller may not read', { ...ofAll(null), page: 'audit_log' }, admin, false, true],
  ])('%s', (_what, view, caller, visible, mayChange) => {
    expect(isViewVisible(view, caller)).toBe(visible);
    expect(mayChangeView(view, caller)).toBe(mayChange);
  });

  it.each<[string, SavedViewScope, ViewCaller, object]>([
    ['a member makes one of its own', own('mira'), viewer, { kind: 'allowed' }],
    ['a key makes one of everybody', ofAll(null), key, { kind: 'allowed' }],
    [
      'a key makes one of its own',
      { ...own('x'), ownerId: null },
      key,
      { kind: 'fault', fault: { path: 'visibility' } },
    ],
    ['a key makes one of a team', ofTeam('t', null), key, { kind: 'fault', fault: { path: 'visibility' } }],
    ['a viewer makes one of everybody', ofAll('mira'), viewer, { kind: 'scope', required: 'alerts:write' }],
    ['a viewer makes one of its team', ofTeam('t', 'mira'), viewer, { kind: 'allowed' }],
    ['a member makes one of another team', ofTeam('u', 'mira'), viewer, { kind: 'fault', fault: { path: 'teamId' } }],
    ['of a team without a team', ofTeam(null, 'mira'), viewer, { kind: 'fault', fault: { path: 'teamId' } }],
    [
      'with a team, but not of it',
      { ...own('mira'), teamId: 't' },
      viewer,
      { kind: 'fault', fault: { path: 'teamId' } },
    ],
    [
      'of a list that the caller may not read',
      { ...own('mira'), page: 'clients' },
      viewer,
      { kind: 'scope', required: 'clients:read' },
    ],
  ])('may be made: %s', (_what, view, caller, expected) => expect(changeOfView(view, caller)).toMatchObject(expected));

  it('that may be made is visible to the caller, and may be changed by it', () => {
    const scopes = [
      ...new Set(Object.values(viewPages).flatMap(({ read, write }) => [read, write])),
      'organization:write',
    ];
    const teams = ['t', 'u', 'v'];
    fc.assert(
      fc.property(
        fc.constantFrom(...viewPageNames),
        fc.constantFrom(...viewVisibilities),
        fc.option(fc.constantFrom(...teams)),
        fc.option(fc.constantFrom('mira', 'max')),
        fc.subarray(scopes),
        fc.subarray(teams),
        (page, visibility, teamId, memberId, held, teamIds) => {
          const caller = { memberId, scopes: held, teamIds: memberId === null ? [] : teamIds, managedTeamIds: [] };
          const view = { page, visibility, teamId, ownerId: memberId };
          if (changeOfView(view, caller).kind !== 'allowed') return;
          expect([isViewVisible(view, caller), mayChangeView(view, caller)]).toEqual([true, true]);
        },
      ),
    );
  });
});

describe('the query of a view', () => {
  it.each([
    ['nothing', {}],
    ['texts and lists', { status: 'firing', label: ['a:b', 'c:d'], 'x.y-z_1': '' }],
  ])('may have %s', (_what, query) => expect(savedViewFaults(query)).toEqual([]));

  it.each<[string, unknown, string, string]>([
    ['null', null, 'query', 'object'],
    ['a list', [], 'query', 'object'],
    ['a number', { limit: 5 }, 'query.limit', 'text'],
    ['an object', { label: { a: 'b' } }, 'query.label', 'text'],
    ['a name that is no parameter', { 'a b': 'x' }, 'query.a b', 'name'],
    [
      'too many parameters',
      Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`p${n}`, ''])),
      'query',
      'maxItems',
    ],
    ['too many bytes', { q: 'ü'.repeat(2050) }, 'query', 'maxLength'],
  ])('may not be %s', (_what, query, path, rule) =>
    expect(savedViewFaults(query)).toEqual([expect.objectContaining({ path, rule })]),
  );
});
