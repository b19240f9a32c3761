import fc from 'fast-check';
import {
  alertFacetNames,
  facetGroups,
  facetText,
  incidentFacetNames,
  parseFacets,
  topValues,
  type FacetField,
} from './facets.js';

describe('the parameter', () => {
  it('names fields and labels, each once', () => {
    expect(parseFacets(['status', 'label:region', 'label:a:b', 'status'], alertFacetNames, true)).toEqual({
      kind: 'facets',
      facets: [
        { kind: 'field', field: 'status' },
        { kind: 'label', key: 'region' },
        { kind: 'label', key: 'a:b' },
      ],
    });
  });

  it.each([
    ['nothing', [], true],
    ['an unknown field', ['title'], true],
    ['a label without a key', ['label:'], true],
    ['a label where there are none', ['label:region'], false],
    ['too many labels', ['1', '2', '3', '4', '5', '6'].map((key) => `label:${key}`), true],
  ])('is refused with %s', (_what, texts, hasLabels) =>
    expect(parseFacets(texts, hasLabels ? alertFacetNames : incidentFacetNames, hasLabels).kind).toBe('fault'),
  );
});

type Filter = Partial<Record<string, string>>;
const without = (filter: Filter, facet: FacetField): Filter => {
  const { [facetText(facet)]: own, ...others } = filter;
  return own === undefined ? filter : others;
};

it('each facet is in one group, whose filter is that of the list without its own field', () => {
  const names = ['status', 'severity', 'source', 'clientId'] as const;
  const filters = fc.dictionary(fc.constantFrom(...names, 'q'), fc.constant('x'));
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...names)), filters, (asked, filter) => {
      const facets = asked.map((field): FacetField => ({ kind: 'field', field }));
      const groups = facetGroups(facets, filter, without);
      expect(groups.flatMap((group) => group.facets.map(facetText)).sort()).toEqual([...asked].sort());
      for (const group of groups)
        for (const facet of group.facets) expect(group.filter).toEqual(without(filter, facet));
      expect(groups.length).toBeLessThanOrEqual(1 + Object.keys(filter).length);
    }),
  );
});

it('the most frequent values come first, then in the order of their names', () => {
  const counted = [
    { value: 'b', count: 2 },
    { value: null, count: 5 },
    { value: 'a', count: 2 },
    { value: 'c', count: 0 },
  ];
  expect(topValues(counted, 2)).toEqual({
    values: [
      { value: null, count: 5 },
      { value: 'a', count: 2 },
    ],
    hasMore: true,
  });
  expect(topValues(counted, 3).hasMore).toBe(false);
});
