/** The state of a list on the screen, with its keys: `j k x X Enter Escape`. */
import { useState } from 'react';
import { useShortcuts } from '../app/shortcuts.js';
import { texts } from '../texts/texts.js';
import { extended, kept, moved, noSelection, toggled, type ListState } from './list-selection.js';

export interface ListControl {
  state: ListState;
  change: (change: (state: ListState) => ListState) => void;
  /** The selected rows, else the active one: what a key acts on. */
  targets: string[];
  clear: () => void;
}

export function useList(ids: readonly string[], onOpen: (id: string) => void): ListControl {
  const [stored, setState] = useState<ListState>(noSelection);
  const state = kept(stored, ids);
  const { active } = state;
  const change = (next: (state: ListState) => ListState): void => setState((before) => next(kept(before, ids)));
  const onActive = (act: (id: string) => void) => (): void => {
    if (active !== null) act(active);
  };
  useShortcuts(texts.ui.list.keys, [
    { keys: 'j', label: texts.ui.list.next, run: () => change((before) => moved(before, ids, 1)) },
    { keys: 'k', label: texts.ui.list.previous, run: () => change((before) => moved(before, ids, -1)) },
    { keys: 'x', label: texts.ui.list.select, run: onActive((id) => change((before) => toggled(before, id))) },
    {
      keys: 'X',
      label: texts.ui.list.selectRange,
      run: onActive((id) => change((before) => extended(before, ids, id))),
    },
    { keys: 'o', label: texts.ui.list.open, run: onActive(onOpen) },
    { keys: 'Escape', label: texts.ui.list.clear, run: () => setState({ ...noSelection, active }) },
  ]);
  return {
    state,
    change,
    targets: state.selected.size > 0 ? ids.filter((id) => state.selected.has(id)) : active === null ? [] : [active],
    clear: () => setState({ ...noSelection, active }),
  };
}
