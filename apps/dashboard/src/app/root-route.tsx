/** The root of all routes, and the two kinds of pages below it: with the navigation for members, and without. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.js';
import { setEnvironment } from '../api/context.js';
import { ErrorState } from '../ui/error-state.js';
import { PageSkeleton } from '../ui/skeletons.js';
import { NotFound } from './not-found.js';
import { oneOf, searchOf } from './search-params.js';
import { sessionQuery } from './session.js';
import { Shell } from './shell/shell.js';

/** The environment is a part of every address, and each link keeps it. */
interface RootSearch {
  env?: 'test';
}
const rootSearch: (raw: Record<string, unknown>) => RootSearch = searchOf({ env: oneOf(['test']) });

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  validateSearch: rootSearch,
  search: { middlewares: [retainSearchParams<RootSearch>(['env'])] },
  beforeLoad: ({ search }) => setEnvironment(search.env ?? 'live'),
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
});

/** Pages of members. Without a session they lead to the sign-in, and back. */
export const memberRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'member',
  beforeLoad: async ({ context, location }) => {
    try {
      return { session: await context.queryClient.ensureQueryData(sessionQuery) };
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { return: location.href } });
      }
      throw error;
    }
  },
  component: Shell,
  pendingComponent: PageSkeleton,
  notFoundComponent: NotFound,
});
