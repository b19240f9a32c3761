import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { one, oneOf, searchOf } from '../app/search-params.js';
import { filterReaders, panelTabs } from './alert-filters.js';

export const alertsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'alerts',
  validateSearch: searchOf({ ...filterReaders, alert: one, tab: oneOf(panelTabs) }),
  component: lazyRouteComponent(() => import('./alerts-page.js'), 'AlertsPage'),
});

/** The address of one alert, as it is in messages. */
export const alertRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'alerts/$id',
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/alerts', search: { ...search, alert: params.id }, replace: true });
  },
});

export const alertRoutes = [alertsRoute, alertRoute] as const;
