import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { many, oneOf, searchOf } from '../app/search-params.js';

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

export const routingRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'routing',
  /** `label=team:payments&label=service:cards`, and the severity: with it, the question is asked. */
  validateSearch: searchOf({ label: many, severity: oneOf(severities) }),
  component: lazyRouteComponent(() => import('./routing-page.js'), 'RoutingPage'),
});

export const routingRoutes = [routingRoute] as const;
