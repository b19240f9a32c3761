/** From the counts of the API to what the facets bar shows. */
import type { Facet, FacetValue } from './facets-bar.js';

interface CountedFacet {
  facet: string;
  values: readonly { value: string | null; count: number }[];
  hasMore: boolean;
  exact: boolean;
}

/** How many values are chosen. Facets of one filter have the same ones. */
export const chosenValues = (facets: readonly Pick<Facet, 'name' | 'chosen'>[]): number =>
  [...new Map(facets.map(({ name, chosen }) => [name, chosen.length])).values()].reduce((sum, n) => sum + n, 0);

/** What the API takes as the value of a filter for records without one. */
export const noValue = '!';

/**
 * The values with their counts. Chosen ones that no record has are last, so that they can be taken back; those that the
 * API did not count follow the order of `known`.
 */
export function valuesOf(
  counted: CountedFacet | undefined,
  chosen: readonly string[],
  known: readonly string[] = [],
): { value: string; count: number }[] {
  const counts = new Map(counted?.values.map(({ value, count }) => [value ?? noValue, count]));
  const names = known.length > 0 ? [...known] : [...counts.keys()];
  for (const value of [...counts.keys(), ...chosen]) if (!names.includes(value)) names.push(value);
  return names.map((value) => ({ value, count: counts.get(value) ?? 0 }));
}

export interface FacetText {
  title: string;
  labelOf: (value: string) => FacetValue['label'];
  known?: readonly string[];
  more: string;
  about: string;
}

export function facetOf(
  name: string,
  counted: CountedFacet | undefined,
  chosen: readonly string[],
  { title, labelOf, known, more, about }: FacetText,
): Facet {
  const values = valuesOf(counted, chosen, known);
  return {
    name,
    title,
    chosen,
    values: values.map(({ value, count }) => ({
      value,
      label: labelOf(value),
      count: counted === undefined ? undefined : count,
    })),
    hint: counted?.exact === false ? about : counted?.hasMore ? more : undefined,
  };
}
