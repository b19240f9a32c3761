/**
 * The API reference at /api/docs: Swagger UI. The gateway serves all its files. The page loads nothing from other
 * servers, and its content security policy forbids it; the page has no inline script or style.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { noneMatch } from '../http/conditional.js';
import { addResource } from '../http/methods.js';
import type { Operations } from '../v1/operations.js';

export const docsPath = '/api/docs';

interface Content {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
}

const vendor = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const own = join(packageFolder(import.meta.dirname), 'assets');

/** The folder of the package that this file is part of: a bundle is at another depth than the compiled modules. */
function packageFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageFolder(dirname(folder));
}

const files: Record<string, { folder: string; file: string; type: string }> = {
  '/': { folder: own, file: 'reference.html', type: 'text/html; charset=utf-8' },
  '/assets/reference.css': { folder: own, file: 'reference.css', type: 'text/css; charset=utf-8' },
  '/assets/reference.js': { folder: own, file: 'reference.js', type: 'text/javascript; charset=utf-8' },
  '/assets/icon.svg': { folder: own, file: 'icon.svg', type: 'image/svg+xml' },
  '/assets/swagger-ui.css': { folder: vendor, file: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  '/assets/swagger-ui-bundle.js': {
    folder: vendor,
    file: 'swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
  },
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** After a minute a browser asks again with the ETag, so it sees an upgrade soon, for one round trip a file. */
const caching = 'public, max-age=60';

export interface DocsOptions {
  operations: Operations;
}

export const docs: FastifyPluginAsync<DocsOptions> = async (app, { operations }) => {
  const contents = new Map<string, Promise<Content>>();
  /** Read and compressed at the first request. */
  const contentOf = (name: string): Promise<Content> => {
    let content = contents.get(name);
    if (!content) contents.set(name, (content = read(name)));
    return content;
  };

  app.addHook('onRequest', (request, _reply, done) => {
    request.operation = 'docs';
    done();
  });
  for (const name of Object.keys(files)) {
    const get: RouteHandlerMethod = async (request, reply) => {
      reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
      return send(request, reply, await contentOf(name));
    };
    addResource(app, name, { GET: get });
  }
  addResource(app, '/openapi.json', {
    GET: async (request, reply) => {
      reply.header('access-control-allow-origin', '*');
      return send(request, reply, { type: 'application/json; charset=utf-8', ...operations.current.document });
    },
  });
};

function send({ headers }: FastifyRequest, reply: FastifyReply, content: Content): FastifyReply {
  reply.headers({ etag: content.etag, 'cache-control': caching, vary: 'accept-encoding' });
  if (noneMatch(headers['if-none-match'], content.etag)) return reply.code(304).send();
  reply.header('content-type', content.type);
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(headers['accept-encoding'] ?? ''));
  if (takesGzip) return reply.header('content-encoding', 'gzip').send(content.gzipped);
  return reply.send(content.bytes);
}

async function read(name: string): Promise<Content> {
  const { folder, file, type } = files[name] as (typeof files)[string];
  const bytes = readFileSync(join(folder, file));
  const gzipped = await promisify<Buffer, Buffer>(gzip)(bytes);
  return { type, bytes, gzipped, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
}
