/** The group key: alerts with the same key belong to one incident. */
import { createHash } from 'node:crypto';
import type { AlertFacts } from '../conditions/condition-facts.js';
import { fieldValue } from '../conditions/condition-fields.js';

/**
 * The maximum length in characters of a group key without hashing: three times as many UTF-8 bytes fit into a
 * PostgreSQL index entry.
 */
const maxGroupKeyLength = 512;

/**
 * The group key of an alert. For each field, sorted by name: `<length>:<name>=<length>:<value>`, or `<length>:<name>!`
 * when the alert has no such value; joined by commas, with lengths in UTF-16 code units, so that different values never
 * give the same text. '' without grouping fields; over 512 characters, `sha256:` and the SHA-256 of it in lower-case
 * hex. Open incidents are found by it, so the format must not change.
 */
export function groupKeyOf(groupBy: readonly string[], alert: AlertFacts): string {
  const facts = { alert, client: null, integration: null, incident: null, now: '' };
  const key = [...groupBy]
    .sort()
    .map((field) => `${field.length}:${field}${groupValue(fieldValue(field, facts))}`)
    .join(',');
  return key.length <= maxGroupKeyLength ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

const usualFields = ['labels.service', 'labels.alertname'];

/** The field that groups an alert when a `page` step names none: the first one that has a value. */
export function usualGroupBy(alert: AlertFacts): string {
  const facts = { alert, client: null, integration: null, incident: null, now: '' };
  return usualFields.find((field) => (fieldValue(field, facts) ?? '') !== '') ?? 'fingerprint';
}

const groupValue = (value: string | number | null): string =>
  value === null ? '!' : `=${String(value).length}:${value}`;
