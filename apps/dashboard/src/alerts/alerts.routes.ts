import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { QueryInput } from '../api/operation-types.js';
import { beginList } from '../app/begin.js';
import { memberRoute } from '../app/root-route.js';
import { one, oneOf, searchOf } from '../app/search-params.js';
import { filterReaders, filtersOf, panelTabs, type Filters } from './alert-filters.js';

const searchOfAlerts = searchOf({ ...filterReaders, alert: one, tab: oneOf(panelTabs) });

export const alertsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'alerts',
  validateSearch: searchOfAlerts,
  loaderDeps: ({ search }): Filters => filtersOf(search),
  loader: ({ context, deps }) => beginList(context, 'listAlerts', deps as QueryInput<'listAlerts'>),
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
