/**
 * Reads for TanStack Query. The key is the operation's id, the environment and the input, so that everybody who asks
 * for the same thing shares one entry of the cache, and src/live finds the entries of an operation.
 *
 *   const alert = useQuery(read('getAlert', { path: { id } }));
 *   const alerts = useInfiniteQuery(list('listAlerts', { status: ['firing'] }));
 */
import { infiniteQueryOptions, queryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';
import { call } from './call.js';
import { currentEnvironment } from './context.js';
import type { Data, Input, InputArgument, Item, ListId, OperationId, QueryInput } from './operation-types.js';

export const keyOf = (id: OperationId, input: object = {}) => [id, currentEnvironment(), input] as const;

/** One record, or a list of fixed length: `data` of the reply. */
export const read = <Id extends OperationId>(id: Id, ...[input]: InputArgument<Id>) =>
  queryOptions({
    queryKey: keyOf(id, input ?? {}),
    queryFn: async ({ signal }): Promise<Data<Id>> => {
      const reply = await callLoosely(id, input ?? {}, { signal });
      return reply.data as Data<Id>;
    },
  });

export interface Page<One> {
  data: One[];
  meta: { nextCursor: string | null; total?: number };
}

/** A list that is read page by page. */
export const list = <Id extends ListId>(
  id: Id,
  query: Omit<QueryInput<Id>, 'cursor'> = {} as QueryInput<Id>,
  path?: Input<Id> extends { path: infer Path } ? Path : never,
) =>
  infiniteQueryOptions({
    queryKey: keyOf(id, path === undefined ? { query } : { path, query }),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }): Promise<Page<Item<Id>>> => {
      const asked = pageParam === undefined ? query : { ...query, cursor: pageParam };
      const reply = await callLoosely(id, path === undefined ? { query: asked } : { path, query: asked }, { signal });
      return reply as Page<Item<Id>>;
    },
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
  });

/** At most as many records as `all` reads. */
const allLimit = 1000;

/** A list that is short by its nature, whole: members, teams. Of longer ones, the first 1,000. */
export const all = <Id extends ListId>(
  id: Id,
  query: Omit<QueryInput<Id>, 'cursor' | 'limit'> = {} as QueryInput<Id>,
) =>
  queryOptions({
    queryKey: [...keyOf(id, { query }), 'all'],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }): Promise<Item<Id>[]> => {
      const found: Item<Id>[] = [];
      let cursor: string | null = null;
      do {
        const asked = { ...query, limit: 100, ...(cursor === null ? {} : { cursor }) };
        const page = (await callLoosely(id, { query: asked }, { signal })) as Page<Item<Id>>;
        found.push(...page.data);
        cursor = page.meta.nextCursor;
      } while (cursor !== null && found.length < allLimit);
      return found;
    },
  });

/**
 * Whether a page has nothing to show: nothing was read yet, or the record is gone. When reading again fails because the
 * service cannot be reached for a while, what was read stays, and what somebody is writing with it.
 */
export const cannotShow = <Query extends { isError: boolean; data: unknown; error: unknown }>(
  query: Query,
): query is Extract<Query, { isError: true }> =>
  query.isError && (query.data === undefined || !(query.error instanceof ApiError && query.error.isPassing));

/** `call`, where the types are given by who calls it. */
const callLoosely = call as unknown as (
  id: string,
  input: object,
  options: { signal: AbortSignal },
) => Promise<{ data?: unknown; meta?: unknown }>;

/** The rows of all pages that are loaded. */
export const rowsOf = <One>(data: InfiniteData<Page<One>> | undefined): One[] =>
  data?.pages.flatMap((page) => page.data) ?? [];

/** How many there are in all, as the first page says. */
export const totalOf = (data: InfiniteData<Page<unknown>> | undefined): number | undefined =>
  data?.pages[0]?.meta.total;

/** Marks everything that these operations answered as old: what is on the screen is read again. */
export const invalidate = async (queries: QueryClient, ids: readonly OperationId[]): Promise<void> => {
  await Promise.all(ids.map((id) => queries.invalidateQueries({ queryKey: [id] })));
};
