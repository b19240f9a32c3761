/** Facets of lists: which values records have, and how many records have each. */

export const alertFacetNames = ['status', 'severity', 'source', 'clientId', 'integrationId', 'assigneeId'] as const;
export const incidentFacetNames = ['status', 'severity', 'teamId', 'clientId', 'assigneeId'] as const;
export type FacetName = (typeof alertFacetNames)[number] | (typeof incidentFacetNames)[number];

export const facetLimits = {
  /** Facets of one request. */
  facets: 12,
  /** Facets of labels among them. */
  labels: 5,
  /** Values of a facet. */
  values: 50,
  valuesByDefault: 20,
  /** Records that are counted for a facet, when it has no counter. */
  records: 20_000,
} as const;

/** A facet of a field, or of the values of a label. */
export type FacetField = { kind: 'field'; field: FacetName } | { kind: 'label'; key: string };

export type ParsedFacets = { kind: 'facets'; facets: FacetField[] } | { kind: 'fault'; message: string };

const labelPrefix = 'label:';

export const facetText = (facet: FacetField): string =>
  facet.kind === 'field' ? facet.field : `${labelPrefix}${facet.key}`;

/** The facets without repetitions. A message completes a sentence that begins with the name of the parameter. */
export function parseFacets(texts: readonly string[], names: readonly FacetName[], hasLabels: boolean): ParsedFacets {
  const facets: FacetField[] = [];
  for (const text of new Set(texts)) {
    const field = names.find((name) => name === text);
    if (field) facets.push({ kind: 'field', field });
    else if (hasLabels && text.startsWith(labelPrefix) && text.length > labelPrefix.length)
      facets.push({ kind: 'label', key: text.slice(labelPrefix.length) });
    else
      return {
        kind: 'fault',
        message: `must be among ${names.join(', ')}${hasLabels ? ' and label:<key>' : ''}, which ${text} is not`,
      };
  }
  if (facets.length === 0) return { kind: 'fault', message: 'must name a facet' };
  if (facets.length > facetLimits.facets)
    return { kind: 'fault', message: `must not have more than ${facetLimits.facets} facets` };
  if (facets.filter(({ kind }) => kind === 'label').length > facetLimits.labels)
    return { kind: 'fault', message: `must not have more than ${facetLimits.labels} labels` };
  return { kind: 'facets', facets };
}

/** Facets that are counted among the same records. */
export interface FacetGroup<Filter> {
  filter: Filter;
  facets: FacetField[];
}

/**
 * Groups the facets by the filter under which each is counted. `without` returns the filter without the field of a facet,
 * and the same object when the filter does not have the field.
 */
export function facetGroups<Filter>(
  facets: readonly FacetField[],
  filter: Filter,
  without: (filter: Filter, facet: FacetField) => Filter,
): FacetGroup<Filter>[] {
  const whole: FacetGroup<Filter> = { filter, facets: [] };
  const groups: FacetGroup<Filter>[] = [];
  for (const facet of facets) {
    const own = without(filter, facet);
    if (own === filter) whole.facets.push(facet);
    else groups.push({ filter: own, facets: [facet] });
  }
  return whole.facets.length > 0 ? [whole, ...groups] : groups;
}

export interface CountedValue {
  value: string | null;
  count: number;
}

/** The first `limit` values, the most frequent first, and whether there are more. */
export function topValues(
  counted: readonly CountedValue[],
  limit: number,
): { values: CountedValue[]; hasMore: boolean } {
  const sorted = counted
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
  return { values: sorted.slice(0, limit), hasMore: sorted.length > limit };
}
