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

/** The distinct texts of a list, joined by ", ". Other values unchanged. */
export function joined(list: unknown, meter: Meter): unknown {
  if (!Array.isArray(list)) return list;
  const texts = new Set<string>();
  for (const value of list as readonly unknown[]) {
    if (meter.left < 0) return undefined;
    const text = textOf(value, meter);
    if (text !== undefined && text.trim() !== '') texts.add(text);
  }
  return texts.size === 0 ? undefined : [...texts].join(', ');
}

const maxDepth = 256;

/** Stands for JSON that is nested too deeply, or whose cost is over the limit. */
export const unwritable = '…';

/** An object or list as JSON. Its cost is its size. */
function jsonText(value: object, meter: Meter): string {
  const parts = countParts(value, 0);
  if (parts === Infinity) return unwritable;
  meter.left -= parts;
  return meter.left < 0 ? unwritable : JSON.stringify(value);
}

/** The number of values, and of characters of keys and strings. Infinity when it is nested too deeply. */
function countParts(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (depth > maxDepth) return Infinity;
  const keys = Object.keys(value);
  let parts = 1 + keys.length;
  for (let i = 0; i < keys.length && parts < Infinity; i++)
    parts += keys[i]!.length + countParts((value as Record<string, unknown>)[keys[i]!], depth + 1);
  return parts;
}
