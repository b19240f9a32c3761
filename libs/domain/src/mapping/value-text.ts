/** Converts a payload value to text, at a bounded cost. */

/** A string, a number or a boolean as text; undefined for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/**
 * The remaining cost for one payload: about one unit for each key or for eight characters. Callers that process many
 * values stop when it is below zero; the results until then are discarded.
 */
export interface Meter {
  left: number;
}

/** A scalar as text, an object or list as JSON, undefined for a missing value. */
export function textOf(value: unknown, meter: Meter): string | undefined {
  const text = typeof value === 'object' && value !== null ? jsonText(value, meter) : scalarText(value);
  if (text !== undefined) meter.left -= text.length >>> 3;
  return text;
}

/**
 * The maximum number of parts (values, and characters of keys and strings) that are written as JSON; no field can hold
 * more.
 */
const maxParts = 32_768;
const maxDepth = 256;

/** Replaces JSON that is too large or too deeply nested: it is longer than any field, so it is rejected. */
const tooLong = '…'.repeat(maxParts);

/** An object or list as JSON; the cost is bounded by its size and the limits above. */
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
