/** Text that PostgreSQL can store: without U+0000 and without unpaired surrogates. */

/** With the u flag, the class matches unpaired surrogates only. */
const everyUnstorable = /[\0\uD800-\uDFFF]/gu;

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The text with U+FFFD in place of every character that cannot be stored. */
export const storable = (text: string): string => (isStorable(text) ? text : text.replace(everyUnstorable, '\uFFFD'));

/** A JSON value with U+FFFD in place of every character that cannot be stored, in texts and in field names. */
export function storableValue<T>(value: T): T {
  if (typeof value === 'string') return storable(value) as T;
  if (Array.isArray(value)) return value.map(storableValue) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, below]) => [storable(name), storableValue<unknown>(below)]),
  ) as T;
}

/** The value as JSON with U+FFFD in place of every character that cannot be stored; JSON writes these as escapes. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\\\|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, (escape) =>
    escape === '\\\\' ? escape : '\\ufffd',
  );

export interface UnstorableText {
  /** The path, such as `contacts[1].name`; for a field name, the path of its object. Empty for the value itself. */
  path: string;
  in: 'text' | 'name';
}

/**
 * The first `most` texts in a value that cannot be stored, including field names. Not recursive, because a body may be
 * nested deeply.
 */
export function unstorableTexts(value: unknown, most: number): UnstorableText[] {
  const found: UnstorableText[] = [];
  const waiting: [path: string, value: unknown][] = [['', value]];
  for (let next = waiting.pop(); next !== undefined && found.length < most; next = waiting.pop()) {
    const [path, below] = next;
    if (typeof below === 'string') {
      if (!isStorable(below)) found.push({ path, in: 'text' });
    } else if (Array.isArray(below)) {
      for (let i = below.length - 1; i >= 0; i--) waiting.push([`${path}[${i}]`, below[i]]);
    } else if (typeof below === 'object' && below !== null) {
      for (const name of Object.keys(below).reverse()) {
        if (!isStorable(name)) found.push({ path, in: 'name' });
        else waiting.push([path === '' ? name : `${path}.${name}`, (below as Record<string, unknown>)[name]]);
      }
    }
  }
  return found;
}
