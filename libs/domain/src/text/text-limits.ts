/** Checks of text: whether it has visible characters, and whether it exceeds a number of characters or bytes; and cuts. */

const visible = /\S/;

export const isBlank = (text: string): boolean => !visible.test(text);

/** The number of characters (code points, as PostgreSQL counts them) is over the limit. */
export function exceedsCharacters(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let pairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) pairs++;
  }
  return text.length - pairs > limit;
}

/** The number of bytes in UTF-8 is over the limit. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length * 3 <= limit) return false;
  return text.length > limit || Buffer.byteLength(text) > limit;
}

const ellipsis = '…';
const ellipsisBytes = 3;

/** The text if it fits, otherwise its beginning with an ellipsis. Never cuts within a code point. */
export const cutToCharacters = (text: string, limit: number): string =>
  exceedsCharacters(text, limit) ? `${[...text.slice(0, 2 * limit)].slice(0, limit - 1).join('')}${ellipsis}` : text;

/** The same for bytes in UTF-8. The text must be storable: an unpaired surrogate would need more bytes when stored. */
export function cutToBytes(text: string, limit: number): string {
  if (!exceedsBytes(text, limit)) return text;
  const beginning = Buffer.from(text.slice(0, limit)).subarray(0, limit - ellipsisBytes);
  // A partial character decodes as U+FFFD.
  return `${beginning.toString().replace(/\uFFFD$/, '')}${ellipsis}`;
}
