/** The filters of the list of incidents, between the address, the API and saved views. */
import { many, one, oneOf } from '../app/search-params.js';

export const incidentSorts = ['-createdAt', 'createdAt', '-severity'] as const;

export const filterReaders = {
  q: one,
  status: many,
  severity: many,
  teamId: many,
  clientId: many,
  assigneeId: many,
  since: one,
  until: one,
  sort: oneOf(incidentSorts),
};

export type Filters = Partial<Record<keyof typeof filterReaders, string | string[]>>;

const names = Object.keys(filterReaders) as (keyof typeof filterReaders)[];

export const filtersOf = (search: Readonly<Record<string, unknown>>): Filters =>
  Object.fromEntries(names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));

/** Every filter as absent, with these in their place. */
export const onlyFilters = (filters: Filters): Filters => ({
  ...Object.fromEntries(names.map((name) => [name, undefined])),
  ...filters,
});

export const isFiltered = ({ sort: _sort, ...filters }: Filters): boolean => Object.keys(filters).length > 0;
