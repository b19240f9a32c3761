/**
 * The one place that sends requests to the API: `call('acknowledgeAlert', { path: { id } })`. It adds the environment,
 * the CSRF token and an idempotency key, and throws an `ApiError` for every answer that is no success.
 */
import { createAlertClient } from '@ams/client';
import { grants, isScope } from '@ams/scopes';
import { operations } from 'virtual:operations';
import { ApiError, errorOf } from './api-error.js';
import { csrfToken, currentEnvironment } from './context.js';
import type { InputArgument, OperationId, Reply } from './operation-types.js';
import { Unanswered } from './unanswered.js';

const client = createAlertClient({ baseUrl: `${location.origin}/api/v1` });
const unanswered = new Unanswered();

interface Sent {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** The version that the record must still have; otherwise the answer is 412. */
  ifVersion?: number;
  /** Repeats of one act have the same key. By default a new key, or that of the same request without an answer. */
  idempotencyKey?: string;
}

/** The compiler cannot follow from an operation's id to its path; `Input` and `Reply` have the types. */
type Send = (
  path: string,
  init: {
    params: { path?: object; query?: object; header: Record<string, string> };
    body?: unknown;
    signal?: AbortSignal;
  },
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

export async function call<Id extends OperationId>(
  id: Id,
  ...given: [...InputArgument<Id>, options?: CallOptions]
): Promise<Reply<Id>> {
  const [input = {}, options = {}] = given as unknown as [Sent?, CallOptions?];
  return (await callByName(id, input, options)) as Reply<Id>;
}

async function callByName(id: string, { path, query, body }: Sent, options: CallOptions): Promise<unknown> {
  const operation = operations[id];
  if (operation === undefined) throw new Error(`docs/openapi.json has no operation ${id}`);
  const [method, url] = operation;
  const header = headersOf(method, options);
  const request = JSON.stringify([id, currentEnvironment(), path, query, body]);
  const key = method === 'POST' ? (options.idempotencyKey ?? unanswered.keyOf(request)) : null;
  if (key !== null) header['Idempotency-Key'] = key;
  const send = client[method] as unknown as Send;
  let answer;
  try {
    answer = await send(url, { params: { path, query, header }, body, signal: options.signal });
  } catch (error) {
    if (key !== null) unanswered.ended(request, key, 0);
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, 'UNREACHABLE', 'The server cannot be reached.');
  }
  const { data, error, response } = answer;
  if (key !== null) unanswered.ended(request, key, response.status);
  if (!response.ok) throw errorOf(response.status, error, response.headers.get('x-request-id'));
  return data;
}

function headersOf(method: string, { ifVersion }: CallOptions): Record<string, string> {
  const headers: Record<string, string> = { 'X-Environment': currentEnvironment() };
  if (ifVersion !== undefined) headers['If-Match'] = `"${ifVersion}"`;
  if (method === 'GET') return headers;
  if (csrfToken() !== '') headers['X-CSRF-Token'] = csrfToken();
  return headers;
}

/** Whether a principal with these scopes may call the operation. */
export function mayCall(scopes: readonly string[], id: OperationId): boolean {
  const scope = operations[id]?.[2] ?? null;
  return grants(scopes, isScope(scope) ? scope : null);
}
