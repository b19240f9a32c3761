import { bulkFilterOf, countOf, filtersOf, onlyFilters, toggledValue } from './alert-filters.js';

describe('the filters of alerts', () => {
  it('leaves out what is no filter', () =>
    expect(filtersOf({ q: 'cpu', alert: 'alr_1', tab: 'why', env: 'test', label: ['a:b'], status: undefined })).toEqual(
      {
        q: 'cpu',
        label: ['a:b'],
      },
    ));

  it('a view replaces all filters', () =>
    expect({ q: 'cpu', alert: 'alr_1', ...onlyFilters({ status: ['firing'] }) }).toMatchObject({
      q: undefined,
      alert: 'alr_1',
      status: ['firing'],
    }));

  it.each([
    [{}, 0],
    [{ sort: '-severity' }, 0],
    [{ q: 'cpu', status: ['firing', 'acknowledged'] }, 3],
  ])('%j has %i', (filters, count) => expect(countOf(filters)).toBe(count));

  it('toggles a value', () => {
    expect(toggledValue(undefined, 'a')).toEqual(['a']);
    expect(toggledValue(['a'], 'b')).toEqual(['a', 'b']);
    expect(toggledValue(['a', 'b'], 'a')).toEqual(['b']);
    expect(toggledValue(['a'], 'a')).toBeUndefined();
  });

  it('a bulk change has no order', () => expect(bulkFilterOf({ q: 'x', sort: '-severity' })).toEqual({ q: 'x' }));
});
