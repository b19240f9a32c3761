/** Which rows of a list are selected, and which one the keyboard is on. Rows are known by their ids. */
export interface ListState {
  selected: ReadonlySet<string>;
  /** Where a range begins. */
  anchor: string | null;
  active: string | null;
}

export const noSelection: ListState = { selected: new Set(), anchor: null, active: null };

/** One row down (1) or up (-1), from the active row or the end of the list. */
export function moved(state: ListState, ids: readonly string[], step: 1 | -1): ListState {
  if (ids.length === 0) return { ...state, active: null };
  const at = state.active === null ? -1 : ids.indexOf(state.active);
  const next = at < 0 ? (step === 1 ? 0 : ids.length - 1) : Math.min(Math.max(at + step, 0), ids.length - 1);
  return { ...state, active: ids[next] ?? null };
}

export function toggled(state: ListState, id: string): ListState {
  const selected = new Set(state.selected);
  if (!selected.delete(id)) selected.add(id);
  return { selected, anchor: id, active: id };
}

/** Adds all rows from the last one that was toggled to this one. */
export function extended(state: ListState, ids: readonly string[], id: string): ListState {
  const from = state.anchor === null ? -1 : ids.indexOf(state.anchor);
  const to = ids.indexOf(id);
  if (from < 0 || to < 0) return toggled(state, id);
  const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { selected: new Set([...state.selected, ...range]), anchor: state.anchor, active: id };
}

export const allSelected = (state: ListState, ids: readonly string[]): ListState => ({
  ...state,
  selected: ids.every((id) => state.selected.has(id)) ? new Set() : new Set(ids),
});

/** Without the rows that are no longer in the list. */
export function kept(state: ListState, ids: readonly string[]): ListState {
  const known = new Set(ids);
  const selected = [...state.selected].filter((id) => known.has(id));
  return selected.length === state.selected.size ? state : { ...state, selected: new Set(selected) };
}
