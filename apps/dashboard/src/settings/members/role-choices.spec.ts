import { roles } from '@ams/scopes';
import { canChange, rolesWithin } from './role-choices.js';

it('offers the roles whose scopes are held', () => {
  expect(rolesWithin(roles.owner)).toEqual(['owner', 'admin', 'responder', 'viewer']);
  expect(rolesWithin(roles.responder)).toEqual(['responder', 'viewer']);
  expect(rolesWithin(roles.viewer)).toEqual(['viewer']);
  expect(rolesWithin([])).toEqual([]);
});

it('lets nobody change a member of a role with more scopes', () => {
  expect([canChange(roles.responder, 'admin'), canChange(roles.admin, 'owner')]).toEqual([false, true]);
});
