import { allSelected, extended, kept, moved, noSelection, toggled } from './list-selection.js';

const ids = ['a', 'b', 'c', 'd'];
const selected = (state: { selected: ReadonlySet<string> }): string => [...state.selected].sort().join('');

it('moves from row to row, and stops at the ends', () => {
  let state = moved(noSelection, ids, 1);
  const seen = [state.active];
  for (const step of [1, 1, 1, 1, -1] as const) seen.push((state = moved(state, ids, step)).active);
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'd', 'c']);
  expect([moved(noSelection, ids, -1).active, moved(noSelection, [], 1).active]).toEqual(['d', null]);
  expect(moved({ ...noSelection, active: 'gone' }, ids, 1).active).toBe('a');
});

it('selects rows, ranges in both directions, and all', () => {
  const one = toggled(noSelection, 'c');
  expect([selected(one), selected(toggled(one, 'c'))]).toEqual(['c', '']);
  expect([selected(extended(one, ids, 'a')), selected(extended(one, ids, 'd'))]).toEqual(['abc', 'cd']);
  expect(selected(extended(noSelection, ids, 'b'))).toBe('b');
  const every = allSelected(one, ids);
  expect([selected(every), selected(allSelected(every, ids))]).toEqual(['abcd', '']);
});

it('forgets rows that have gone', () => {
  const state = extended(toggled(noSelection, 'b'), ids, 'd');
  expect([selected(kept(state, ['b', 'd', 'e'])), kept(state, ids)]).toEqual(['bd', state]);
});
