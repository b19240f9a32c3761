/** Texts as they can be stored and shown, whatever a sender sent. */

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair; with the u flag the class matches lone halves only. */
const unstorable = /[\0\uD800-\uDFFF]/u;
const everyUnstorable = /[\0\uD800-\uDFFF]/gu;

/** The text with U+FFFD for every character that cannot be stored. */
export const storable = (text: string): string =>
  unstorable.test(text) ? text.replace(everyUnstorable, '\uFFFD') : text;

const visible = /\S/;

export const isBlank = (text: string): boolean => !visible.test(text);

/** A string, a number or a boolean as text; undefined for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/**
 * What one payload may still cost: roughly one unit for a key looked at or eight characters handled. Whoever handles
 * many values stops when it is below zero; what was produced by then is not used.
 */
export interface Meter {
  left: number;
}

/** A scalar as text, an object or a list as JSON, undefined for what is not there. */
export function textOf(value: unknown, meter: Meter): string | undefined {
  const text = typeof value === 'object' && value !== null ? jsonText(value, meter) : scalarText(value);
  if (text !== undefined) meter.left -= text.length >>> 3;
  return text;
}

/** Parts (values, and characters of keys and strings) over which a value is not written as JSON: no field holds that. */
const maxParts = 32_768;
const maxDepth = 256;

/** Stands for JSON that is too large or nested too deep to write: longer than any field, so it is refused as such. */
const tooLong = '…'.repeat(maxParts);

/** An object or a list as JSON, at a cost that its size bounds and the limits above bound. */
function jsonText(value: object, meter: Meter): string {
  const parts = countParts(value, 0);
  meter.left -= parts;
  return parts > maxParts ? tooLong : JSON.stringify(value);
}

function countParts(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (depth > maxDepth) return maxParts + 1;
  const keys = Object.keys(value);
  let parts = 1 + keys.length;
  for (let i = 0; i < keys.length && parts <= maxParts; i++) {
    parts += keys[i]!.length + countParts((value as Record<string, unknown>)[keys[i]!], depth + 1);
  }
  return parts;
}

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
