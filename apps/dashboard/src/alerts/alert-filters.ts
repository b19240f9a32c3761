/** The filters of the list of alerts, between the address, the API and saved views. */
import { many, one, oneOf } from '../app/search-params.js';

export const alertSorts = ['-lastOccurredAt', '-createdAt', 'createdAt', '-severity'] as const;
export const panelTabs = ['overview', 'timeline', 'why', 'request'] as const;
export type PanelTab = (typeof panelTabs)[number];

/** What of the address is a filter. */
export const filterReaders = {
  q: one,
  status: many,
  severity: many,
  source: many,
  clientId: many,
  integrationId: many,
  incidentId: many,
  assigneeId: many,
  fingerprint: many,
  label: many,
  since: one,
  until: one,
  createdSince: one,
  createdUntil: one,
  sort: oneOf(alertSorts),
};

export type Filters = Partial<Record<keyof typeof filterReaders, string | string[]>>;

const names = Object.keys(filterReaders) as (keyof typeof filterReaders)[];

/** The filters of an address, without what else is in it. */
export const filtersOf = (search: Readonly<Record<string, unknown>>): Filters =>
  Object.fromEntries(names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));

/** Every filter as absent, with these in their place: what a saved view makes of an address. */
export const onlyFilters = (filters: Filters): Filters => ({
  ...Object.fromEntries(names.map((name) => [name, undefined])),
  ...filters,
});

/** How many values are chosen. The order of the list is no filter. */
export const countOf = ({ sort: _sort, ...filters }: Filters): number =>
  Object.values(filters).reduce((sum, value) => sum + (Array.isArray(value) ? value.length : 1), 0);

/** The filter with the value, or without it when it had it. Undefined when nothing is left. */
export function toggledValue(chosen: readonly string[] = [], value: string): string[] | undefined {
  const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
  return next.length === 0 ? undefined : next;
}

/** What the API takes as the filter of a bulk change: the order is left out. */
export const bulkFilterOf = ({ sort: _sort, ...filters }: Filters): Omit<Filters, 'sort'> => filters;
