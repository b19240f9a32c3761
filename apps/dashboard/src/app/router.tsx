/** All pages. A noun's folder has its routes; a page is loaded when it is first opened. */
import { createRouter } from '@tanstack/react-router';
import { alertRoutes } from '../alerts/alerts.routes.js';
import { clientRoutes } from '../clients/clients.routes.js';
import { incidentRoutes } from '../incidents/incidents.routes.js';
import { integrationRoutes } from '../integrations/integrations.routes.js';
import { nowRoutes } from '../now/now.routes.js';
import { onCallRoutes } from '../on-call/on-call.routes.js';
import { policyRoutes } from '../policies/policies.routes.js';
import { routingRoutes } from '../routing/routing.routes.js';
import { scheduleRoutes } from '../schedules/schedules.routes.js';
import { settingsRoutes } from '../settings/settings.routes.js';
import { signInRoutes } from '../sign-in/sign-in.routes.js';
import { suppressionRoutes } from '../suppression/suppression.routes.js';
import { teamRoutes } from '../teams/teams.routes.js';
import { PageSkeleton } from '../ui/skeletons.js';
import { ErrorState } from '../ui/error-state.js';
import { workflowRoutes } from '../workflows/workflows.routes.js';
import { queryClient } from './query-client.js';
import { memberRoute, rootRoute } from './root-route.js';
import { parseSearch, writeSearch } from './search-params.js';

const routeTree = rootRoute.addChildren([
  memberRoute.addChildren([
    ...nowRoutes,
    ...alertRoutes,
    ...incidentRoutes,
    ...onCallRoutes,
    ...scheduleRoutes,
    ...teamRoutes,
    ...policyRoutes,
    ...routingRoutes,
    ...workflowRoutes,
    ...suppressionRoutes,
    ...integrationRoutes,
    ...clientRoutes,
    ...settingsRoutes,
  ]),
  ...signInRoutes,
]);

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0, // TanStack Query decides what is old
  defaultPendingMs: 150,
  defaultPendingMinMs: 0, // a page that is ready is shown
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} isPage />,
  scrollRestoration: true,
  parseSearch,
  stringifySearch: writeSearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
