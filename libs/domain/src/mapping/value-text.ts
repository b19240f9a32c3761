/** The text of a value in a payload, with a bound on what it costs to make it. */

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
