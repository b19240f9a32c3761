/** A choice of the viewer that this browser keeps, and that all its tabs share. */
import { useSyncExternalStore } from 'react';

export interface StoredChoice<Choice extends string> {
  get(): Choice;
  set(choice: Choice): void;
  /** The choice, in a component. */
  use(): Choice;
}

export function storedChoice<const Choice extends string>(
  name: string,
  choices: readonly Choice[],
): StoredChoice<Choice> {
  const key = `dashboard-${name}`;
  const listeners = new Set<() => void>();
  const read = (): Choice => {
    const stored = storage()?.getItem(key);
    return choices.find((choice) => choice === stored) ?? (choices[0] as Choice);
  };
  let now = read();
  const change = (next: Choice): void => {
    now = next;
    for (const listener of listeners) listener();
  };
  globalThis.addEventListener?.('storage', (event: StorageEvent) => event.key === key && change(read()));
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: () => now,
    set: (choice) => {
      storage()?.setItem(key, choice);
      change(choice);
    },
    use: () => useSyncExternalStore(subscribe, () => now),
  };
}

/** Null where a browser blocks it: then a choice lasts as long as the page. */
function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
