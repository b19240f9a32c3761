/**
 * The paths of senders: ours, and those of PagerDuty's and Opsgenie's clients that changed only the host. The path that
 * is forwarded is built from the decoded segments. A path with a segment that leads elsewhere is none of them, in
 * whichever way it is encoded: another program may decode it once more than this one.
 */
import { isIngestToken } from '@ams/contracts';
import type { ReceivingApi } from '@ams/domain';

export interface SenderPath {
  api: ReceivingApi;
  /** For the ingest gateway. */
  path: string;
  segments: string[];
}

const apis: readonly (readonly [RegExp, ReceivingApi])[] = [
  [/^\/api\/inbound\/webhook\/./, 'webhook'],
  [/^(?:\/api\/inbound\/pagerduty)?\/v2\/(?:change\/)?enqueue$/, 'pagerduty'],
  [/^(?:\/api\/inbound\/opsgenie)?\/v2\/(?:alerts|heartbeats)(?:\/|$)/, 'opsgenie'],
];

/** As Fastify has them. */
export const senderRoutes: readonly string[] = ['/api/inbound/*', '/v2/*'];

/** Null for a path that is none of a sender. */
export function senderPathOf(sent: string): SenderPath | null {
  const segments = sent.split('/').map(decoded);
  if (segments.some((segment) => segment === null || leadsElsewhere(segment))) return null;
  const path = segments.map((segment) => encodeURIComponent(segment as string)).join('/');
  const [, api] = apis.find(([pattern]) => pattern.test(path)) ?? [];
  return api === undefined ? null : { api, path, segments: segments as string[] };
}

/**
 * Whether the head of the request can have the token of an integration. PagerDuty's API has it in the body. The ingest
 * gateway refuses other requests without reading their bodies.
 */
export function mayHaveToken({ api, segments }: SenderPath, authorization: string | undefined): boolean {
  if (api === 'pagerduty') return true;
  if (api === 'webhook') return isIngestToken(segments.at(-1) as string);
  return isIngestToken(/^GenieKey +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '');
}

/** Deeper encodings are refused, too. */
const mostEncodings = 5;

/** Parsers of URLs drop control characters, take a backslash for a slash, and end the path at `?` and `#`. */
function leadsElsewhere(segment: string): boolean {
  let text = segment;
  for (let n = 0; n < mostEncodings; n++) {
    if (text.split(/[/\\?#]/).some((part) => /^\.\.?$/.test(withoutControls(part)))) return true;
    const next = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    if (next === text) return false;
    text = next;
  }
  return true;
}

const withoutControls = (text: string): string => [...text].filter((character) => character > ' ').join('');

/** Null when the text cannot be decoded. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
