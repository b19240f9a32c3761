/**
 * Texts of senders, made fit to be shown to people. Whoever can raise an alert chooses its title: nothing in it may begin
 * another header or line, turn the direction of what follows, or hide. Escaping for HTML or a chat comes after this.
 */
import { maxUrlLength, parseWebUrl } from '@ams/domain';

/** Marks that turn the direction of writing (Unicode Bidirectional Algorithm, UAX #9), spaces without width, and tag characters. */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const wellFormed = (text: string): string => text.toWellFormed().replace(unseen, '');

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

/** The text, or its beginning and `…`; `max` (1 at least) in UTF-16 code units, never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  return `${(/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept).trimEnd()}…`;
}

/** The text, escaped, and cut so that what comes out has at most `max` UTF-16 code units: escapes are never cut in two. */
export function cutEscaped(text: string, max: number, escape: (text: string) => string): string {
  for (let room = max; ;) {
    const escaped = escape(cut(text, room));
    if (escaped.length <= max || room === 1) return escaped;
    // No escape here is longer than eight characters, so an eighth of what is too much is never more than has to go.
    room = Math.max(1, Math.min(room, text.length) - Math.max(1, (escaped.length - max) >> 3));
  }
}

/** The address, written as a browser would, if it is one of the web; `null` for all else (`javascript:`, `mailto:`, words). */
export function webAddress(text: string): string | null {
  const trimmed = text.trim();
  const parsed = /^https?:\/\//i.test(trimmed) ? parseWebUrl(trimmed) : null;
  return parsed?.kind === 'url' && parsed.url.href.length <= maxUrlLength ? parsed.url.href : null;
}
