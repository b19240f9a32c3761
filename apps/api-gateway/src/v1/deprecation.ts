/** The headers of a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` (RFC 8288). */
import type { Deprecation } from '@ams/contracts';
import { isParameter, segmentsOf } from './operation-table.js';

/**
 * `prefix` precedes the paths of operations; `values` are the path parameters of the request, encoded as in its URL, in
 * the order of the path.
 */
export function deprecationHeaders(
  { since, sunset, successor }: Deprecation,
  prefix: string,
  values: readonly string[],
): Record<'deprecation' | 'sunset' | 'link', string> {
  const left = [...values];
  const path = segmentsOf(successor).map((segment) => (isParameter(segment) ? inLink(left.shift() ?? '') : segment));
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${prefix}/${path.join('/')}>; rel="successor-version"`,
  };
}

/** Node accepts characters in a URL that a header or a URI reference must not contain (`>`, Latin-1). */
const inLink = (segment: string): string => segment.replace(/[^\w.~%-]/g, encodeURIComponent);
