/** The OpenAPI 3.0.3 document: what all operations share, and the parts that the services announce. */
import { answerHeaders, errorResponses, statusOfCode, type Announcement } from '@ams/contracts';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { overview, tags } from './overview.js';
import { streamOperation, streamSchemas } from './stream-operation.js';

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  bytes: Buffer;
  gzipped: Buffer;
  /** The ETag of the content, equal on every replica. */
  etag: string;
}

/** The operations that the gateway answers itself, and the schemas that all parts refer to. */
export const ownPart: Announcement = {
  service: 'api-gateway',
  schemas: {
    ListMeta: {
      type: 'object',
      required: ['limit', 'hasMore', 'nextCursor'],
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'The page size that was used.' },
        hasMore: { type: 'boolean', description: '`false` on the last page.' },
        nextCursor: {
          type: 'string',
          nullable: true,
          description: 'The `cursor` of the next page; `null` on the last page.',
        },
        total: { type: 'integer', minimum: 0, description: 'The number of all matches. On the first page only.' },
      },
    },
    Error: {
      type: 'object',
      required: ['error', 'code', 'details'],
      properties: {
        error: { type: 'string', description: 'For people. The wording may change.' },
        code: {
          type: 'string',
          enum: Object.keys(statusOfCode).filter((code) => code !== 'INVALID_INGEST_TOKEN'),
          description: 'For programs.',
        },
        details: {
          description: 'The details, in the form that belongs to the code; `null` when there are none.',
        },
      },
      example: {
        error: 'There is no alert with the id alr_0.',
        code: 'NOT_FOUND',
        details: { resource: 'alert', id: 'alr_0' },
      },
    },
    ...streamSchemas,
  },
  operations: [
    streamOperation,
    {
      id: 'openapi.get',
      method: 'GET',
      path: '/openapi.json',
      scope: '',
      subject: '',
      reply: 'one',
      body: 'none',
      versioned: false,
      openapi: {
        operationId: 'getOpenApiDocument',
        tags: ['Documentation'],
        summary: 'Get this document',
        description:
          'The OpenAPI 3.0.3 document of the API. It is public at `/api/docs/openapi.json`.\n\nScope: none; any ' +
          'valid key is enough.',
        security: [{ apiKey: [] }, { session: [] }],
        parameters: [{ $ref: '#/components/parameters/X-Request-Id' }],
        responses: {
          '200': {
            description: 'Success.',
            headers: { ...answerHeaders, ETag: { $ref: '#/components/headers/ETag' } },
            content: {
              'application/json': {
                schema: { type: 'object', additionalProperties: true },
                example: { openapi: '3.0.3' },
              },
            },
          },
          ...errorResponses(['UNAUTHORIZED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'], {
            scope: '',
            path: '/openapi.json',
            reply: 'one',
            example: { reply: null },
          }),
        },
      },
    },
  ],
};

const header = (description: string, schema: Json, example: unknown): Json => ({ description, schema, example });

const headers: Json = {
  'X-Request-Id': header(
    'The id of the request: the one that was sent, or a new one.',
    { type: 'string' },
    '01938f3a-7c2e-7d4a-b1c2-d3e4f5061728',
  ),
  'RateLimit-Limit': header('How many requests the organization may make in a window.', { type: 'integer' }, 300),
  'RateLimit-Remaining': header('How many of them are left.', { type: 'integer' }, 287),
  'RateLimit-Reset': header('Seconds until the window ends.', { type: 'integer' }, 42),
  ETag: header('The version of the record, for `If-Match` and `If-None-Match`.', { type: 'string' }, '"3"'),
  Deprecation: header(
    'Since when the operation is deprecated (RFC 9745): `@` and the seconds since 1970.',
    { type: 'string' },
    '@1795305600',
  ),
  Sunset: header(
    'When the operation will be removed (RFC 8594): an HTTP date.',
    { type: 'string' },
    'Mon, 22 Nov 2027 00:00:00 GMT',
  ),
  Link: header(
    'The path that replaces the one of the request (RFC 8288), with `rel="successor-version"`.',
    { type: 'string' },
    '</api/v1/notifications>; rel="successor-version"',
  ),
  'Retry-After': header('Seconds to wait before trying again.', { type: 'integer', minimum: 1 }, 17),
};

const parameters: Json = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our ' +
      'logs contain it.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    example: '01938f3a-7c2e-7d4a-b1c2-d3e4f5061728',
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to repeat. For 24 hours a request with the same key and body gets the first answer ' +
      'again, and one with the same key and another body gets 409 `IDEMPOTENCY_KEY_REUSED`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'ticket-4711-acknowledge',
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the version that the change is meant for. When the record has changed since, the answer is ' +
      '412 `VERSION_MISMATCH`.',
    schema: { type: 'string' },
    example: '"3"',
  },
};

/**
 * When several services announce a schema, the document has the last one. `publicUrl` is the address at which callers
 * reach the service; with `null` the server is the address from which the document was loaded.
 */
export function documentOf(announcements: readonly Announcement[], publicUrl: string | null): OpenApiDocument {
  const parts = [...announcements, ownPart];
  const operations = [...[...announcements].sort((a, b) => (a.service < b.service ? -1 : 1)), ownPart].flatMap(
    (part) => part.operations,
  );
  const bytes = Buffer.from(
    JSON.stringify({
      openapi: '3.0.3',
      info: {
        title: 'Alert Management API',
        version: '1',
        description: overview,
        contact: { name: 'The operator of this installation' },
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: `${publicUrl?.replace(/\/+$/, '') ?? ''}/api/v1` }],
      security: [{ apiKey: [] }, { session: [] }],
      tags: tagsOf(operations.flatMap(({ openapi }) => (openapi['tags'] as string[] | undefined) ?? [])),
      paths: pathsOf(operations),
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'svc_live_… or svc_test_…',
            description: 'An API key. Each operation names the scope that the key needs.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-session',
            description:
              'The session of a person who is signed in; the role has the scopes. The header `X-Environment` is `live` ' +
              '(the default) or `test`. A POST, PUT or DELETE also needs the header `X-CSRF-Token`.',
          },
        },
        headers,
        parameters,
        schemas: Object.fromEntries(
          Object.entries(Object.assign({}, ...parts.map((part) => part.schemas)) as Json).sort(([a], [b]) =>
            a < b ? -1 : 1,
          ),
        ),
      },
    }),
  );
  return {
    bytes,
    gzipped: gzipSync(bytes),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
  };
}

function pathsOf(operations: Announcement['operations']): Json {
  const paths: Record<string, Json> = {};
  for (const { path, method, openapi } of operations) (paths[path] ??= {})[method.toLowerCase()] = openapi;
  return paths;
}

/** The tags that operations use, in the order of the overview, then all others by name. */
function tagsOf(used: string[]): Json[] {
  const names = new Set(used);
  const known = tags.filter(({ name }) => names.has(name));
  const others = [...names].filter((name) => !tags.some((tag) => tag.name === name)).sort();
  return [...known, ...others.map((name) => ({ name }))];
}
