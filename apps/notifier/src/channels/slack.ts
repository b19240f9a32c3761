/**
 * Slack, by an incoming webhook: a line of text, and blocks in an attachment, which gives them a colour. Texts of
 * senders are in `plain_text`, where nothing is formatted, linked or mentioned; only links need `mrkdwn`.
 *
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * https://docs.slack.dev/reference/block-kit/blocks (3,000 characters a section, ten fields of 2,000)
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
import { cut, cutEscaped } from '../messages/clean-text.js';
import { mentionless } from '../messages/mentions.js';
import type { Action, Fact, Summary } from '../messages/summary.js';
import { chat } from './chat.js';

const maxSection = 3000;
const maxField = 200;
/** The limit of texts that only explain. An e-mail shows them in full. */
const maxDescription = 2000;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** For `mrkdwn`. It has no escape for the marks of bold, italic and code: a zero-width space removes their effect. */
export const slackText = (text: string): string =>
  mentionless(text).replace(/[&<>*_~`]/g, (character) => escapes[character] ?? `\u200b${character}`);

/** `<URL|text>`; a bar would end the URL. */
const address = (href: string): string =>
  href.replaceAll('|', '%7C').replace(/[&<>]/g, (character) => escapes[character]!);
const link = ({ label, href }: Action): string => `<${address(href)}|${cutEscaped(label, 100, slackText)}>`;

const plain = (text: string, max: number) => ({ type: 'plain_text', text: cut(text, max), emoji: false });
const section = (text: string | null, max = maxSection) =>
  text === null || text === '' ? [] : [{ type: 'section', text: plain(text, max) }];
const written = ({ name, value }: Fact): string => `${name}: ${value}`;

/** As many whole links as fit. */
function links(actions: Action[]) {
  let text = '';
  for (const action of actions) {
    const longer = text === '' ? link(action) : `${text}  ·  ${link(action)}`;
    if (longer.length <= maxSection) text = longer;
  }
  return text === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }];
}

export function slackMessage({
  headline,
  facts,
  message,
  description,
  otherAlerts,
  labels,
  annotations,
  actions,
  reason,
  colour,
}: Summary): object {
  const blocks = [
    ...(facts.length === 0
      ? []
      : [
          { type: 'section', fields: facts.slice(0, 10).map((fact) => plain(`${fact.name}\n${fact.value}`, maxField)) },
        ]),
    ...section(message),
    ...section(description, maxDescription),
    ...section(otherAlerts.length === 0 ? null : ['Other open alerts:', ...otherAlerts].join('\n')),
    ...section([...labels, ...annotations.filter(({ href }) => href === null)].map(written).join('\n')),
    ...links(annotations.flatMap(({ name, href }) => (href === null ? [] : [{ label: name, href }]))),
    ...links(actions),
    ...(reason === '' ? [] : [{ type: 'context', elements: [plain(reason, maxDescription)] }]),
  ];
  return { text: slackText(headline), unfurl_links: false, attachments: [{ color: colour, blocks }] };
}

export const slack = chat(slackMessage);
