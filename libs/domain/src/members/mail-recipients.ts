/**
 * To which addresses an organization may send mails: those of its active members, and those that it has verified, each
 * by itself or with its domain. An address that refused mail for good, or whose owner complained, gets none until it is
 * verified again.
 */
import { parseEmailAddress, parseMailDomain } from '../text/email-address.js';

export const mailRecipientKinds = ['address', 'domain'] as const;
export type MailRecipientKind = (typeof mailRecipientKinds)[number];

/** `bounced` and `complained` are states of addresses only. */
export const mailRecipientStatuses = ['pending', 'verified', 'bounced', 'complained'] as const;
export type MailRecipientStatus = (typeof mailRecipientStatuses)[number];

/** How an address or a domain was verified. `earlier_use`: it was in use before there was a verification. */
export const verificationMethods = ['mail', 'dns', 'operator', 'earlier_use'] as const;
export type VerificationMethod = (typeof verificationMethods)[number];

/** The form in which addresses and domains are compared; null when the text is none. The domain is in ASCII. */
export function mailRecipientKey(kind: MailRecipientKind, text: string): string | null {
  if (kind === 'domain') return parseMailDomain(text);
  const address = parseEmailAddress(text);
  return address && `${address.localPart.toLowerCase()}@${address.domain}`;
}

/** What is known of an address when a mail is to be sent to it. */
export interface MailFacts {
  /** It is the address of an active member, or the message is for a member. */
  isMember: boolean;
  /** The status of the organization's record of the address; null: it has none. */
  address: MailRecipientStatus | null;
  /** The same for the domain of the address. */
  domain: MailRecipientStatus | null;
}

const stops = {
  bounced: 'its mail server refused the address',
  complained: 'its owner complained about mails',
} as const satisfies Partial<Record<MailRecipientStatus, string>>;

export const isStopped = (status: MailRecipientStatus | null): status is keyof typeof stops =>
  status !== null && Object.hasOwn(stops, status);

/** Why no mail is sent to the address, as the end of a sentence; null when it is sent. */
export function mailRefusal({ isMember, address, domain }: MailFacts): string | null {
  if (isStopped(address)) return `mail to the address has stopped because ${stops[address]}: verify it again`;
  if (isMember || address === 'verified' || domain === 'verified') return null;
  return 'the organization has verified neither the address nor its domain';
}

/** Under this name of a domain is the text that proves that the domain belongs to the organization. */
export const verificationNameOf = (domain: string): string => `_ams-verify.${domain}`;

/** The text of a TXT record. */
export const verificationTextOf = (token: string): string => `ams-verify=${token}`;

/** Whether one of the TXT records, each in its parts (RFC 1035, 3.3.14), is the text of the token. */
export const isProvedBy = (records: readonly (readonly string[])[], token: string): boolean =>
  records.some((parts) => parts.join('').trim() === verificationTextOf(token));
