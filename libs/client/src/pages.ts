/** Lists, page by page: the cursor of one page asks for the next. */
import type { AlertClient, Answer } from './client.js';
import type { components, paths } from './schema.js';

interface AnswersList {
  get: {
    responses: {
      200: { content: { 'application/json': { data: unknown[]; meta: components['schemas']['ListMeta'] } } };
    };
  };
}

/** The paths whose GET answers a list. */
export type ListPath = { [Path in keyof paths]: paths[Path] extends AnswersList ? Path : never }[keyof paths];

type ListParameters<Path extends ListPath> = paths[Path]['get']['parameters'];

/** What GET answers at such a path: `{ data: { data, meta }, response }` or `{ error, response }`. */
export type PageAnswer<Path extends ListPath> = Answer<Path, 'get'>;

/** `client.GET` for a path that is not known yet: the compiler cannot tell what it takes and answers. */
type GetPage<Path extends ListPath> = (
  path: Path,
  init: { params: object },
) => Promise<PageAnswer<Path> & { data?: { meta: components['schemas']['ListMeta'] } }>;

/**
 * Asks for one page after the other, each when the one before has been looked at, up to the last one or to the first error.
 * `params` are those of `client.GET`; with `query.cursor` it begins there.
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
