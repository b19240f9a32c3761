/**
 * The credential of a request: an API key in `Authorization`, or else the session cookie of a person who is signed in. A
 * request with `Authorization` never has the rights of the cookie.
 *
 * Browsers send cookies also with requests that pages of other sites cause. So a change with the cookie must come from
 * a page of this installation: it has the header `X-CSRF-Token`, which other sites cannot know, and its `Origin` is
 * ours. The cookie is `SameSite=Lax` besides.
 */
import {
  credentialHash,
  Fault,
  invalid,
  isAccountToken,
  isApiKey,
  isCsrfToken,
  type Credential,
  type SessionChange,
} from '@ams/contracts';
import { environments, type Environment } from '@ams/scopes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf } from './parameters.js';

export interface Caller {
  credential: Credential;
  /** What only the caller knows: the key, or the token of the session. */
  secret: string;
}

/** Throws UNAUTHORIZED without a credential of the right form, and INSUFFICIENT_SCOPE for a change of another site. */
export function callerOf(request: FastifyRequest, publicUrl: string | undefined): Caller {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const key = bearerOf(authorization);
    if (key === null || !isApiKey(key)) throw new Fault('UNAUTHORIZED', null);
    return { credential: { keyHash: credentialHash(key) }, secret: key };
  }
  const token = sessionTokenOf(request, publicUrl);
  if (token === null) throw new Fault('UNAUTHORIZED', null);
  const sessionHash = credentialHash(token);
  if (isChange(request)) {
    requireOwnOrigin(request, publicUrl);
    const sent = request.headers['x-csrf-token'];
    if (typeof sent !== 'string' || !isCsrfToken(sessionHash, sent)) throw foreign('X-CSRF-Token');
  }
  return { credential: { sessionHash, environment: environmentOf(request) }, secret: token };
}

/** Throws INSUFFICIENT_SCOPE when a browser says that a page of another site causes the request. */
export function requireOwnOrigin({ headers }: FastifyRequest, publicUrl: string | undefined): void {
  const { origin, host } = headers;
  if (origin === undefined) return;
  const sent = URL.canParse(origin) ? new URL(origin) : null;
  const own = publicUrl === undefined ? null : new URL(publicUrl).origin;
  if (sent === null || (sent.origin !== own && sent.host !== host)) throw foreign('Origin');
}

const foreign = (header: string): Fault<'INSUFFICIENT_SCOPE'> =>
  new Fault(
    'INSUFFICIENT_SCOPE',
    { required: header },
    `With the session cookie, a change needs the right ${header}: it must come from a page of this installation.`,
  );

const isChange = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD';

function environmentOf({ headers }: FastifyRequest): Environment {
  const sent = headers['x-environment'];
  if (sent === undefined) return 'live';
  const environment = environments.find((name) => name === sent);
  if (!environment) throw invalid('X-Environment', 'known', `X-Environment must be ${environments.join(' or ')}.`);
  return environment;
}

const isLocal = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host);

/**
 * Browsers keep a cookie with the prefix `__Host-` only from a secure page, and no other host can set it. On this
 * machine the dashboard is used without TLS.
 */
const isPlain = ({ headers }: FastifyRequest, publicUrl: string | undefined): boolean =>
  isLocal(headers.host ?? '') && !publicUrl?.startsWith('https:');

const cookieName = (plain: boolean): string => (plain ? 'session' : '__Host-session');

/** The token in the session cookie; null without one of the right form. */
export function sessionTokenOf(request: FastifyRequest, publicUrl: string | undefined): string | null {
  const name = `${cookieName(isPlain(request, publicUrl))}=`;
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const token = cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length);
  return token !== undefined && isAccountToken(token) ? token : null;
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  change: SessionChange,
  publicUrl: string | undefined,
): void {
  const plain = isPlain(request, publicUrl);
  const [token, expires] = change === 'ended' ? ['', new Date(0)] : [change.token, new Date(change.expiresAt)];
  reply.header(
    'set-cookie',
    `${cookieName(plain)}=${token}; Path=/; Expires=${expires.toUTCString()}; HttpOnly; SameSite=Lax` +
      (plain ? '' : '; Secure'),
  );
}
