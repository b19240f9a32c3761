/**
 * For whom passkeys are: the host name of this installation, and the origin of its pages. Browsers know passkeys on
 * https, and on localhost; an IP address cannot have any.
 */
import { isIP } from 'node:net';

export interface RelyingParty {
  id: string;
  origin: string;
}

/** Null: the address of the installation cannot have passkeys. The address of this machine is that of localhost. */
export function relyingPartyOf(publicUrl: string | undefined): RelyingParty | null {
  if (!publicUrl) return null;
  const url = new URL(publicUrl);
  if (url.hostname === '127.0.0.1' || url.hostname === '[::1]') url.hostname = 'localhost';
  const isLocal = url.hostname === 'localhost' || url.hostname.endsWith('.localhost');
  const isAddress = isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  if (isAddress || (url.protocol !== 'https:' && !isLocal)) return null;
  return { id: url.hostname, origin: url.origin };
}

/**
 * Whether the counter of an authenticator shows that it was copied: it must rise with each signature. One that does
 * not count sends 0 each time.
 */
export const isRegression = (stored: number, sent: number): boolean => (stored > 0 || sent > 0) && sent <= stored;
