import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { one, oneOf, searchOf } from '../app/search-params.js';

export const workflowsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'workflows',
  validateSearch: searchOf({ q: one, enabled: oneOf(['true', 'false']), event: one }),
  component: lazyRouteComponent(() => import('./workflows-page.js'), 'WorkflowsPage'),
});

export const newWorkflowRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'workflows/new',
  component: lazyRouteComponent(() => import('./new-workflow-page.js'), 'NewWorkflowPage'),
});

/** `alert` opens the test with an alert; `status` filters the runs, and `run` opens one. */
export const workflowRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'workflows/$id',
  validateSearch: searchOf({
    tab: oneOf(['test', 'runs', 'json']),
    alert: one,
    status: oneOf(['running', 'waiting', 'completed', 'failed']),
    run: one,
  }),
  component: lazyRouteComponent(() => import('./workflow-page.js'), 'WorkflowPage'),
});

export const workflowRoutes = [workflowsRoute, newWorkflowRoute, workflowRoute] as const;
