/**
 * HTTP POST to URLs that members of organizations chose, protected against server-side request forgery. Names are
 * resolved here, every address of a name has to be public (public-address.ts), and the connection goes to exactly the
 * addresses that were checked, so that a second resolution cannot give another one. Redirects are followed here, with
 * the same checks. Each request has a connection of its own; no proxy is used.
 */
import { parseWebUrl } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { isIP, type LookupFunction } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { NotifierSettings } from '../settings.js';
import { hostName, mayConnect, parseAllowList, type AllowList } from './public-address.js';
import { Resolver } from './resolver.js';

export interface Post {
  url: string;
  headers: Record<string, string>;
  /** Headers of the workflow's author. They may hold a secret, so no other origin gets them on a redirect. */
  authorHeaders: Record<string, string>;
  body: string | Uint8Array;
  /** The time limit for everything: name resolution, connections, redirects, the head of the response. */
  timeoutMs: number;
}

export type HttpResult =
  /** `retryAfter` is the header as it came; `text` is the first 64 KiB of the body. */
  | { kind: 'response'; host: string; status: number; retryAfter: string | null; text: string }
  /** Nothing was sent, and another attempt would be blocked too. */
  | { kind: 'blocked'; code: 'address' | 'private' | 'redirect'; why: string }
  /** No response. `code` is that of the error, such as ECONNREFUSED. */
  | { kind: 'error'; host: string; code: string };

const maxRedirects = 3;
const maxBodyBytes = 64 * 1024;
/** The time limit for the body of a response, which only explains the status. */
const maxBodyMs = 2000;

/** These redirects ask for the same request at another URL; the others turn a POST into a GET. */
const repeatingRedirects = new Set([307, 308]);

const blocked = (code: 'address' | 'private' | 'redirect', why: string): HttpResult => ({ kind: 'blocked', code, why });

const refusals = {
  form: 'This is not an address that can be called.',
  scheme: 'Only addresses that begin with https:// or http:// are called.',
  credentials: 'The address holds a user or a password; send it in a header.',
} as const;

/** The URL as a browser reads it, or why it cannot be used. */
export function parseTarget(text: string, base?: URL): URL | HttpResult {
  const parsed = parseWebUrl(text, base);
  return parsed.kind === 'url' ? parsed.url : blocked('address', refusals[parsed.fault]);
}

/** Names of this machine, whatever a resolver answers (RFC 6761, 6.3). */
const isThisMachine = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

@Injectable()
export class HttpClient {
  private readonly allowed: AllowList;

  constructor(
    { outboundAllow }: NotifierSettings,
    private readonly resolver: Resolver,
  ) {
    this.allowed = parseAllowList(outboundAllow);
  }

  async post(post: Post): Promise<HttpResult> {
    const signal = AbortSignal.timeout(post.timeoutMs);
    let url = parseTarget(post.url);
    let headers = { ...post.headers, ...post.authorHeaders };
    for (let redirects = 0; ; redirects++) {
      if ('kind' in url) return url;
      const { result, location } = await this.postOnce(url, headers, post, signal);
      if (result.kind !== 'response' || !repeatingRedirects.has(result.status)) return result;
      if (redirects === maxRedirects)
        return blocked('redirect', `The address redirects more than ${maxRedirects} times.`);
      const to =
        location === null
          ? blocked('redirect', 'The address redirects without saying where to.')
          : parseTarget(location, url);
      if (!('kind' in to) && url.protocol === 'https:' && to.protocol === 'http:')
        return blocked('redirect', 'The address redirects from https to http.');
      if (!('kind' in to) && to.origin !== url.origin) headers = post.headers;
      url = to;
    }
  }

  /** Follows no redirect. */
  private async postOnce(
    url: URL,
    headers: Record<string, string>,
    { body, timeoutMs }: Post,
    signal: AbortSignal,
  ): Promise<{ result: HttpResult; location: string | null }> {
    const host = url.host;
    let client: Client | null = null;
    try {
      const addresses = await within(signal, this.addressesOf(url));
      if (addresses === null) {
        return {
          result: blocked(
            'private',
            `${host} is in a private network or this one; such targets are called only if the operator allows them.`,
          ),
          location: null,
        };
      }
      client = this.clientFor(url, addresses, timeoutMs);
      const response = await client.request({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers,
        body,
        signal,
      });
      const text = await beginningOf(response.body);
      const result: HttpResult = {
        kind: 'response',
        host,
        status: response.statusCode,
        retryAfter: headerOf(response, 'retry-after'),
        text,
      };
      return { result, location: headerOf(response, 'location') };
    } catch (error) {
      return { result: { kind: 'error', host, code: signal.aborted ? 'TIMEOUT' : codeOf(error) }, location: null };
    } finally {
      await client?.destroy();
    }
  }

  /** `null` when a connection to one of them is not allowed. Rejects when the name has no address. */
  private async addressesOf(url: URL): Promise<string[] | null> {
    const { allowed, resolver } = this;
    const host = hostName(url.hostname.replace(/^\[|\]$/g, ''));
    if (isIP(host) !== 0) return mayConnect(host, allowed) ? [host] : null;
    const isAllowed = allowed.hosts.has(host);
    if (!isAllowed && isThisMachine(host)) return null;
    const addresses = await (isAllowed ? resolver.onThisMachine(host) : resolver.inDns(host));
    if (addresses.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
    return isAllowed || addresses.every((address) => mayConnect(address, allowed)) ? addresses : null;
  }

  /** A client that connects to these addresses only. Certificates are checked against the name. */
  private clientFor(url: URL, addresses: readonly string[], timeoutMs: number): Client {
    const known = addresses.map((address) => ({ address, family: isIP(address) }));
    const lookup: LookupFunction = (_host, options, callback) => {
      const wanted = known.filter(({ family }) => !options.family || options.family === family);
      if (options.all) return callback(null, wanted);
      return wanted[0]
        ? callback(null, wanted[0].address, wanted[0].family)
        : callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 4);
    };
    return new Client(url.origin, {
      connect: { lookup, timeout: timeoutMs, rejectUnauthorized: true },
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1000,
      // The signal of the request is the only time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }
}

function headerOf(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** Rejects when the signal aborts first. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The body within the limits. A body that breaks off counts as a short one. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), maxBodyMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBodyBytes - size));
      size += chunk.length;
      if (size >= maxBodyBytes) break;
    }
  } catch {
    // The received part is used.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Node puts the errors of all addresses of a name into one error. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? 'ERROR';
}
