/**
 * E-mail (RFC 5322), in plain text and in HTML, with the most important facts first. Mails about one incident, or about
 * one alert without an incident, are one thread.
 */
import type { Notice, SendRequest } from '@ams/contracts';
import { parseEmailAddress } from '@ams/domain';
import type { Hop } from '../attempts/attempt-limiter.js';
import { permanentFailure } from '../attempts/attempt-result.js';
import type { EmailMessage } from '../mail/email-message.js';
import { cut, oneLine } from '../messages/clean-text.js';
import { html, type Markup } from '../messages/markup.js';
import { summaryOf, type Action, type Annotation, type Fact, type Summary } from '../messages/summary.js';
import type { NotifierSettings } from '../settings.js';
import type { ChannelSender } from './channel-sender.js';

export const email: ChannelSender<'email'> = ({ notificationId, notice, event }, recipient, { settings, mail }) => {
  const target = maskedAddress(recipient.address);
  const impossible = (code: string, why: string) => ({
    target,
    hops: [],
    attempt: () => Promise.resolve(permanentFailure(code, why, 'unknown')),
  });
  const { from } = mail;
  if (from === null) {
    return impossible('unset', 'This installation has no mail server: the operator has to set SMTP_URL.');
  }
  // Any other text than a plain address could be read as several addresses, or as an SMTP command.
  const address = parseEmailAddress(recipient.address);
  if (address === null) return impossible('address', 'This is not an address that mail can be sent to.');
  return {
    target,
    hops: mailHops(settings, address.domain),
    attempt: () => mail.send(emailMessage(notificationId, recipient, notice, from, event)),
  };
};

/** What a mail passes on its way, with the limit of each. */
export const mailHops = (
  { mailConnections, concurrencyPerTarget }: Pick<NotifierSettings, 'mailConnections' | 'concurrencyPerTarget'>,
  domain: string,
): Hop[] => [
  { key: 'mail server', limit: mailConnections, name: 'The mail server', role: 'relay' },
  { key: `mail ${domain}`, limit: concurrencyPerTarget, name: `Mail to ${domain}`, role: 'target' },
];

/** `m…@example.com`: enough to recognize a mail in the log, not enough to send one. */
export const maskedAddress = (address: string): string =>
  `${address.slice(0, 1)}…@${address.slice(address.lastIndexOf('@') + 1).toLowerCase()}`;

/** The domain of MAIL_FROM, such as `alerts@example.com` or `Alerts <alerts@example.com>`. */
export const hostOf = (from: string): string => /@([^@<>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

/** Characters that a Message-ID may not hold are left out (RFC 5322, 3.6.4). */
export const messageIdOf = (id: string, host: string): string => `<${id.replace(/[^A-Za-z0-9._-]/g, '')}@${host}>`;

/** Every attempt of a notification makes the same mail, so that mail programs recognize a repetition. */
export function emailMessage(
  notificationId: string,
  to: { address: string; name: string | null },
  notice: Notice,
  from: string,
  event: SendRequest['event'] | null = null,
): EmailMessage {
  const summary = summaryOf(notice, event);
  const thread = notice.incident?.id ?? notice.alert?.incidentId ?? notice.alert?.id ?? notificationId;
  const threadId = messageIdOf(thread, hostOf(from));
  return {
    to: { name: cut(oneLine(to.name ?? ''), 100), address: to.address },
    subject: summary.headline,
    text: plainText(summary),
    html: page(summary).text,
    messageId: messageIdOf(notificationId, hostOf(from)),
    inReplyTo: threadId,
    references: threadId,
    priority: summary.badge === 'CRITICAL' ? 'high' : 'normal',
    headers: {
      // No automatic replies: RFC 3834, and the header that Exchange reads.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Entity-Ref-ID': thread,
    },
  };
}

const testMark = 'This comes from the test environment.';

const section = (title: string, lines: string[]): string | null =>
  lines.length === 0 ? null : [`${title}:`, ...lines.map((text) => `  ${text}`)].join('\n');
const written = ({ name, value }: Fact): string => `${name}: ${value}`;

function plainText({
  badge,
  title,
  facts,
  message,
  description,
  otherAlerts,
  labels,
  annotations,
  actions,
  reason,
  isTest,
}: Summary): string {
  const head = [isTest ? testMark : null, badge, title, ...facts.map(written)]
    .filter((text) => text !== null)
    .join('\n');
  const parts = [
    head,
    actions.map(({ label, href }) => `${label}: ${href}`).join('\n'),
    message,
    description,
    section('Other open alerts of the incident', otherAlerts),
    section('Labels', labels.map(written)),
    section(
      'Annotations',
      annotations.map(({ name, value, href }) => `${name}: ${href ?? value}`),
    ),
    reason === '' ? null : `-- \n${reason}`,
  ];
  return `${parts.filter((part) => part !== null && part !== '').join('\n\n')}\n`;
}

// The mail program chooses the colours of text, links and page. Grey and the buttons are readable on light and dark.
const grey = 'color:#767676';
const cell = 'padding:2px 12px 2px 0;vertical-align:top;text-align:left;font-weight:normal';

const lines = (text: string): Markup[] =>
  text.split('\n').map((one, index) => (index === 0 ? html`${one}` : html`<br>${one}`));
const link = (href: string, words: string): Markup =>
  html`<a href="${href}" style="color:inherit;word-break:break-word">${words}</a>`;
const valueCell = (value: string | Markup): Markup => html`<td style="${cell};word-break:break-word">${value}</td>`;
const row = ({ name, value, href }: Fact & Partial<Annotation>): Markup =>
  html`<tr><th style="${cell};${grey}">${name}</th>${valueCell(href ? link(href, value) : value)}</tr>`;
const table = (facts: Fact[]): Markup =>
  html`<table role="presentation" style="border-collapse:collapse;font-size:15px">${facts.map(row)}</table>`;
const small = (title: string): Markup => html`<p style="margin:20px 0 4px;${grey}">${title}</p>`;
const titled = (title: string, facts: Fact[]): Markup | null =>
  facts.length === 0 ? null : html`${small(title)}${table(facts)}`;
const pressable =
  'display:inline-block;margin:0 8px 8px 0;padding:10px 18px;border-radius:6px;' +
  'background:#1c5fb8;color:#ffffff;text-decoration:none;font-weight:600';
const button = ({ label, href }: Action): Markup => html`<a href="${href}" style="${pressable}">${label}</a>`;

const bullets = (title: string, texts: string[]): Markup =>
  html`${small(title)}<ul style="margin:0;padding-left:20px">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
const testParagraph = html`<p style="margin:0 0 8px;font-weight:600">${testMark}</p>`;
const schemeStyle = html`<style>:root{color-scheme:light dark}</style>`;
const colourSchemeNames = ['color-scheme', 'supported-color-schemes'];
const colourSchemeTags = colourSchemeNames.map((name) => html`<meta name="${name}" content="light dark">`);
const colourScheme = html`${colourSchemeTags}${schemeStyle}`;

function page({
  headline,
  badge,
  title,
  facts,
  message,
  description,
  otherAlerts,
  labels,
  annotations,
  actions,
  reason,
  colour,
  isTest,
}: Summary): Markup {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
${colourScheme}<title>${headline}</title></head>
<body style="margin:0;padding:16px;font:16px/1.45 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:640px;border-left:6px solid ${colour};padding-left:16px">
${isTest ? testParagraph : null}${badge === null ? null : html`<p style="margin:0;font-weight:700">${badge}</p>`}
<h1 style="margin:0 0 12px;font-size:20px;word-break:break-word">${title}</h1>
${table(facts)}
${actions.length === 0 ? null : html`<p style="margin:16px 0 0">${actions.map(button)}</p>`}
${message === null ? null : html`<p style="margin:16px 0;font-weight:600">${lines(message)}</p>`}
${description === null ? null : html`<p style="margin:16px 0;word-break:break-word">${lines(description)}</p>`}
${otherAlerts.length === 0 ? null : bullets('Other open alerts of the incident', otherAlerts)}
${titled('Labels', labels)}${titled('Annotations', annotations)}
<p style="margin:24px 0 0;font-size:13px;${grey}">${reason}</p>
</div></body></html>
`;
}
