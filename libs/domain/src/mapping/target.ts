/** The fields that a mapping can set. */
import { eventLimits } from '../alerts/event-limits.js';
import type { SyntaxFault } from './path.js';

/** The text fields of an event. `fingerprint` and `dedup_key` both name the identity of the alert. */
export const textFields = [
  'title',
  'severity',
  'status',
  'source',
  'description',
  'fingerprint',
  'dedup_key',
  'occurredAt',
] as const;

export type TextField = (typeof textFields)[number];

/** The fields of an event that are maps of texts. */
export const bagFields = ['labels', 'annotations'] as const;

export type BagField = (typeof bagFields)[number];

export type Target =
  | { readonly kind: 'text'; readonly field: TextField }
  | { readonly kind: 'entry'; readonly field: BagField; readonly key: string }
  | { readonly kind: 'all'; readonly field: BagField };

const textTargets: ReadonlyMap<string, Target> = new Map<string, Target>([
  ...textFields.map((field) => [field, { kind: 'text', field }] as const),
  ['dedupKey', { kind: 'text', field: 'dedup_key' }],
]);

const fault = (position: number, message: string): SyntaxFault => ({ kind: 'fault', position, message });

/** `title`, `labels.host`, `labels.*`, … The text after the first dot is the key, which may contain dots. */
export function parseTarget(text: string): Target | SyntaxFault {
  const target = textTargets.get(text);
  if (target !== undefined) return target;
  for (const field of bagFields) {
    const start = field.length + 1;
    if (!text.startsWith(`${field}.`)) continue;
    const key = text.slice(start);
    if (key === '*') return { kind: 'all', field };
    if (key.trim() === '') return fault(start, 'the key is empty');
    if (key === '__proto__') return fault(start, '"__proto__" cannot be a key');
    if (key.length > eventLimits.key)
      return fault(start + eventLimits.key, `a key may have at most ${eventLimits.key} characters`);
    return { kind: 'entry', field, key };
  }
  return fault(
    0,
    `must be ${[...textFields, 'labels.<key>', 'annotations.<key>', 'labels.*', 'annotations.*'].join(', ')}`,
  );
}
