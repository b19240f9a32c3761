/** Whether what is on the screen follows the server, and since when not. */
import { useSyncExternalStore } from 'react';

export type LiveState = { kind: 'connecting' | 'live' | 'off' } | { kind: 'stale'; since: string };

let state: LiveState = { kind: 'connecting' };
const listeners = new Set<() => void>();

export function setLiveState(next: LiveState): void {
  if (next.kind === state.kind) return;
  state = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => state);
