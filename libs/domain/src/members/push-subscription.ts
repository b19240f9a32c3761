/**
 * What a browser gives for push messages (Push API, RFC 8030 and RFC 8291). Everybody who knows the endpoint can try to
 * send to it, so the whole is a secret. Whether its host is allowed is decided when a message is sent, because names can
 * resolve to other addresses later.
 */
import { parseWebUrl } from '../text/web-url.js';

export interface PushSubscription {
  endpoint: string;
  keys: {
    /** The public key of the browser: a point of P-256, not compressed, base64url. */
    p256dh: string;
    /** 16 bytes, base64url. */
    auth: string;
  };
}

/** Characters. Those of browsers have 150 to 600. */
export const maxEndpointLength = 1_024;

export const pushKeyPatterns = { p256dh: /^B[A-P][A-Za-z0-9_-]{85}$/, auth: /^[A-Za-z0-9_-]{22}$/ } as const;

const thisMachine = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why the endpoint cannot be used; null when it can. http only to this machine, for push services of tests. */
export function pushEndpointFault(text: unknown): string | null {
  if (typeof text !== 'string') return 'must be a URL';
  if (text.length > maxEndpointLength) return `must be at most ${maxEndpointLength} characters`;
  const parsed = parseWebUrl(text);
  if (parsed.kind === 'fault')
    return parsed.fault === 'credentials' ? 'must not contain a user or a password' : 'must be a URL';
  const { protocol, hostname, hash } = parsed.url;
  if (hash !== '') return 'must not have a fragment';
  return protocol === 'https:' || thisMachine.has(hostname) ? null : 'must begin with https://';
}
