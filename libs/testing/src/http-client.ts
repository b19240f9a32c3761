export interface HttpResponse<T = unknown> {
  status: number;
  headers: Headers;
  /** Parsed JSON, otherwise text; null when empty. */
  body: T;
}

export interface HttpRequest {
  headers?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON; a string or bytes are sent unchanged. */
  body?: unknown;
}

export interface HttpClient {
  request<T = unknown>(method: string, path: string, request?: HttpRequest): Promise<HttpResponse<T>>;
  get<T = unknown>(path: string, request?: HttpRequest): Promise<HttpResponse<T>>;
  post<T = unknown>(path: string, body?: unknown, request?: HttpRequest): Promise<HttpResponse<T>>;
  put<T = unknown>(path: string, body?: unknown, request?: HttpRequest): Promise<HttpResponse<T>>;
  patch<T = unknown>(path: string, body?: unknown, request?: HttpRequest): Promise<HttpResponse<T>>;
  delete<T = unknown>(path: string, request?: HttpRequest): Promise<HttpResponse<T>>;
}

/**
 * Returns status, headers and body for any status; throws only when there was no response. Does not follow redirects.
 */
export function httpClient(baseUrl: string, defaults: { headers?: Record<string, string> } = {}): HttpClient {
  async function request<T>(
    method: string,
    path: string,
    { headers, query, body }: HttpRequest = {},
  ): Promise<HttpResponse<T>> {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...defaults.headers,
        ...headers,
      },
      body: body === undefined ? undefined : raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? null : isJson ? JSON.parse(text) : text) as T,
    };
  }
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    put: (path, body, options) => request('PUT', path, { ...options, body }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    delete: (path, options) => request('DELETE', path, options),
  };
}
