/**
 * Makes texts of senders safe to show to people. Everybody who can raise an alert chooses its title: the title must not
 * start a new header or line, change the direction of the following text, or hide text. Escaping for HTML or a chat
 * happens after this.
 */
import { maxUrlLength, parseWebUrl } from '@ams/domain';

/** Direction marks (Unicode Bidirectional Algorithm, UAX #9), zero-width spaces and tag characters. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const wellFormed = (text: string): string => text.toWellFormed().replace(invisible, '');

/** On one line: every run of white space and control characters is a space. */
export const oneLine = (text: string): string =>
  wellFormed(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** Lines end with \n, at most one is empty between two others; other control characters are spaces. */
export const manyLines = (text: string): string =>
  wellFormed(text)
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The text, or its beginning and `…`. `max` is at least 1, in UTF-16 code units; no character is split. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  return `${(/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept).trimEnd()}…`;
}

/** The text, escaped, with at most `max` UTF-16 code units after that; no escape is split. */
export function cutEscaped(text: string, max: number, escape: (text: string) => string): string {
  for (let room = max; ;) {
    const escaped = escape(cut(text, room));
    if (escaped.length <= max || room === 1) return escaped;
    // No escape is longer than eight characters, so removing an eighth of the excess never removes too much.
    room = Math.max(1, Math.min(room, text.length) - Math.max(1, (escaped.length - max) >> 3));
  }
}

/** The URL as a browser writes it, if it is http or https; `null` for anything else, such as `javascript:`. */
export function webAddress(text: string): string | null {
  const trimmed = text.trim();
  const parsed = /^https?:\/\//i.test(trimmed) ? parseWebUrl(trimmed) : null;
  return parsed?.kind === 'url' && parsed.url.href.length <= maxUrlLength ? parsed.url.href : null;
}
