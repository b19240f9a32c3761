import { chosenValues, facetOf, valuesOf } from './facets.js';

const counted = {
  facet: 'source',
  values: [
    { value: 'grafana', count: 12 },
    { value: null, count: 3 },
  ],
  hasMore: false,
  exact: true,
};

describe('facets', () => {
  it('has the counted values, and chosen ones that no record has', () =>
    expect(valuesOf(counted, ['zabbix'])).toEqual([
      { value: 'grafana', count: 12 },
      { value: '!', count: 3 },
      { value: 'zabbix', count: 0 },
    ]));

  it('keeps a known order', () =>
    expect(valuesOf({ ...counted, values: [{ value: 'b', count: 1 }] }, [], ['a', 'b'])).toEqual([
      { value: 'a', count: 0 },
      { value: 'b', count: 1 },
    ]));

  it('has what is chosen before anything is counted', () =>
    expect(valuesOf(undefined, ['x'])).toEqual([{ value: 'x', count: 0 }]));

  it.each([
    [{}, undefined],
    [{ hasMore: true }, 'more'],
    [{ hasMore: true, exact: false }, 'about'],
  ])('%j: %s', (differs, hint) => {
    const text = { title: 'Source', labelOf: (value: string) => value, more: 'more', about: 'about' };
    expect(facetOf('source', { ...counted, ...differs }, [], text).hint).toBe(hint);
  });
});

test('values that two facets share are counted once', () => {
  const label = { name: 'label', chosen: ['team:payments', 'region:eu'] };
  expect(chosenValues([label, label, { name: 'status', chosen: ['firing'] }])).toBe(3);
});
