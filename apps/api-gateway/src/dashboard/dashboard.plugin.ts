/**
 * The dashboard at `/`: the built files of apps/dashboard. Every address of a page answers the same document, whose script
 * shows the page. The document gets a new nonce each time, which allows the <style> elements that its components add;
 * nothing else is allowed that the gateway does not serve itself.
 */
import { Fault } from '@ams/contracts';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { noneMatch } from '../http/conditional.js';
import { addResource, handlerOf } from '../http/methods.js';
import { documentName, encodingFor, type DashboardFiles } from './dashboard-files.js';

const policyWith = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const policy = policyWith('');

const placeOfNonce = '__CSP_NONCE__';

/** The names of files under assets/ contain a hash of the content. */
const cachingOf = (name: string): string =>
  name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

/** First parts of paths that are no pages: an unknown path below them is an error of a program. */
const noPages = new Set(['api', 'act', 'v2', 'assets', 'healthz', 'livez', 'readyz', 'metrics']);

export interface DashboardOptions {
  files: DashboardFiles;
}

export const dashboard: FastifyPluginAsync<DashboardOptions> = async (app, { files }) => {
  const page = await pageOf(files);
  app.addHook('onRequest', (request, _reply, done) => {
    request.operation = 'dashboard';
    done();
  });
  addResource(app, '/', { GET: async (_request, reply) => sendPage(reply, page) });
  const file = handlerOf({ GET: async (request, reply) => sendFile(request, reply, files) });
  app.all('/*', async function (request, reply) {
    const name = nameOf(request);
    if (name !== documentName && files.names.has(name)) return file.call(this, request, reply);
    if (!isPage(request)) throw new Fault('NOT_FOUND', null);
    return sendPage(reply, page);
  });
};

/** The document before and after each place of the nonce. */
async function pageOf(files: DashboardFiles): Promise<string[]> {
  const { bytes } = await files.read(documentName);
  return String(bytes.identity).split(placeOfNonce);
}

/** The path of the request without its first slash. */
const nameOf = ({ params }: FastifyRequest): string => (params as { '*': string })['*'];

/** A browser that opens an address, in contrast to a program, asks for HTML. */
function isPage(request: FastifyRequest): boolean {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const [first = ''] = nameOf(request).split('/', 1);
  return !noPages.has(first) && (headers.accept ?? '').includes('text/html');
}

function sendPage(reply: FastifyReply, page: readonly string[]): FastifyReply {
  const nonce = randomBytes(16).toString('base64url');
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policyWith(` 'nonce-${nonce}'`),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      vary: 'accept',
    })
    .send(page.join(nonce));
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, files: DashboardFiles): Promise<FastifyReply> {
  const name = nameOf(request);
  const { headers } = request;
  const file = await files.read(name);
  reply.headers({
    etag: file.etag,
    'cache-control': cachingOf(name),
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    vary: 'accept-encoding',
  });
  if (noneMatch(headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.header('content-type', file.type);
  const encoding = encodingFor(String(headers['accept-encoding'] ?? ''), file);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(file.bytes[encoding]);
}
