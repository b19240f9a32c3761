/** Compares the results of two mappings of one payload. */
import type { MappedEvent } from './mapped-event.js';
import type { ItemResult, Mapped } from './mapping.js';
import type { MappingFault } from './mapping-settings.js';

/** The mapping result of one item. An invalid payload has one item, which is unreadable. */
export type TriedItem =
  | ({ outcome: 'event' } & MappedEvent)
  | { outcome: 'ignored'; reason: string }
  | { outcome: 'faulty'; faults: MappingFault[] }
  | { outcome: 'handshake' }
  | { outcome: 'unreadable'; reason: string };

export type MappingDifference = 'same' | 'changed' | 'nowAccepted' | 'nowRefused';

export interface ItemChange {
  /** Index of the item. */
  item: number;
  /** `title`, `labels.host`, …; `outcome` when the outcome differs. */
  field: string;
  before: unknown;
  after: unknown;
}

export const triedItems = (mapped: Mapped): TriedItem[] =>
  mapped.kind === 'handshake' ? [{ outcome: 'handshake' }] : mapped.items.map(triedItem);

function triedItem(item: ItemResult): TriedItem {
  switch (item.kind) {
    case 'event':
      return { outcome: 'event', ...item.event };
    case 'ignored':
      return { outcome: 'ignored', reason: item.reason };
    case 'faulty':
      return { outcome: 'faulty', faults: item.faults };
  }
}

const isRefused = (item: TriedItem | undefined): boolean =>
  item?.outcome === 'faulty' || item?.outcome === 'unreadable';
const areAllRefused = (items: readonly TriedItem[]): boolean => items.length > 0 && items.every(isRefused);

/** Whether `other` refuses something that `items` accepted: the whole payload, or one of its items. */
const refuses = (items: readonly TriedItem[], other: readonly TriedItem[]): boolean =>
  (!areAllRefused(items) && areAllRefused(other)) ||
  items.some((item, index) => !isRefused(item) && isRefused(other[index]));

/**
 * The differences between two mappings of the same payload. `nowRefused` takes precedence, because data would be lost.
 */
export function differenceBetween(
  before: readonly TriedItem[],
  after: readonly TriedItem[],
): { difference: MappingDifference; changes: ItemChange[] } {
  const changes: ItemChange[] = [];
  for (let item = 0; item < Math.max(before.length, after.length); item++)
    changes.push(...changesOf(item, before[item], after[item]));
  if (refuses(before, after)) return { difference: 'nowRefused', changes };
  if (refuses(after, before)) return { difference: 'nowAccepted', changes };
  return { difference: changes.length === 0 ? 'same' : 'changed', changes };
}

function changesOf(item: number, before: TriedItem | undefined, after: TriedItem | undefined): ItemChange[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((field) => JSON.stringify(from.get(field)) !== JSON.stringify(to.get(field)))
    .map((field) => ({ item, field, before: from.get(field) ?? null, after: to.get(field) ?? null }));
}

/** Labels and annotations individually. */
function fieldsOf(item: TriedItem | undefined): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(item ?? {})) {
    if (name !== 'labels' && name !== 'annotations') fields.set(name, value);
    else for (const [key, text] of Object.entries(value as Record<string, string>)) fields.set(`${name}.${key}`, text);
  }
  return fields;
}
