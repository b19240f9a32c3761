import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { mayCall } from '../api/call.js';
import type { ListId, QueryInput } from '../api/operation-types.js';
import { list } from '../api/queries.js';
import type { Session } from './session.js';

/**
 * For the `loader` of a page: begins to read the list that the page shows, unless it was read before. The page does not
 * wait for it, and shows by itself what fails.
 */
export function beginList<Id extends ListId>(
  { queryClient, session }: { queryClient: QueryClient; session: Session },
  id: Id,
  query: Omit<QueryInput<Id>, 'cursor'>,
): void {
  const options = list(id, query);
  const known = queryClient.getQueryData<InfiniteData<unknown>>(options.queryKey);
  if (known === undefined && mayCall(session.scopes, id)) void queryClient.prefetchInfiniteQuery(options);
}
