/**
 * How many alerts have each value of a field, under the filters of the list. Status, severity and integration have
 * counters. For all other facets and filters alerts are read: those that an index of labels or titles finds, if they are
 * not too many, else the newest ones of each slice (see alert-search.ts). So a request reads a limited number of rows,
 * in a limited time, and organizations take turns.
 *
 * It runs with the role of the service, for the reason that alert-search.ts gives; each query begins with `ofReader`.
 */
import {
  addAlertFilter,
  alertConditions,
  filterOf,
  isSearched,
  severityOfRank,
  withMatchedLabels,
  type AlertConditions,
  type AlertReader,
} from '@ams/alerting';
import { publicId, type AlertFilter, type Facet, type Tenant } from '@ams/contracts';
import type { Database, Tx } from '@ams/database';
import {
  facetGroups,
  facetLimits,
  facetText,
  labelTermsOf,
  topValues,
  type CountedValue,
  type FacetField,
  type FacetGroup,
  type FacetName,
} from '@ams/domain';
import { owned } from '../records/tenant-queries.js';
import { hasCounters } from './alert-counts.js';
import { newestRows } from './alert-search.js';

/** The time limit of one search, in milliseconds. Searches by an index have a shorter one: there is another way. */
const searchMs = 2000;
const indexMs = 500;

const columns: Partial<Record<FacetName, string>> = {
  status: 'status',
  severity: 'severity',
  source: 'source',
  clientId: 'client_id',
  integrationId: 'integration_id',
  assigneeId: 'assignee_id',
};

/** What a facet counts, before the most frequent values are chosen. */
export interface CountedFacet {
  facet: FacetField;
  counted: CountedValue[];
  exact: boolean;
}

export type AlertFacetGroup = FacetGroup<AlertConditions>;

/**
 * The groups that have counters, and the others. Patterns of labels are replaced for each group: which values they match
 * depends on the other filters.
 */
export async function groupsOf(
  database: Database,
  reader: AlertReader,
  filter: AlertFilter,
  facets: readonly FacetField[],
): Promise<{ counters: AlertFacetGroup[]; searched: AlertFacetGroup[] }> {
  const counters: AlertFacetGroup[] = [];
  const searched: AlertFacetGroup[] = [];
  for (const group of facetGroups(facets, filter, withoutFacet)) {
    const conditions = await withMatchedLabels(database, 'alerts_views.alerts', reader, group.filter);
    const kept = hasCounters(reader, conditions) ? group.facets.filter(hasCounter) : [];
    const others = group.facets.filter((facet) => !kept.includes(facet));
    if (kept.length > 0) counters.push({ filter: conditions, facets: kept });
    if (others.length > 0) searched.push({ filter: conditions, facets: others });
  }
  return { counters, searched };
}

const hasCounter = (facet: FacetField): boolean =>
  facet.kind === 'field' && ['status', 'severity', 'integrationId'].includes(facet.field);

/** The filter without the field of the facet; the same object when it does not have the field. */
function withoutFacet(filter: AlertFilter, facet: FacetField): AlertFilter {
  if (facet.kind === 'field') {
    const field = facet.field as keyof AlertFilter;
    return filter[field] === undefined ? filter : { ...filter, [field]: undefined };
  }
  const { label = [] } = filter;
  const terms = labelTermsOf(label);
  const others = label.filter((_text, index) => terms[index]?.key !== facet.key);
  if (others.length === label.length) return filter;
  return { ...filter, label: others.length > 0 ? others : undefined };
}

/** Reads the counters of the pipeline, with the role of the principal. */
export async function countersOf(tx: Tx, tenant: Tenant, { filter, facets }: AlertFacetGroup): Promise<CountedFacet[]> {
  const counted: CountedFacet[] = [];
  for (const facet of facets) {
    const where = addAlertFilter(owned(tenant), filter);
    const rows = await tx.query<CountedRow>(
      `SELECT ${columnOf(facet)}::text AS value, sum(n)::int AS n FROM alerts_views.counts WHERE ${where.toString()}
       GROUP BY 1 HAVING sum(n) > 0`,
      where.params,
    );
    counted.push({ facet, counted: rows.map((row) => valueOf(facet, row)), exact: true });
  }
  return counted;
}

export async function searchFacets(
  database: Database,
  reader: AlertReader,
  group: AlertFacetGroup,
): Promise<CountedFacet[]> {
  if (reader.restrictedTo?.clientIds.length === 0)
    return group.facets.map((facet) => ({ facet, counted: [], exact: true }));
  const { organizationId } = reader;
  // As one share: the facets of an organization, whatever its teams.
  return database.sharing({ organization: organizationId, team: 'facets' }, async () => {
    const byIndex = isSearched(group.filter) ? await allMatching(database, reader, group) : null;
    return byIndex ?? newest(database, reader, group);
  });
}

interface CountedRow {
  facet: number;
  value: string | null;
  n: number;
}

interface SearchResult {
  exact: boolean;
  counts: CountedRow[];
}

/** Null when there are too many, or when they are not found in time. */
async function allMatching(
  database: Database,
  reader: AlertReader,
  { filter, facets }: AlertFacetGroup,
): Promise<CountedFacet[] | null> {
  const where = alertConditions(reader, filter);
  const shown = shownColumns(facets, '', where.params);
  const found = `SELECT ${shown} FROM alerts_views.alerts WHERE ${where.toString()} LIMIT ${facetLimits.records + 1}`;
  const text = `WITH found AS MATERIALIZED (${found})
    SELECT (SELECT count(*) FROM found) <= ${facetLimits.records} AS exact, ${countsOf(facets, 'found')} AS counts`;
  try {
    const result = await limited(database, indexMs, text, where.params);
    return result.exact ? facetsFrom(facets, result) : null;
  } catch (error) {
    if ((error as { code?: string }).code === statementTimeOut) return null;
    throw error;
  }
}

const statementTimeOut = '57014';

async function newest(
  database: Database,
  reader: AlertReader,
  { filter, facets }: AlertFacetGroup,
): Promise<CountedFacet[]> {
  const rows = newestRows({ reader, filter: filterOf(reader, filter) }, facetLimits.records, (params) =>
    shownColumns(facets, 'a.', params),
  );
  if (rows === null) return facets.map((facet) => ({ facet, counted: [], exact: true }));
  const text = `WITH read AS MATERIALIZED (${rows.text}), found AS MATERIALIZED (SELECT * FROM read WHERE hit)
    SELECT NOT EXISTS (SELECT 1 FROM read WHERE n = ${rows.rowsOfSlice}) AS exact,
      ${countsOf(facets, 'found')} AS counts`;
  return facetsFrom(facets, await limited(database, searchMs, text, rows.params));
}

async function limited(database: Database, ms: number, text: string, params: unknown[]): Promise<SearchResult> {
  return database.asService(async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = ${ms}`);
    const [row] = await tx.query<SearchResult>(text, params);
    return row ?? { exact: true, counts: [] };
  });
}

/** `f0`, `f1` …, one for each facet. The names of labels are added to the parameters. */
const shownColumns = (facets: readonly FacetField[], alias: string, params: unknown[]): string =>
  facets
    .map((facet, index) => {
      if (facet.kind === 'field') return `${alias}${columnOf(facet)}::text AS f${index}`;
      params.push(facet.key);
      return `${alias}labels ->> $${params.length} AS f${index}`;
    })
    .join(', ');

/** A little more than what is shown, as JSON: a value of which there is one more tells that there are more. */
const countsOf = (facets: readonly FacetField[], from: string): string =>
  `(SELECT coalesce(json_agg(c), '[]') FROM (${facets
    .map(
      (_facet, index) => `(SELECT ${index} AS facet, f${index} AS value, count(*)::int AS n FROM ${from}
        GROUP BY f${index} ORDER BY n DESC, value LIMIT ${facetLimits.values + 1})`,
    )
    .join(' UNION ALL ')}) AS c)`;

const columnOf = (facet: FacetField): string => {
  const column = facet.kind === 'field' ? columns[facet.field] : undefined;
  if (!column) throw new Error(`alerts have no facet ${facetText(facet)}`);
  return column;
};

const facetsFrom = (facets: readonly FacetField[], { exact, counts }: SearchResult): CountedFacet[] =>
  facets.map((facet, index) => ({
    facet,
    counted: counts.filter((row) => row.facet === index).map((row) => valueOf(facet, row)),
    exact,
  }));

const nouns = { clientId: 'client', integrationId: 'integration', assigneeId: 'member' } as const;

function valueOf(facet: FacetField, { value, n }: Pick<CountedRow, 'value' | 'n'>): CountedValue {
  if (value === null || facet.kind === 'label') return { value, count: n };
  if (facet.field === 'severity') return { value: severityOfRank(Number(value)), count: n };
  const noun = nouns[facet.field as keyof typeof nouns] as (typeof nouns)[keyof typeof nouns] | undefined;
  return { value: noun ? publicId(noun, value) : value, count: n };
}

/** In the order in which they were asked for. */
export const shownFacets = (asked: readonly FacetField[], counted: readonly CountedFacet[], limit: number): Facet[] =>
  asked.flatMap((facet) => {
    const found = counted.find((one) => facetText(one.facet) === facetText(facet));
    return found ? [{ facet: facetText(facet), ...topValues(found.counted, limit), exact: found.exact }] : [];
  });
