/** Pages of people who are not signed in. Secrets of links are after `#`, which no server and no log gets. */
import type { components } from '@ams/client';
import type { QueryClient } from '@tanstack/react-query';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.js';
import { call } from '../api/call.js';
import { rootRoute } from '../app/root-route.js';
import { many, one, searchOf } from '../app/search-params.js';
import { beginSession } from '../app/session.js';
import { returnPath } from './return-path.js';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  /** `factor`: what a sign-in that began elsewhere waits for. */
  validateSearch: searchOf({ return: one, factor: many }),
  component: lazyRouteComponent(() => import('./sign-in-page.js'), 'SignInPage'),
});

type SignedIn = Pick<components['schemas']['SignedIn'], 'session' | 'secondFactor'>;

/** Goes on as the member; for a sign-in that needs another factor, to the page that asks for it. */
function enter(queries: QueryClient, { session, secondFactor }: SignedIn, path: string): never {
  if (session === null) {
    throw redirect({ to: '/sign-in', search: { factor: secondFactor ?? undefined }, replace: true });
  }
  beginSession(queries, session);
  throw redirect({ href: returnPath(path), replace: true });
}

const tokenOf = (hash: string): string => {
  if (hash === '') throw new ApiError(404, 'LINK_INCOMPLETE', '');
  return hash;
};

/** The link that the first start prints, and that an operator can make for any member. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'welcome',
  loader: async ({ location, context }): Promise<void> => {
    const { data } = await call('welcome', { body: { token: tokenOf(location.hash) } });
    enter(context.queryClient, data, '/');
  },
  gcTime: 0,
  errorComponent: lazyRouteComponent(() => import('./link-failed.js'), 'LinkFailed'),
});

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invitation',
  loader: async ({ location }) => {
    const token = tokenOf(location.hash);
    const { data } = await call('getInvitation', { body: { token } });
    return { token, invitation: data };
  },
  gcTime: 0,
  component: lazyRouteComponent(() => import('./invitation-page.js'), 'InvitationPage'),
  errorComponent: lazyRouteComponent(() => import('./link-failed.js'), 'LinkFailed'),
});

/** The link by which the owner of an address agrees to get mails of an organization. */
export const mailRecipientRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'mail-recipient',
  loader: async ({ location }) => {
    const token = tokenOf(location.hash);
    const { data } = await call('getMailRecipientLink', { body: { token } });
    return { token, link: data };
  },
  gcTime: 0,
  component: lazyRouteComponent(() => import('./mail-recipient-page.js'), 'MailRecipientPage'),
  errorComponent: lazyRouteComponent(() => import('./link-failed.js'), 'LinkFailed'),
});

export const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reset-password',
  component: lazyRouteComponent(() => import('./reset-page.js'), 'ResetPage'),
});

/** Where the OpenID provider sends the browser. */
export const openIdRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in/openid',
  loader: async ({ location, context }): Promise<void> => {
    const parameters = Object.fromEntries(new URLSearchParams(location.searchStr));
    const { data } = await call('signInWithOpenId', { body: { parameters } });
    enter(context.queryClient, data, data.returnTo);
  },
  gcTime: 0,
  errorComponent: lazyRouteComponent(() => import('./openid-failed.js'), 'OpenIdFailed'),
});

export const signInRoutes = [
  signInRoute,
  welcomeRoute,
  invitationRoute,
  mailRecipientRoute,
  resetRoute,
  openIdRoute,
] as const;
