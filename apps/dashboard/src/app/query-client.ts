/** The one store of what the server answered. Live events keep it current, so it is seldom read again by itself. */
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';

/** What ends the session for this page; main.tsx says what happens then. */
const listeners = new Set<() => void>();
export const onSignedOut = (listener: () => void): void => void listeners.add(listener);

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (isSignedOut(error) && query.queryKey[0] !== 'getSession') for (const listener of listeners) listener();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => failures < 3 && error instanceof ApiError && error.isPassing && error.status !== 429,
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 8000),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});
