/** What the answer to a POST means: whether it was taken, and whether another attempt makes sense. */
import type { Exchange } from './outbound.js';
import { failedForGood, failedForNow, sent, type Outcome } from './outcome.js';
import { cut, oneLine } from './clean-text.js';

const maxRetryAfterSeconds = 3600;
const maxQuote = 150;

/** Answers that ask for patience: how long, they may say in Retry-After. */
const patience = new Set([429, 503]);
/** Other answers below 500 that mean «not now»: Request Timeout and Too Early. */
const passing = new Set([408, 425]);

/** Retry-After (RFC 9110, 10.2.3): seconds or a date, as whole seconds from `now` (milliseconds since 1970), an hour at most; `null` for all else. */
export function retryAfterSeconds(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : /^[A-Z][a-z]+,? /.test(text)
      ? Math.ceil((Date.parse(text) - now) / 1000)
      : Number.NaN;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), maxRetryAfterSeconds);
}

/** Shorter ones are found in any text, and guessed at once. */
const minSecret = 6;

/** What must not come back in an answer that is shown: the path and query of an address let whoever knows them post there. */
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

/** The first line of what the other side said, if it is for people and holds none of the secrets; else nothing. */
export function quoted(text: string, secrets: readonly string[]): string {
  const line = oneLine(text.split(/[\r\n]/).find((one) => one.trim() !== '') ?? '');
  const isHidden = secrets.some((secret) => secret.length >= minSecret && line.includes(secret));
  return line === '' || line.startsWith('<') || line.includes('\ufffd') || isHidden ? '' : `: ${cut(line, maxQuote)}`;
}

const troubles: Record<string, string> = {
  TIMEOUT: 'did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not answer in time',
  ENOTFOUND: 'is a name without an address',
  ECONNREFUSED: 'refused the connection',
  UND_ERR_SOCKET: 'closed the connection without an answer',
  ECONNRESET: 'closed the connection without an answer',
};

/** Pure; `now` in milliseconds since 1970. `secrets` are those of the request, which an answer might repeat. */
export function outcomeOf(exchange: Exchange, secrets: readonly string[], now: number): Outcome {
  if (exchange.kind === 'closed') return failedForGood(exchange.code, exchange.why, 'unknown');
  if (exchange.kind === 'broken')
    return failedForNow(
      exchange.code,
      `${exchange.host} ${troubles[exchange.code] ?? `could not be reached (${exchange.code})`}.`,
      'target',
    );
  const { host, status, retryAfter, text } = exchange;
  const code = String(status);
  if (status >= 200 && status < 300) return sent(code);
  const reason = `${host} answered ${status}${quoted(text, secrets)}`;
  if (patience.has(status)) return failedForNow(code, reason, 'target', retryAfterSeconds(retryAfter, now));
  if (status >= 500 || passing.has(status)) return failedForNow(code, reason, 'target');
  if (status >= 300 && status < 400)
    return failedForGood(code, `${host} answered ${status}, a redirect that a message cannot follow.`, 'nobody');
  return failedForGood(code, reason, 'nobody');
}

/**
 * Incoming webhooks of Teams answer 200 also when Teams took nothing, and say so in the text; the limit of four messages a
 * second is told in this way. https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
export function outcomeOfTeams(exchange: Exchange, secrets: readonly string[], now: number): Outcome {
  const inside =
    exchange.kind === 'answered' && exchange.status === 200 ? /HTTP error (\d{3})/.exec(exchange.text)?.[1] : undefined;
  return outcomeOf(
    inside !== undefined && exchange.kind === 'answered' ? { ...exchange, status: Number(inside), text: '' } : exchange,
    secrets,
    now,
  );
}
