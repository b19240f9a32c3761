/** `If-Match` (RFC 9110 §13.1.1): a change applies only to the version that the caller has read. */
import { Fault, invalid } from '@ams/contracts';

const listOfTags = /^(?:\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,|$))+$/;
const tag = /"([^"]*)"/g;

/**
 * Throws VERSION_MISMATCH unless the header has a tag of the record's version. A missing header, or `*`, matches any
 * version. A weak tag counts as a strong one: proxies that compress weaken tags, and the version stays the same.
 */
export function requireVersion(ifMatch: string | null, current: number): void {
  if (ifMatch === null || ifMatch.trim() === '*') return;
  if (!listOfTags.test(ifMatch))
    throw invalid('If-Match', 'etag', 'If-Match must be * or entity tags from an ETag header, such as "3"');
  if (![...ifMatch.matchAll(tag)].some(([, value]) => value === String(current)))
    throw new Fault('VERSION_MISMATCH', { current });
}
