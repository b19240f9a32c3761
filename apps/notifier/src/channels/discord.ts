/**
 * Discord, by a webhook: a line of text, which phones show in their notification, and an embed with the rest.
 *
 * https://discord.com/developers/docs/resources/webhook#execute-webhook
 * https://discord.com/developers/docs/resources/message#embed-object-embed-limits: 256 characters for the name of a
 * field and 1,024 for its value, 25 fields, 4,096 for the description, 6,000 for all text of the embeds together.
 */
import { cut } from '../messages/clean-text.js';
import type { Summary } from '../messages/summary.js';
import { linesWithin, markdown, markdownFact, markdownLink } from '../messages/markdown.js';
import { chat } from './chat.js';

/** With ten facts, less than 6,000 together. */
const limits = {
  content: 600,
  message: 900,
  description: 1200,
  others: 500,
  links: 900,
  fact: 80,
  field: 600,
  footer: 200,
};

const field = (name: string, value: string, inline: boolean) => (value === '' ? [] : [{ name, value, inline }]);

export function discordMessage({
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
  const text = [
    message === null ? '' : markdown(message, limits.message),
    description === null ? '' : markdown(description, limits.description),
    otherAlerts.length === 0
      ? ''
      : linesWithin(['Other open alerts:', ...otherAlerts.map((other) => `- ${markdown(other, 100)}`)], limits.others),
  ];
  return {
    content: markdown(headline, limits.content),
    embeds: [
      {
        color: Number.parseInt(colour.slice(1), 16),
        ...(text.every((part) => part === '') ? {} : { description: text.filter((part) => part !== '').join('\n\n') }),
        fields: [
          ...facts.flatMap(({ name, value }) => field(name, markdown(value, limits.fact), true)),
          ...field('Labels', linesWithin(labels.map(markdownFact), limits.field), false),
          ...field('Annotations', linesWithin(annotations.map(markdownFact), limits.field), false),
          ...field('Links', linesWithin(actions.map(markdownLink), limits.links), false),
        ],
        footer: { text: cut(reason || headline, limits.footer) },
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

export const discord = chat(discordMessage);
