/**
 * A notice for an incoming webhook of Mattermost: one attachment, which has a colour, fields and a text in Markdown.
 *
 * https://developers.mattermost.com/integrate/reference/message-attachments/
 * https://developers.mattermost.com/integrate/webhooks/incoming/ (a post has at most 16,383 characters)
 */
import { cut } from '../clean-text.js';
import type { Summary } from '../summary.js';
import { linesWithin, markdown, markdownFact, markdownLink } from './markdown.js';

const limits = { headline: 600, message: 3000, description: 3000, lines: 2500, links: 3500, value: 300, footer: 300 };

/** The body of the POST, as a value. Pure. */
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
