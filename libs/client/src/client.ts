/**
 * The client: openapi-fetch with the types of the document, the key, and the API's form of lists in queries. It runs
 * wherever `fetch` exists: Node, browsers, workers.
 */
import createClient, {
  createQuerySerializer,
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import type { paths } from './schema.js';

type PathsClient = Client<paths, 'application/json'>;
type Method = 'get' | 'post' | 'put' | 'delete';

type Given<Path extends keyof paths, M extends Method> = MaybeOptionalInit<paths[Path], M>;
/** Responses are always JSON, so `parseAs` is not needed. */
type Init<Path extends keyof paths, M extends Method> = Omit<NonNullable<Given<Path, M>>, 'parseAs'>;

/** The response to a request: `{ data, response }`, or `{ error, response }` for an error status. */
export type Answer<Path extends keyof paths, M extends Method> = M extends keyof paths[Path]
  ? paths[Path][M] extends Record<string, unknown>
    ? FetchResponse<paths[Path][M], unknown, 'application/json'>
    : never
  : never;

/** An export is a stream of lines, which `fetch` itself reads best. */
type JsonPath<M extends Method> = Exclude<ClientPathsWithMethod<PathsClient, M>, `${string}/export`>;

/**
 * openapi-fetch's own methods infer the type of their argument, and the compiler does not check inferred types for
 * unknown fields. These types do not infer, so a field that the API would reject does not compile.
 */
type Call<M extends Method> = <Path extends JsonPath<M>>(
  path: Path,
  ...init: undefined extends Given<Path, M> ? [init?: Init<Path, M>] : [init: Init<Path, M>]
) => Promise<Answer<Path, M>>;

/**
 * One method for each HTTP method: `client.GET('/alerts/{id}', { params: { path: { id } } })` returns `{ data, error,
 * response }`.
 */
export interface AlertClient extends Pick<PathsClient, 'use' | 'eject'> {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  DELETE: Call<'delete'>;
}

export interface AlertClientOptions {
  /** The URL of the API with its version: `https://alerts.example.com/api/v1`. */
  baseUrl: string;
  /**
   * `svc_live_…` or `svc_test_…`: sent with every request as the Bearer credential. A browser in which somebody is
   * signed in has none.
   */
  apiKey?: string;
  /** Replaces the global `fetch`, for example for retries, a proxy or a log. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Creates a client without sending a request. An error status gives `error` in the result; only errors of `fetch` are
 * thrown.
 */
export const createAlertClient = ({ baseUrl, apiKey, fetch }: AlertClientOptions): AlertClient =>
  createClient<paths, 'application/json'>({
    baseUrl,
    fetch,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    querySerializer: writeQuery,
  }) as AlertClient;

const commaSeparated = createQuerySerializer({ array: { style: 'form', explode: false } });
const repeated = createQuerySerializer({ array: { style: 'form', explode: true } });

/** Lists are comma-separated, but `label` is repeated, because its values may contain commas. */
const writeQuery = ({ label, ...others }: Record<string, unknown>): string =>
  [commaSeparated(others), repeated({ label })].filter((part) => part !== '').join('&');
