import { grants, isScope, roles, scopes } from './index.js';

test('the scopes are exactly these', () => {
  expect([...scopes].sort()).toEqual(
    [
      'alerts:read',
      'alerts:write',
      'incidents:read',
      'incidents:write',
      'clients:read',
      'clients:write',
      'workflows:read',
      'workflows:write',
      'schedules:read',
      'schedules:write',
      'integrations:read',
      'integrations:write',
      'suppression:read',
      'suppression:write',
      'users:read',
      'users:write',
      'teams:read',
      'teams:write',
      'escalation_policies:read',
      'escalation_policies:write',
      'organization:write',
      'api_keys:read',
      'api_keys:write',
      'audit:read',
    ].sort(),
  );
});

test('a scope is granted only by itself, and null requires none', () => {
  for (const required of scopes) {
    expect(grants([required], required)).toBe(true);
    expect(
      grants(
        scopes.filter((scope) => scope !== required),
        required,
      ),
    ).toBe(false);
  }
  expect(grants([], null)).toBe(true);
});

test('write does not imply read, and unknown scopes are rejected', () => {
  expect(grants(['alerts:write'], 'alerts:read')).toBe(false);
  for (const word of ['alerts', 'alerts:*', 'ALERTS:READ', '', null, 1, '__proto__']) expect(isScope(word)).toBe(false);
});

test('roles are sets of scopes: an owner has all, a viewer cannot write or read keys and the audit log', () => {
  for (const held of Object.values(roles)) for (const scope of held) expect(isScope(scope)).toBe(true);
  expect([...roles.owner]).toEqual([...scopes]);
  expect(roles.viewer.every((scope) => scope.endsWith(':read'))).toBe(true);
  expect(roles.viewer).not.toContain('api_keys:read');
  expect(roles.responder).toEqual(expect.arrayContaining(['alerts:write', 'incidents:write']));
  expect(roles.responder).not.toContain('api_keys:write');
});
