/**
 * Requests of auth to the notifier: mails about an account, with a link that can be used once. They are no notifications:
 * no list has them, and they are sent from the live environment only. auth schedules the attempts.
 */
import { serviceRequest } from './service-request.js';
import type { SendReply } from './notifier.js';

export interface AccountMail {
  /** A part of the Message-ID, equal for each attempt. */
  id: string;
  to: { address: string; name: string | null };
  purpose: 'invitation' | 'password_reset' | 'password_changed' | 'recipient_verification';
  /** Null: the mail is about the person, not about an organization. */
  organizationName: string | null;
  /** Who caused the mail, for its text. */
  requestedBy: string | null;
  /** With the token. Null: the mail only tells something. */
  link: string | null;
  /** RFC 3339; null without a link. */
  expiresAt: string | null;
}

export const accountMailRequest = serviceRequest<AccountMail, SendReply>('cmd.notifier.account');
