import { roles, scopes, type Scope } from '@ams/scopes';
import fc from 'fast-check';
import { apiKeys } from '../../texts/en/api-keys.js';
import { groupsOf, presets, scopesOfPreset, toggledScope, type Noun } from './scope-groups.js';

const order = Object.keys(apiKeys.groups) as Noun[];

it('shows every scope of an owner once, with an explanation', () => {
  const groups = groupsOf(roles.owner, order);
  const shown = groups.flatMap(({ read, write }) => [read, write].filter((scope) => scope !== null));
  expect([...shown].sort()).toEqual([...scopes].sort());
  for (const { noun, read, write } of groups) {
    const { title, ...words } = apiKeys.groups[noun];
    expect([title !== '', (words.read !== '') === (read !== null), (words.write !== '') === (write !== null)]).toEqual([
      true,
      true,
      true,
    ]);
  }
});

it('offers nothing that the member does not have', () => {
  fc.assert(
    fc.property(fc.subarray([...scopes]), fc.constantFrom(...presets), (held: Scope[], preset) => {
      expect(
        groupsOf(held, order).every(({ read, write }) =>
          [read, write].every((scope) => !scope || held.includes(scope)),
        ),
      ).toBe(true);
      expect(scopesOfPreset(preset, held).every((scope) => held.includes(scope))).toBe(true);
    }),
  );
});

it('takes a scope, and leaves it again', () => {
  expect(toggledScope(['alerts:write'], 'alerts:read')).toEqual(['alerts:read', 'alerts:write']);
  expect(toggledScope(['alerts:read', 'alerts:write'], 'alerts:read')).toEqual(['alerts:write']);
});
