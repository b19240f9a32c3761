/**
 * JSON with one text for each value, as RFC 8785: without spaces, the properties of each object in the order of their
 * names in UTF-16, numbers and strings as ECMAScript writes them.
 *
 * `value` is what `JSON.parse` returns. Properties that are undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  let text = '';
  // The default order of `sort` is that of UTF-16.
  for (const name of Object.keys(value).sort()) {
    const content = (value as Record<string, unknown>)[name];
    if (content !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(content)}`;
  }
  return `{${text}}`;
}
