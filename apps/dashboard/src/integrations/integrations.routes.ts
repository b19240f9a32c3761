import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { requireMay } from '../app/session.js';
import { many, one, oneOf, searchOf } from '../app/search-params.js';

export const integrationsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'integrations',
  validateSearch: searchOf({ q: one, type: many, enabled: oneOf(['true', 'false']) }),
  component: lazyRouteComponent(() => import('./integrations-page.js'), 'IntegrationsPage'),
});

/** Without `type` it is the catalogue of types. */
export const newIntegrationRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'integrations/new',
  validateSearch: searchOf({ q: one, type: one }),
  beforeLoad: requireMay('createIntegration'),
  component: lazyRouteComponent(() => import('./new-integration-page.js'), 'NewIntegrationPage'),
});

export const tabs = ['requests', 'mapping', 'settings'] as const;
export type Tab = (typeof tabs)[number];

export const integrationRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'integrations/$id',
  validateSearch: searchOf({ tab: oneOf(tabs), request: one }),
  component: lazyRouteComponent(() => import('./integration-page.js'), 'IntegrationPage'),
});

export const integrationRoutes = [integrationsRoute, newIntegrationRoute, integrationRoute] as const;
