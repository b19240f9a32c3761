import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { one, oneOf, searchOf } from '../app/search-params.js';

export const onCallRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'on-call',
  /** `at` is a date of the week or month that is shown; `zone` the time zone of the days. */
  validateSearch: searchOf({ view: oneOf(['week', 'fortnight', 'month']), at: one, zone: one, team: one }),
  component: lazyRouteComponent(() => import('./on-call-page.js'), 'OnCallPage'),
});

export const onCallRoutes = [onCallRoute] as const;
