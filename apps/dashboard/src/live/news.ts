/** How many records are new since a list was read: they wait behind a bar until the reader wants them. */
import { hashKey, type QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const counts = new Map<string, Set<string>>();
const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

export function addNews(key: QueryKey, id: string): void {
  const hash = hashKey(key);
  const ids = counts.get(hash) ?? new Set<string>();
  if (ids.has(id)) return;
  counts.set(hash, ids.add(id));
  tell();
}

export function clearNews(key: QueryKey): void {
  if (counts.delete(hashKey(key))) tell();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useNews = (key: QueryKey): number =>
  useSyncExternalStore(subscribe, () => counts.get(hashKey(key))?.size ?? 0);
