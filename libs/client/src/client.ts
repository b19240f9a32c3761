/**
 * The client: openapi-fetch with the types of the document, the key, and the way in which the API reads lists. It runs
 * wherever there is `fetch`: Node, browsers, workers.
 */
import createClient, {
  createQuerySerializer,
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import type { paths } from './schema.js';

type Bare = Client<paths, 'application/json'>;
type Method = 'get' | 'post' | 'put' | 'delete';

type Given<Path extends keyof paths, M extends Method> = MaybeOptionalInit<paths[Path], M>;
/** Answers are JSON, so there is no other way to read them. */
type Init<Path extends keyof paths, M extends Method> = Omit<NonNullable<Given<Path, M>>, 'parseAs'>;

/** The answer to a request: `{ data, response }`, or `{ error, response }` when its status says so. */
export type Answer<Path extends keyof paths, M extends Method> = M extends keyof paths[Path]
  ? paths[Path][M] extends Record<string, unknown>
    ? FetchResponse<paths[Path][M], unknown, 'application/json'>
    : never
  : never;

/**
 * openapi-fetch's own methods infer the type of what they are given, and the compiler does not look for superfluous fields
 * in a type that it has inferred. These do not, so that a field which the API would refuse does not compile.
 */
type Call<M extends Method> = <Path extends ClientPathsWithMethod<Bare, M>>(
  path: Path,
  ...init: undefined extends Given<Path, M> ? [init?: Init<Path, M>] : [init: Init<Path, M>]
) => Promise<Answer<Path, M>>;

/** A method for each of HTTP: `client.GET('/alerts/{id}', { params: { path: { id } } })` answers `{ data, error, response }`. */
export interface AlertClient extends Pick<Bare, 'use' | 'eject'> {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  DELETE: Call<'delete'>;
}

export interface AlertClientOptions {
  /** Where the API is, with its version: `https://alerts.example.com/api/v1`. */
  baseUrl: string;
  /** `svc_live_…` or `svc_test_…`: goes with every request, as its Bearer credential. */
  apiKey: string;
  /** In place of the global `fetch`: for retries, a proxy, a log. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Sends nothing yet. What the API answers with an error status is `error` of the answer; only what `fetch` throws is thrown. */
export const createAlertClient = ({ baseUrl, apiKey, fetch }: AlertClientOptions): AlertClient =>
  createClient<paths, 'application/json'>({
    baseUrl,
    fetch,
    headers: { authorization: `Bearer ${apiKey}` },
    querySerializer: writeQuery,
  }) as AlertClient;

const commaSeparated = createQuerySerializer({ array: { style: 'form', explode: false } });
const repeated = createQuerySerializer({ array: { style: 'form', explode: true } });

/** Lists are comma-separated, but `label` is repeated: its values may hold commas. */
const writeQuery = ({ label, ...others }: Record<string, unknown>): string =>
  [commaSeparated(others), repeated({ label })].filter((part) => part !== '').join('&');
