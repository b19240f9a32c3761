/**
 * Mattermost, by an incoming webhook: one attachment, which has a colour, fields and a text in Markdown.
 *
 * https://developers.mattermost.com/integrate/reference/message-attachments/
 * https://developers.mattermost.com/integrate/webhooks/incoming/ (a post has at most 16,383 characters)
 */
import { cut } from '../messages/clean-text.js';
import type { Summary } from '../messages/summary.js';
import { linesWithin, markdown, markdownFact, markdownLink } from '../messages/markdown.js';
import { chat } from './chat.js';

const limits = { headline: 600, message: 3000, description: 3000, lines: 2500, links: 3500, value: 300, footer: 300 };

export function mattermostMessage({
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
  const parts = [
    `**${markdown(headline, limits.headline)}**`,
    message === null ? '' : markdown(message, limits.message),
    description === null ? '' : markdown(description, limits.description),
    otherAlerts.length === 0
      ? ''
      : linesWithin(
          ['Other open alerts:', ...otherAlerts.map((other) => `- ${markdown(other, limits.value)}`)],
          limits.lines,
        ),
    linesWithin([...labels, ...annotations].map(markdownFact), limits.lines),
    linesWithin(actions.map(markdownLink), limits.links).replaceAll('\n', ' · '),
  ];
  return {
    attachments: [
      {
        fallback: headline,
        color: colour,
        text: parts.filter((part) => part !== '').join('\n\n'),
        fields: facts.map(({ name, value }) => ({ title: name, value: markdown(value, limits.value), short: true })),
        footer: cut(reason, limits.footer),
      },
    ],
  };
}

export const mattermost = chat(mattermostMessage);
