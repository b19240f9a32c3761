import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';

export const scheduleRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'schedules/$id',
  component: lazyRouteComponent(() => import('./schedule-page.js'), 'SchedulePage'),
});

export const scheduleRoutes = [scheduleRoute] as const;
