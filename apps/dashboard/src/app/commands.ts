/**
 * What the command palette offers. A page adds its own commands while it is shown:
 *
 *   useCommands(texts.clients.title, [{ id: 'new-client', label: texts.clients.create, run: open }]);
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

export interface Command {
  id: string;
  label: string;
  /** Further words by which it is found. */
  words?: string;
  run: () => void;
}

interface Group {
  title: string;
  commands: readonly Command[];
}

let groups: readonly Group[] = [];
const listeners = new Set<() => void>();
const changed = (next: readonly Group[]): void => {
  groups = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useCommandGroups = (): readonly Group[] => useSyncExternalStore(subscribe, () => groups);

export function useCommands(title: string, commands: readonly Command[]): void {
  const run = useEffectEvent((id: string) => commands.find((command) => command.id === id)?.run());
  const shape = JSON.stringify(commands.map(({ id, label, words }) => ({ id, label, words })));
  useEffect(() => {
    const known = JSON.parse(shape) as Omit<Command, 'run'>[];
    const group = { title, commands: known.map((command) => ({ ...command, run: () => run(command.id) })) };
    changed([...groups, group]);
    return () => changed(groups.filter((other) => other !== group));
  }, [title, shape]);
}
