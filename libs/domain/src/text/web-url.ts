/**
 * The URLs that are called on behalf of users: chats and webhooks. Where one may lead is decided when it is called, since
 * names resolve to other addresses by then.
 */

/** Characters. */
export const maxUrlLength = 2_048;

export type WebUrl =
  | { kind: 'url'; url: URL }
  /** `form`: not a URL; `scheme`: neither http nor https; `credentials`: it holds a user or a password. */
  | { kind: 'fault'; fault: 'form' | 'scheme' | 'credentials' };

const fault = (fault: 'form' | 'scheme' | 'credentials'): WebUrl => ({ kind: 'fault', fault });

/** `base` is what a relative URL is relative to, as in the redirect of an answer. */
export function parseWebUrl(text: string, base?: URL): WebUrl {
  // URL drops white space, so that the text that is stored would not be the URL that is called.
  if ((base === undefined && /\s/.test(text)) || !URL.canParse(text, base?.href)) return fault('form');
  const url = new URL(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fault('scheme');
  return url.username !== '' || url.password !== '' ? fault('credentials') : { kind: 'url', url };
}
