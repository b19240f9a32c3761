/** Reads lists page by page with their cursors. */
import type { AlertClient, Answer } from './client.js';
import type { components, paths } from './schema.js';

interface AnswersList {
  get: {
    responses: {
      200: { content: { 'application/json': { data: unknown[]; meta: components['schemas']['ListMeta'] } } };
    };
  };
}

/** The paths whose GET returns a list. */
export type ListPath = { [Path in keyof paths]: paths[Path] extends AnswersList ? Path : never }[keyof paths];

type ListParameters<Path extends ListPath> = paths[Path]['get']['parameters'];

/** The result of GET for such a path: `{ data: { data, meta }, response }` or `{ error, response }`. */
export type PageAnswer<Path extends ListPath> = Answer<Path, 'get'>;

/** `client.GET` for a generic path, for which the compiler cannot derive the types. */
type GetPage<Path extends ListPath> = (
  path: Path,
  init: { params: object },
) => Promise<PageAnswer<Path> & { data?: { meta: components['schemas']['ListMeta'] } }>;

/**
 * Requests one page after another, each after the previous one was read, until the last page or the first error.
 * `params` are those of `client.GET`; with `query.cursor` it starts there.
 *
 *   for await (const { data, error } of pages(client, '/alerts', { query: { status: ['firing'] } })) {
 *     if (error) throw new Error(error.error);
 *     for (const alert of data.data) console.log(alert.title);
 *   }
 */
export async function* pages<Path extends ListPath>(
  client: AlertClient,
  path: Path,
  ...[params]: Record<never, never> extends ListParameters<Path>
    ? [params?: ListParameters<Path>]
    : [params: ListParameters<Path>]
): AsyncGenerator<PageAnswer<Path>, void, undefined> {
  const get = client.GET as unknown as GetPage<Path>;
  let query = params?.query;
  for (;;) {
    const answer = await get(path, { params: { ...params, query } });
    yield answer;
    const cursor = answer.data?.meta.nextCursor;
    if (!cursor) return;
    query = { ...query, cursor };
  }
}
