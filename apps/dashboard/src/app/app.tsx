import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { styleNonce } from './nonce.js';
import { Messages } from '../ui/notify.js';
import { onSignedOut, queryClient } from './query-client.js';
import { memberRoute } from './root-route.js';
import { router } from './router.js';
import { sessionQuery } from './session.js';
import { theme } from './theme.js';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'mantine-color-scheme-value' });

// A session that ends while a page is open: the sign-in, and back to the same page.
onSignedOut(() => {
  const { pathname, href } = router.state.location;
  if (pathname === '/sign-in') return;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { return: href } });
});

/** The session and the files of the page are loaded at once, before the first rendering. */
const { routesById } = router;
for (const { routeId } of router.matchRoutes(router.latestLocation) as { routeId: keyof typeof routesById }[]) {
  if (routeId === memberRoute.id) void queryClient.prefetchQuery(sessionQuery);
  const { component } = routesById[routeId].options;
  if (component && 'preload' in component) void component.preload?.();
}

export const App = () => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={colorSchemeManager}
    getStyleNonce={() => styleNonce}
  >
    <QueryClientProvider client={queryClient}>
      <Messages />
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>
);
