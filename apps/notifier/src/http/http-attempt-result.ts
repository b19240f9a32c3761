/** What the response to a POST means: whether the message was accepted, and whether another attempt makes sense. */
import { permanentFailure, sent, temporaryFailure, type AttemptResult } from '../attempts/attempt-result.js';
import { cut, oneLine } from '../messages/clean-text.js';
import type { HttpResult } from './http-client.js';

const maxRetryAfterSeconds = 3600;
const maxQuote = 150;

/** Statuses that may come with Retry-After. */
const retryLater = new Set([429, 503]);
/** Further statuses below 500 that are temporary: Request Timeout and Too Early. */
const temporary = new Set([408, 425]);

/**
 * Retry-After (RFC 9110, 10.2.3), seconds or a date, as whole seconds from `now` (milliseconds since 1970): at most an
 * hour; `null` for anything else.
 */
export function retryAfterSeconds(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : /^[A-Z][a-z]+,? /.test(text)
      ? Math.ceil((Date.parse(text) - now) / 1000)
      : Number.NaN;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), maxRetryAfterSeconds);
}

/** Shorter parts of a URL may occur in any text. */
const minSecret = 6;

/** The parts of path and query. A person who knows them can post to the URL, so no message to people repeats them. */
export function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { pathname, search } = new URL(text);
  return [...pathname.split('/'), ...search.slice(1).split(/[&=]/)].flatMap((part) => [part, unescaped(part)]);
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The first line of the other side's text, if it is plain text and holds none of the secrets; otherwise nothing. */
export function quoted(text: string, secrets: readonly string[]): string {
  const line = oneLine(text.split(/[\r\n]/).find((one) => one.trim() !== '') ?? '');
  const isHidden = secrets.some((secret) => secret.length >= minSecret && line.includes(secret));
  return line === '' || line.startsWith('<') || line.includes('\ufffd') || isHidden ? '' : `: ${cut(line, maxQuote)}`;
}

const errorTexts: Record<string, string> = {
  TIMEOUT: 'did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not answer in time',
  ENOTFOUND: 'is a name without an address',
  ECONNREFUSED: 'refused the connection',
  UND_ERR_SOCKET: 'closed the connection without an answer',
  ECONNRESET: 'closed the connection without an answer',
};

/** `now` in milliseconds since 1970. `secrets` are those of the request, which a response might repeat. */
export function attemptResultOf(result: HttpResult, secrets: readonly string[], now: number): AttemptResult {
  if (result.kind === 'blocked') return permanentFailure(result.code, result.why, 'unknown');
  if (result.kind === 'error') {
    const reason = `${result.host} ${errorTexts[result.code] ?? `could not be reached (${result.code})`}.`;
    return temporaryFailure(result.code, reason, 'target');
  }
  const { host, status, retryAfter, text } = result;
  const code = String(status);
  if (status >= 200 && status < 300) return sent(code);
  const reason = `${host} answered ${status}${quoted(text, secrets)}`;
  if (retryLater.has(status)) return temporaryFailure(code, reason, 'target', retryAfterSeconds(retryAfter, now));
  if (status >= 500 || temporary.has(status)) return temporaryFailure(code, reason, 'target');
  if (status >= 300 && status < 400) {
    return permanentFailure(code, `${host} answered ${status}, a redirect that a message cannot follow.`, 'none');
  }
  return permanentFailure(code, reason, 'none');
}
