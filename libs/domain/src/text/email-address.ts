/**
 * The one rule for e-mail addresses, for storing and for sending: an accepted address can be passed to an SMTP server,
 * whether or not a mailbox exists.
 *
 * One address without a display name, as in RFC 5321, with internationalized addresses (RFC 6531): the local part may
 * contain letters, marks and digits of any script, and the domain must have an ASCII form by IDNA. Quoted local parts
 * and IP addresses as domains are rejected. As in HTML's e-mail input, a dot may be anywhere in the local part, and a
 * domain of one label (`ops@mailhost`) is allowed for hosts of the operator's network.
 */
import { domainToASCII } from 'node:url';
import { exceedsBytes } from './text-limits.js';

export const emailLimits = {
  /** Bytes of the address with its domain in ASCII (RFC 5321, 4.5.3.1.3, without the brackets). */
  address: 254,
  /** Bytes of the local part (RFC 5321, 4.5.3.1.1). */
  localPart: 64,
} as const;

/** `_ams-verify.` and the domain together are a name in the DNS (RFC 1035, 3.1: 255 bytes with the lengths of labels). */
const longestMailDomain = 240;

export interface EmailAddress {
  localPart: string;
  /** In ASCII and lower case. */
  domain: string;
}

const localPartForm = /^(?:[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]|[^\0-\x7f])+$/;
const otherScripts = /^[\p{L}\p{M}\p{N}]*$/u;
const asciiOnly = /^[\0-\x7f]*$/;

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domainForm = new RegExp(`^${label}(?:\\.${label})*$`);
const numericLabel = /(?:^|\.)\d+$/;

/**
 * The domain in ASCII, or null. IDNA also maps some characters that are not letters, such as U+3002 to a dot, so only
 * letters, marks and digits are allowed here.
 */
function asciiDomain(domain: string): string | null {
  const ascii = asciiOnly.test(domain)
    ? domain.toLowerCase()
    : /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)
      ? domainToASCII(domain)
      : '';
  return domainForm.test(ascii) && !numericLabel.test(ascii) ? ascii : null;
}

/** The parts of an address; null when the text is not an address. */
export function parseEmailAddress(text: string): EmailAddress | null {
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(0, at));
  if (!localPartForm.test(localPart) || !otherScripts.test(localPart.replace(/[\0-\x7f]/g, ''))) return null;
  if (exceedsBytes(localPart, emailLimits.localPart)) return null;
  const domain = asciiDomain(text.slice(at + 1));
  if (domain === null || exceedsBytes(`${localPart}@${domain}`, emailLimits.address)) return null;
  return { localPart, domain };
}

export const isEmailAddress = (value: unknown): value is string =>
  typeof value === 'string' && parseEmailAddress(value) !== null;

/** A domain with at least two labels, in ASCII and lower case; null when the text is none. */
export function parseMailDomain(text: string): string | null {
  const domain = asciiDomain(text);
  return domain !== null && domain.includes('.') && domain.length <= longestMailDomain ? domain : null;
}
