/** `If-Match` (RFC 9110 §13.1.1): a change is made only to the version that the caller has seen. */
import { Fault, invalid } from '@ams/contracts';

const listOfTags = /^(?:\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,|$))+$/;
const tag = /"([^"]*)"/g;

/**
 * Throws VERSION_MISMATCH unless one of the tags of the header is the record's version. No header, or `*`, is any version.
 * A weak tag counts as the strong one: proxies that compress weaken tags, and a version says the same either way.
 */
export function requireVersion(ifMatch: string | null, current: number): void {
  if (ifMatch === null || ifMatch.trim() === '*') return;
  if (!listOfTags.test(ifMatch))
    throw invalid('If-Match', 'etag', 'If-Match must be * or entity tags as ETag gave them, such as "3"');
  if (![...ifMatch.matchAll(tag)].some(([, value]) => value === String(current)))
    throw new Fault('VERSION_MISMATCH', { current });
}
