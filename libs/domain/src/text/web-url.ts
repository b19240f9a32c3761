/**
 * URLs of chats and webhooks that users configure. Whether their host is allowed is decided at the time of the request,
 * because names can resolve to other addresses later.
 */

/** Characters. */
export const maxUrlLength = 2_048;

export type WebUrl =
  | { kind: 'url'; url: URL }
  /** `form`: not a URL; `scheme`: neither http nor https; `credentials`: it holds a user or a password. */
  | { kind: 'fault'; fault: 'form' | 'scheme' | 'credentials' };

const fault = (fault: 'form' | 'scheme' | 'credentials'): WebUrl => ({ kind: 'fault', fault });

/** `base` is the base of a relative URL, as in a redirect. */
export function parseWebUrl(text: string, base?: URL): WebUrl {
  // URL removes white space, so the stored text would differ from the requested URL.
  if ((base === undefined && /\s/.test(text)) || !URL.canParse(text, base?.href)) return fault('form');
  const url = new URL(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fault('scheme');
  return url.username !== '' || url.password !== '' ? fault('credentials') : { kind: 'url', url };
}
