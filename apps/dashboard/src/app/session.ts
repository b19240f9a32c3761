/** Who is signed in, and what they may do. */
import { queryOptions, useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import type { components } from '@ams/client';
import { ApiError } from '../api/api-error.js';
import { call, mayCall } from '../api/call.js';
import { setCsrfToken } from '../api/context.js';
import type { OperationId } from '../api/operation-types.js';

export type Session = components['schemas']['Session'];

export const sessionQuery = queryOptions({
  queryKey: ['getSession'],
  queryFn: async ({ signal }): Promise<Session> => {
    const { data } = await call('getSession', {}, { signal });
    setCsrfToken(data.csrfToken);
    return data;
  },
  staleTime: 5 * 60_000,
});

/** The same member goes on with a new cookie. */
export function renewSession(queries: QueryClient, session: Session): void {
  setCsrfToken(session.csrfToken);
  queries.setQueryData(sessionQuery.queryKey, session);
}

/** Somebody has signed in, or acts as another member: nothing that was read before is theirs. */
export function beginSession(queries: QueryClient, session: Session): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getSession' });
  renewSession(queries, session);
}

/** On pages behind the sign-in only: the routes wait for the session. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

/** `can('createClient')`: whether to offer what calls this operation. */
export function useCan(): (id: OperationId) => boolean {
  const { scopes } = useSession();
  return (id) => mayCall(scopes, id);
}

/** `beforeLoad` of pages that are one act: whoever may not do it is told so, in place of the form. */
export const requireMay =
  (id: OperationId) =>
  ({ context: { session } }: { context: { session: Session } }): void => {
    if (!mayCall(session.scopes, id)) throw new ApiError(403, 'INSUFFICIENT_SCOPE', '');
  };
