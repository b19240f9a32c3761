/**
 * The API reference at /api/docs: Swagger UI, served whole from here. The page loads nothing from anywhere else, and its
 * policy would not let it; no script or style stands in the page itself.
 */
import { Fault } from '@ams/contracts';
import { Injectable, Inject } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Exchange, HeaderList } from './exchange.js';
import { Operations } from './operations.js';
import { noneMatch } from './request.js';

export const docsPath = '/api/docs';

interface Content {
  type: string;
  bytes: Buffer;
  gzipped: Buffer | null;
  etag: string;
}

const vendor = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const own = join(import.meta.dirname, '../assets');

const files: Record<string, { folder: string; file: string; type: string }> = {
  '': { folder: own, file: 'reference.html', type: 'text/html; charset=utf-8' },
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

/** Revalidated by its ETag after a minute; an upgrade is seen soon, and a page costs one round trip for each file. */
const caching = 'public, max-age=60';
const readMethods = ['GET', 'HEAD', 'OPTIONS'];

@Injectable()
export class Docs {
  private readonly contents = new Map<string, Promise<Content>>();

  constructor(@Inject(Operations) private readonly operations: Operations) {}

  /** `path` begins with `/api/docs`. Throws Faults. */
  async serve(exchange: Exchange, path: string): Promise<void> {
    exchange.operation = 'docs';
    const name = path.slice(docsPath.length).replace(/^\/$/, '');
    const isDocument = name === '/openapi.json';
    if (!isDocument && !Object.hasOwn(files, name)) throw new Fault('NOT_FOUND', null);
    const { method } = exchange.request;
    if (method === 'OPTIONS') return exchange.answer(204, ['allow', readMethods.join(', ')], null);
    if (method !== 'GET' && method !== 'HEAD') throw new Fault('METHOD_NOT_ALLOWED', { allowed: readMethods });
    if (isDocument)
      this.send(exchange, { type: 'application/json; charset=utf-8', ...this.operations.current.document }, [
        'access-control-allow-origin',
        '*',
      ]);
    else
      this.send(exchange, await this.contentOf(name), [
        'content-security-policy',
        policy,
        'referrer-policy',
        'no-referrer',
      ]);
  }

  private send(exchange: Exchange, content: Content, more: HeaderList): void {
    const headers = ['etag', content.etag, 'cache-control', caching, 'vary', 'accept-encoding', ...more];
    const { 'if-none-match': known, 'accept-encoding': accepted } = exchange.request.headers;
    if (noneMatch(known, content.etag)) return exchange.answer(304, headers, null);
    const zipped =
      content.gzipped !== null && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(accepted ?? ''));
    exchange.answer(
      200,
      ['content-type', content.type, ...headers, ...(zipped ? ['content-encoding', 'gzip'] : [])],
      zipped ? content.gzipped : content.bytes,
    );
  }

  /** Read and compressed when it is first asked for. */
  private contentOf(name: string): Promise<Content> {
    let content = this.contents.get(name);
    if (!content) this.contents.set(name, (content = read(name)));
    return content;
  }
}

async function read(name: string): Promise<Content> {
  const { folder, file, type } = files[name] as (typeof files)[string];
  const bytes = readFileSync(join(folder, file));
  const gzipped = await promisify<Buffer, Buffer>(gzip)(bytes);
  return { type, bytes, gzipped, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
}
