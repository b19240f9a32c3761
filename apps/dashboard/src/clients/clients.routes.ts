import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { requireMay } from '../app/session.js';
import { one, searchOf } from '../app/search-params.js';

export const clientsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'clients',
  validateSearch: searchOf({ q: one }),
  component: lazyRouteComponent(() => import('./clients-page.js'), 'ClientsPage'),
});

const newClientRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'clients/new',
  beforeLoad: requireMay('createClient'),
  component: lazyRouteComponent(() => import('./new-client-page.js'), 'NewClientPage'),
});

export const clientRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'clients/$id',
  component: lazyRouteComponent(() => import('./client-page.js'), 'ClientPage'),
});

export const clientRoutes = [clientsRoute, newClientRoute, clientRoute] as const;
