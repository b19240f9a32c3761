/** The Markdown of Mattermost and Discord. Texts of senders are escaped, so only our own Markdown has an effect. */
import { cutEscaped } from './clean-text.js';
import { mentionless } from './mentions.js';
import type { Action, Annotation, Fact } from './summary.js';

/** A backslash before each mark; both chats remove it. `<` begins mentions in Discord. */
export const markdownText = (text: string): string => mentionless(text.replace(/[\\`*_~[\]()#+\-!|<>]/g, '\\$&'));

export const markdown = (text: string, max: number): string => cutEscaped(text, max, markdownText);

/** `[text](URL)`; a bracket would end the URL. */
export const markdownLink = ({ label, href }: Action): string =>
  `[${markdown(label, 120)}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`;

export const markdownFact = ({ name, value, href = null }: Fact & Partial<Annotation>): string =>
  href === null ? `${markdown(name, 120)}: ${markdown(value, 500)}` : markdownLink({ label: name, href });

/** The first lines that fit, then `…` for the others. Lines are not cut, because they hold links. */
export function linesWithin(lines: string[], max: number): string {
  const kept: string[] = [];
  let room = max;
  for (const line of lines) {
    if (line.length + 3 > room) return [...kept, '…'].join('\n');
    kept.push(line);
    room -= line.length + 1;
  }
  return kept.join('\n');
}
