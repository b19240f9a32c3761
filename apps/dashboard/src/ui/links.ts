/** Addresses in texts that others wrote. Only http and https become links. */
export interface TextPart {
  text: string;
  /** Null for text that is no address. */
  href: string | null;
}

const address = /\bhttps?:\/\/[^\s<>"'`\\^{|}\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu;

/** The text in parts; together they are the text again. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const found of text.matchAll(address)) {
    const url = withoutPunctuation(found[0]);
    const href = hrefOf(url);
    if (href === null) continue;
    if (found.index > at) parts.push({ text: text.slice(at, found.index), href: null });
    parts.push({ text: url, href });
    at = found.index + url.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), href: null });
  return parts;
}

/** The address when the whole text is one; otherwise null. */
export function hrefOf(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text)) return null;
  try {
    const { protocol, hostname, href } = new URL(text);
    return (protocol === 'http:' || protocol === 'https:') && hostname !== '' ? href : null;
  } catch {
    return null;
  }
}

/** A sentence may end after an address, and brackets may be around it. */
function withoutPunctuation(url: string): string {
  const open = { ')': countOf(url, '('), ']': countOf(url, '[') };
  const closed = { ')': countOf(url, ')'), ']': countOf(url, ']') };
  let end = url.length;
  for (; end > 0; end -= 1) {
    const last = url[end - 1] as string;
    if (/[.,;:!?*_~]/.test(last)) continue;
    // A bracket that was opened in the address belongs to it.
    if ((last !== ')' && last !== ']') || closed[last] <= open[last]) break;
    closed[last] -= 1;
  }
  return url.slice(0, end);
}

const countOf = (text: string, sign: string): number => text.split(sign).length - 1;
