/**
 * The keyboard shortcuts of what is on the screen. A component adds its own while it is mounted:
 *
 *   useShortcuts(texts.alerts.title, [{ keys: 'a', label: texts.alerts.acknowledge, run: acknowledge }]);
 *
 * Those that were added last win. The sheet (`?`) lists them in groups.
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { match, nameOf } from './keys.js';

export interface Shortcut {
  keys: string;
  label: string;
  run: () => void;
}

interface Group {
  title: string;
  shortcuts: readonly Shortcut[];
}

/** How long the first key of two waits for the second. */
const waitMs = 1200;

let groups: readonly Group[] = [];
const listeners = new Set<() => void>();
const changed = (next: readonly Group[]): void => {
  groups = next;
  for (const listener of listeners) listener();
};

function add(group: Group): () => void {
  changed([...groups, group]);
  return () => changed(groups.filter((other) => other !== group));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useShortcutGroups = (): readonly Group[] => useSyncExternalStore(subscribe, () => groups);

export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const run = useEffectEvent((keys: string) => shortcuts.find((shortcut) => shortcut.keys === keys)?.run());
  const shape = JSON.stringify(shortcuts.map(({ keys, label }) => [keys, label]));
  useEffect(() => {
    const known = JSON.parse(shape) as [string, string][];
    return add({ title, shortcuts: known.map(([keys, label]) => ({ keys, label, run: () => run(keys) })) });
  }, [title, shape]);
}

/** Where keys are text. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !/^(checkbox|radio|button)$/.test((target as HTMLInputElement).type);

/** A dialog has its own keys, and what is below it must not act. */
const isBehindDialog = (): boolean => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/** Begins to listen; once for the page. */
export function listenToKeys(): void {
  let before = '';
  let since = 0;
  window.addEventListener('keydown', (event) => {
    const name = nameOf(event);
    if (name === null || event.defaultPrevented || event.isComposing) return;
    if ((isTyping(event.target) || isBehindDialog()) && !name.startsWith('mod+')) return;
    if (event.timeStamp - since > waitMs) before = '';
    since = event.timeStamp;
    const all = groups.flatMap((group) => group.shortcuts).reverse();
    const found = match(
      all.map(({ keys }) => keys),
      before,
      name,
    );
    before = found.kind === 'wait' ? found.pressed : '';
    if (found.kind !== 'act') return;
    event.preventDefault();
    all.find(({ keys }) => keys === found.keys)?.run();
  });
}
