/** The key of the group of alerts that one incident is about. */
import { createHash } from 'node:crypto';
import type { AlertFacts } from '../conditions/condition-facts.js';
import { fieldValue } from '../conditions/condition-fields.js';

/** Characters of a group's key that is kept as it is: in UTF-8 three times as many bytes still fit an index of PostgreSQL. */
const maxGroupKeyLength = 512;

/**
 * The key of the group an alert belongs to: alerts with the same key are of one incident. For each field, in the order of
 * the names, `<length>:<name>=<length>:<value>`, or `<length>:<name>!` when the alert has no such value; joined by commas,
 * lengths in UTF-16 code units, so that different values never make the same text. '' when nothing is grouped by; over 512
 * characters `sha256:` and the SHA-256 of it in lower-case hex. Open incidents are found by it, so the format cannot change.
 */
export function groupKeyOf(groupBy: readonly string[], alert: AlertFacts): string {
  const facts = { alert, client: null, integration: null, incident: null, now: '' };
  const key = [...groupBy]
    .sort()
    .map((field) => `${field.length}:${field}${groupValue(fieldValue(field, facts))}`)
    .join(',');
  return key.length <= maxGroupKeyLength ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

const groupValue = (value: string | number | null): string =>
  value === null ? '!' : `=${String(value).length}:${value}`;
