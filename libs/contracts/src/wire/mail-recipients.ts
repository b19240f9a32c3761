/** Requests about recipients of mails: what an attempt found out about an address, and what the DNS says of a domain. */
import type { Environment } from '@ams/scopes';
import { serviceRequest } from './service-request.js';

/** The workflow engine tells auth that a mail server refused an address for good. */
export interface MailRefused {
  /** A UUID. */
  organizationId: string;
  /** Of the message by which it was found. */
  environment: Environment;
  address: string;
  /** For people. */
  reason: string;
  requestId: string;
}

/** `stopped`: false when mail to the address had stopped before. */
export const mailRefusedRequest = serviceRequest<MailRefused, { stopped: boolean }>('cmd.auth.mail.refused');

/** auth asks the notifier, the only service that reaches other systems, for the TXT records of a name. */
export interface DomainTexts {
  /** In ASCII. */
  name: string;
}

/** `records`: each in its parts; none when there is no such name. `unanswered`: the DNS gave no answer. */
export type DomainTextsReply = { kind: 'found'; records: string[][] } | { kind: 'unanswered'; reason: string };

export const domainTextsRequest = serviceRequest<DomainTexts, DomainTextsReply>('cmd.notifier.domain-texts');
