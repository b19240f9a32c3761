/**
 * The way out to addresses that members of organizations chose: a POST over HTTP that cannot be turned against the network
 * this runs in. Names are resolved here, every address of a name has to be public (public-address.ts), and the connection
 * goes to the very addresses that were looked at, so that a name cannot mean another one by then. Redirects are followed by
 * hand and looked at in the same way. Each exchange has a connection of its own; no proxy is used.
 */
import { parseWebUrl } from '@ams/domain';
import { isIP, type LookupFunction } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { hostName, mayConnect, type AllowList } from './public-address.js';
import type { Resolve } from './resolver.js';

export interface Post {
  url: string;
  headers: Record<string, string>;
  /** Headers that may hold a secret of the target: sent to its origin only, not to where it redirects. */
  ownHeaders: Record<string, string>;
  body: string;
  /** For all of it: names, connections, redirects, the head of the answer. */
  timeoutMs: number;
}

export type Exchange =
  /** `retryAfter` and `text` as they came; the text is its first 64 KiB at most. */
  | { kind: 'answered'; host: string; status: number; retryAfter: string | null; text: string }
  /** Nothing was sent, and another time it would be the same. */
  | { kind: 'closed'; code: 'address' | 'private' | 'redirect'; why: string }
  /** No answer: `code` of the error, such as ECONNREFUSED. */
  | { kind: 'broken'; host: string; code: string };

export interface OutboundOptions {
  allowed: AllowList;
  resolveInDns: Resolve;
  resolveHere: Resolve;
  /** Certificates (PEM) that are trusted in the place of those of Node. */
  trusted?: string;
}

const maxRedirects = 3;
const maxAnswerBytes = 64 * 1024;
/** For the rest of an answer whose status is known: it only explains. */
const maxAnswerMs = 2000;

/** These ask for the same request at another address; the others turn a POST into a GET, which says nothing. */
const repeating = new Set([307, 308]);

const closed = (code: 'address' | 'private' | 'redirect', why: string): Exchange => ({ kind: 'closed', code, why });

const refusals = {
  form: 'This is not an address that can be called.',
  scheme: 'Only addresses that begin with https:// or http:// are called.',
  credentials: 'The address holds a user or a password; send it in a header.',
} as const;

/** The address as a browser reads it, whatever way it is spelled; or why it cannot be used. */
export function webTarget(text: string, base?: URL): URL | Exchange {
  const parsed = parseWebUrl(text, base);
  return parsed.kind === 'url' ? parsed.url : closed('address', refusals[parsed.fault]);
}

/** Names that are this machine, whatever a resolver says (RFC 6761, 6.3). */
const isThisMachine = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

export class Outbound {
  constructor(private readonly options: OutboundOptions) {}

  async post(post: Post): Promise<Exchange> {
    const signal = AbortSignal.timeout(post.timeoutMs);
    let url = webTarget(post.url);
    let headers = { ...post.headers, ...post.ownHeaders };
    for (let redirects = 0; ; redirects++) {
      if ('kind' in url) return url;
      const hop = await this.exchange(url, headers, post, signal);
      if (hop.exchange.kind !== 'answered' || !repeating.has(hop.exchange.status)) return hop.exchange;
      if (redirects === maxRedirects)
        return closed('redirect', `The address redirects more than ${maxRedirects} times.`);
      const to =
        hop.location === null
          ? closed('redirect', 'The address redirects without saying where to.')
          : webTarget(hop.location, url);
      if (!('kind' in to) && url.protocol === 'https:' && to.protocol === 'http:')
        return closed('redirect', 'The address redirects from https to http.');
      if (!('kind' in to) && to.origin !== url.origin) headers = post.headers;
      url = to;
    }
  }

  private async exchange(
    url: URL,
    headers: Record<string, string>,
    { body, timeoutMs }: Post,
    signal: AbortSignal,
  ): Promise<{ exchange: Exchange; location: string | null }> {
    const host = url.host;
    let client: Client | null = null;
    try {
      const addresses = await within(signal, this.addressesOf(url));
      if (addresses === null) {
        return {
          exchange: closed(
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
      const exchange: Exchange = {
        kind: 'answered',
        host,
        status: response.statusCode,
        retryAfter: headerOf(response, 'retry-after'),
        text,
      };
      return { exchange, location: headerOf(response, 'location') };
    } catch (error) {
      return { exchange: { kind: 'broken', host, code: signal.aborted ? 'TIMEOUT' : codeOf(error) }, location: null };
    } finally {
      await client?.destroy();
    }
  }

  /** Those that may be connected to; `null` when one of them may not. Rejects when the name has none. */
  private async addressesOf(url: URL): Promise<string[] | null> {
    const { allowed, resolveHere, resolveInDns } = this.options;
    const host = hostName(url.hostname.replace(/^\[|\]$/g, ''));
    if (isIP(host) !== 0) return mayConnect(host, allowed) ? [host] : null;
    const isAllowed = allowed.hosts.has(host);
    if (!isAllowed && isThisMachine(host)) return null;
    const addresses = await (isAllowed ? resolveHere(host) : resolveInDns(host));
    if (addresses.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
    return isAllowed || addresses.every((address) => mayConnect(address, allowed)) ? addresses : null;
  }

  /** A client that can connect to these addresses and no others; certificates are checked against the name. */
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
      connect: {
        lookup,
        timeout: timeoutMs,
        rejectUnauthorized: true,
        ...(this.options.trusted === undefined ? {} : { ca: this.options.trusted }),
      },
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1000,
      // One signal ends all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }
}

function headerOf(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** Rejects with the reason of the signal if that comes first. */
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

/** What comes of the body within the limits; a body that breaks off is as good as a short one. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), maxAnswerMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxAnswerBytes - size));
      size += chunk.length;
      if (size >= maxAnswerBytes) break;
    }
  } catch {
    // what came until then is all there is
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Node puts what happened at each address of a name into one error. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? 'ERROR';
}
