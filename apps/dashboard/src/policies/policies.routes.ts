import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { one, searchOf } from '../app/search-params.js';

export const policiesRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'policies',
  validateSearch: searchOf({ q: one, team: one }),
  component: lazyRouteComponent(() => import('./policies-page.js'), 'PoliciesPage'),
});

export const policyRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'policies/$id',
  component: lazyRouteComponent(() => import('./policy-page.js'), 'PolicyPage'),
});

export const policyRoutes = [policiesRoute, policyRoute] as const;
