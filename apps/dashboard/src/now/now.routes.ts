import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { QueryInput } from '../api/operation-types.js';
import { beginList } from '../app/begin.js';
import { memberRoute } from '../app/root-route.js';

/** What somebody must still see to. */
export const openIncidents: QueryInput<'listIncidents'> = { status: ['triggered', 'acknowledged'], limit: 100 };

export const nowRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/',
  loader: ({ context }) => beginList(context, 'listIncidents', openIncidents),
  component: lazyRouteComponent(() => import('./now-page.js'), 'NowPage'),
});

export const nowRoutes = [nowRoute] as const;
