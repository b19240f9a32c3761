/**
 * Mails about accounts: an invitation, a new password, a change of the password, the verification of an address. In plain
 * text and in HTML.
 */
import type { AccountMail } from '@ams/contracts';
import { hostOf, messageIdOf } from '../channels/email.js';
import type { EmailMessage } from '../mail/email-message.js';
import { cut, oneLine } from '../messages/clean-text.js';
import { html, type Markup } from '../messages/markup.js';

const maxNameLength = 100;

interface Words {
  subject: string;
  lines: string[];
  button: string | null;
}

/** The texts of people are on one line and cut: an invitation must not become a letter of somebody else. */
function wordsOf({ purpose, organizationName, requestedBy, to }: AccountMail): Words {
  const organization = cut(oneLine(organizationName ?? ''), maxNameLength);
  const by = requestedBy === null ? null : cut(oneLine(requestedBy), maxNameLength);
  switch (purpose) {
    case 'invitation':
      return {
        subject: `You are invited to ${organization}`,
        lines: [
          by === null
            ? `You are invited to the alert management of ${organization}.`
            : `${by} invites you to the alert management of ${organization}.`,
          'Open the link to choose a password and sign in.',
        ],
        button: 'Accept the invitation',
      };
    case 'password_reset':
      return {
        subject: 'Choose a new password',
        lines: [
          `Somebody asked for a new password for the account of ${to.address}.`,
          'If it was not you, ignore this mail: your password stays as it is.',
        ],
        button: 'Choose a new password',
      };
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        lines: [
          `The password of the account of ${to.address} was changed, and its sessions were ended.`,
          'If it was not you, ask for a new password on the sign-in page at once, and tell an owner of your organization.',
        ],
        button: null,
      };
    case 'recipient_verification':
      return {
        subject: `${organization} wants to send alerts to this address`,
        lines: [
          `${by === null ? organization : `${by} of ${organization}`} wants to send alerts by mail to ${to.address}.`,
          'If you want to get them, open the link and confirm. If not, ignore this mail: nothing is sent.',
        ],
        button: 'Confirm the address',
      };
  }
}

const untilOf = (expiresAt: string | null): string | null =>
  expiresAt === null
    ? null
    : `The link can be used once, until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC. Do not pass it on.`;

/** Every attempt has another link, and the same Message-ID. */
export function accountEmail(mail: AccountMail, from: string): EmailMessage {
  const { subject, lines, button } = wordsOf(mail);
  const { link } = mail;
  const until = untilOf(mail.expiresAt);
  const text = [...lines, link === null || button === null ? null : `${button}: ${link}`, until].filter(
    (line) => line !== null,
  );
  return {
    to: { name: cut(oneLine(mail.to.name ?? ''), maxNameLength), address: mail.to.address },
    subject,
    text: `${text.join('\n\n')}\n`,
    html: pageOf(subject, lines, link === null || button === null ? null : { href: link, label: button }, until).text,
    messageId: messageIdOf(mail.id, hostOf(from)),
    priority: 'normal',
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

const pressable =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1c5fb8;color:#ffffff;' +
  'text-decoration:none;font-weight:600';

const pageOf = (
  subject: string,
  lines: string[],
  button: { href: string; label: string } | null,
  until: string | null,
): Markup => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="margin:0;padding:16px;font:16px/1.45 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:640px"><h1 style="margin:0 0 12px;font-size:20px;word-break:break-word">${subject}</h1>
${lines.map((line) => html`<p style="margin:0 0 12px;word-break:break-word">${line}</p>`)}
${button === null ? null : html`<p style="margin:16px 0"><a href="${button.href}" style="${pressable}">${button.label}</a></p>`}
${until === null ? null : html`<p style="margin:24px 0 0;font-size:13px;color:#767676">${until}</p>`}
</div></body></html>
`;
