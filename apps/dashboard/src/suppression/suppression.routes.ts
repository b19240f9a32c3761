import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { one, oneOf, searchOf, someOf } from '../app/search-params.js';

export const windowStatuses = ['active', 'scheduled', 'expired', 'disabled'] as const;

/** 'Silence this' of an alert: the matchers as JSON, with which the form begins. */
const prefilled = { silence: one, name: one, matchers: one, integrationId: one, clientId: one };

export const suppressionRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'suppression',
  validateSearch: searchOf({
    view: oneOf(['week', 'month']),
    at: one,
    q: one,
    status: someOf(windowStatuses),
    window: one,
  }),
  component: lazyRouteComponent(() => import('./suppression-page.js'), 'SuppressionPage'),
});

export const newWindowRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'suppression/new',
  validateSearch: searchOf(prefilled),
  component: lazyRouteComponent(() => import('./new-window-page.js'), 'NewWindowPage'),
});

export const windowRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'suppression/$id',
  component: lazyRouteComponent(() => import('./window-page.js'), 'WindowPage'),
});

export const suppressionRoutes = [suppressionRoute, newWindowRoute, windowRoute] as const;
