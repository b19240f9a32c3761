/** A server that knows only docs/openapi.json: it answers each operation with the example in the document. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  explode?: boolean;
  schema: { type?: string };
  example: unknown;
}

interface Content {
  content?: { 'application/json'?: { example?: unknown; examples?: Record<string, { value: unknown }> } };
}

export interface DocumentedOperation {
  operationId: string;
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  parameters: Parameter[];
  body: unknown;
  status: number;
  reply: unknown;
  /** By code: the status and the body. */
  errors: Record<string, { status: number; body: unknown }>;
}

export interface Seen {
  method: string;
  /** As sent: encoded path and query. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface ExampleServer {
  baseUrl: string;
  /** The requests so far. */
  seen: Seen[];
  /** Sets the response to the next request. */
  next(status: number, body: unknown): void;
  stop(): Promise<void>;
}

interface RawOperation {
  operationId: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<DocumentedOperation['method'], RawOperation>>;
  components: { parameters: Record<string, Parameter> };
};

const parameterOf = (given: Parameter | { $ref: string }): Parameter =>
  '$ref' in given
    ? (document.components.parameters[given.$ref.replace('#/components/parameters/', '')] as Parameter)
    : given;

function documented(path: string, method: DocumentedOperation['method'], raw: RawOperation): DocumentedOperation {
  const [status, reply] = Object.entries(raw.responses).find(([code]) => code < '300') as [string, Content];
  const errors = Object.entries(raw.responses).flatMap(([code, { content }]) =>
    Object.entries(content?.['application/json']?.examples ?? {}).map(
      ([name, { value }]) => [name, { status: Number(code), body: value }] as const,
    ),
  );
  return {
    operationId: raw.operationId,
    method,
    path,
    parameters: raw.parameters.map(parameterOf),
    body: raw.requestBody?.content?.['application/json']?.example,
    status: Number(status),
    reply: reply.content?.['application/json']?.example,
    errors: Object.fromEntries(errors),
  };
}

/** Without exports, which are not JSON. */
export const documentedOperations: DocumentedOperation[] = Object.entries(document.paths)
  .filter(([path]) => !path.endsWith('/export'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => documented(path, method as DocumentedOperation['method'], raw)),
  );

const prefix = '/api/v1';

/** A path without parameters takes precedence over one with parameters in the same place. */
function find(method: string, path: string): DocumentedOperation | undefined {
  const fits = documentedOperations.filter(
    (op) =>
      op.method === method.toLowerCase() && new RegExp(`^${prefix}${op.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return fits.find((op) => !op.path.includes('{')) ?? fits[0];
}

export async function startExampleServer(): Promise<ExampleServer> {
  const seen: Seen[] = [];
  const waiting: { status: number; body: unknown }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat((await request.toArray()) as Buffer[]).toString() });
      const operation = find(method, url.split('?')[0] as string);
      const { status, body } = waiting.shift() ?? { status: operation?.status ?? 404, body: operation?.reply };
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(body === undefined ? undefined : JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    seen,
    next: (status, body) => void waiting.push({ status, body }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
