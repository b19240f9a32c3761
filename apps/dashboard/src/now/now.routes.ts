import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';

export const nowRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./now-page.js'), 'NowPage'),
});

export const nowRoutes = [nowRoute] as const;
