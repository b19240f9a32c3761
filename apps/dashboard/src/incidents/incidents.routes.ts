import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { one, searchOf } from '../app/search-params.js';
import { filterReaders } from './incident-filters.js';

export const incidentsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'incidents',
  // `new` opens the form; its value is the team to page.
  validateSearch: searchOf({ ...filterReaders, new: one }),
  component: lazyRouteComponent(() => import('./incidents-page.js'), 'IncidentsPage'),
});

/** By number, as people say it; ids work too. */
export const incidentRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'incidents/$number',
  component: lazyRouteComponent(() => import('./incident-page.js'), 'IncidentPage'),
});

export const incidentRoutes = [incidentsRoute, incidentRoute] as const;
