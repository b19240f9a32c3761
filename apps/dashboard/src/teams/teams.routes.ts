import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { one, searchOf } from '../app/search-params.js';

export const teamsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'teams',
  validateSearch: searchOf({ q: one }),
  component: lazyRouteComponent(() => import('./teams-page.js'), 'TeamsPage'),
});

export const teamRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'teams/$id',
  component: lazyRouteComponent(() => import('./team-page.js'), 'TeamPage'),
});

export const teamRoutes = [teamsRoute, teamRoute] as const;
