import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { QueryInput } from '../api/operation-types.js';
import { beginList } from '../app/begin.js';
import { memberRoute } from '../app/root-route.js';
import { one, searchOf } from '../app/search-params.js';
import { filterReaders, filtersOf, type Filters } from './incident-filters.js';

// `new` opens the form; its value is the team to page.
const searchOfIncidents = searchOf({ ...filterReaders, new: one });

export const incidentsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'incidents',
  validateSearch: searchOfIncidents,
  loaderDeps: ({ search }): Filters => filtersOf(search),
  loader: ({ context, deps }) => beginList(context, 'listIncidents', deps as QueryInput<'listIncidents'>),
  component: lazyRouteComponent(() => import('./incidents-page.js'), 'IncidentsPage'),
});

/** By number, as people say it; ids work too. */
export const incidentRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'incidents/$number',
  component: lazyRouteComponent(() => import('./incident-page.js'), 'IncidentPage'),
});

export const incidentRoutes = [incidentsRoute, incidentRoute] as const;
