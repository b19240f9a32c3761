/** SQL on the view of incidents; alert-pipeline owns the table. */
import {
  incidentFromRow,
  severityOfRank,
  severityRank,
  shownIncidentColumns,
  uuidsOf,
  type ShownIncidentRow,
} from '@ams/alerting';
import {
  Fault,
  publicId,
  uuidOf,
  type Facets,
  type Incident,
  type IncidentFacetsQuery,
  type Input,
  type ListIncidentsQuery,
  type Page,
  type Tenant,
} from '@ams/contracts';
import { containing, page, type Tx, type Where } from '@ams/database';
import {
  choiceOf,
  chosenOf,
  facetGroups,
  facetLimits,
  facetText,
  incidentFacetNames,
  incidentStatuses,
  parseFacets,
  severities,
  topValues,
  type CountedValue,
  type FacetField,
} from '@ams/domain';
import { count, owned, sortBy } from '../records/tenant-queries.js';

const view = 'alerts_views.incidents';

const sorts = {
  createdAt: { column: 'created_at', type: 'time' },
  number: { column: 'number', type: 'int' },
  severity: { column: 'severity', type: 'int' },
} as const;

/** The team of the policy that pages people: the one that owns it, else the only one that uses it. */
const teamOfIncident = `(SELECT coalesce(p.team_id, (
    SELECT min(t.id::text)::uuid FROM resources.teams t WHERE t.policy_id = p.id HAVING count(*) = 1))
  FROM resources.escalation_policies p WHERE p.id = incidents.policy_id)`;

export function incidentsPage(
  tx: Tx,
  tenant: Tenant,
  query: ListIncidentsQuery,
  { isExport = false } = {},
): Promise<Page<Incident>> {
  const { limit, cursor, ...filters } = query;
  const where = incidentsMatching(tenant, filters);
  return page<ShownIncidentRow, Incident>(tx, {
    select: shownIncidentColumns,
    from: view,
    where,
    sort: sortBy(filters.sort ?? '-createdAt', sorts),
    id: 'id',
    limit,
    cursor,
    boundTo: ['incidents', filters],
    total: isExport ? undefined : () => count(tx, view, where),
    item: incidentFromRow,
  });
}

function incidentsMatching(tenant: Tenant, filters: ListIncidentsQuery): Where {
  const where = owned(tenant);
  if (filters.status) where.and('status = ANY(?::text[])', chosenOf(filters.status, incidentStatuses));
  if (filters.severity)
    where.and('severity = ANY(?::smallint[])', chosenOf(filters.severity, severities).map(severityRank));
  where.ofIds('client_id', 'client', filters.clientId);
  where.ofIds(teamOfIncident, 'team', filters.teamId);
  if (filters.assigneeId) {
    const assignees = choiceOf(filters.assigneeId);
    const members = uuidsOf('member', assignees.values);
    where.anyChosen(assignees, 'assignee_ids && ?::uuid[]', [members], 'cardinality(assignee_ids) = 0');
  }
  if (filters.number) {
    const numbers = choiceOf(filters.number);
    const known = numbers.values.filter((value) => /^\d{1,9}$/.test(value)).map(Number);
    where.anyChosen(numbers, 'number = ANY(?::int[])', [known], 'false');
  }
  if (filters.q) where.and('title ILIKE ?', containing(filters.q));
  where.ofTimes('created_at', filters.since, filters.until);
  return where.ofTimes('created_at', filters.createdSince, filters.createdUntil);
}

/** How long the incidents of a facet are searched for, in milliseconds. */
const facetMs = 2000;

const facetColumns: Record<string, string> = {
  status: 'status',
  severity: 'severity',
  teamId: teamOfIncident,
  clientId: 'client_id',
};
const facetNouns = { teamId: 'team', clientId: 'client', assigneeId: 'member' } as const;

/** How many incidents have each value of a field. An incident with several assignees counts for each of them. */
export async function incidentFacets(tx: Tx, tenant: Tenant, query: IncidentFacetsQuery): Promise<Facets> {
  const { facet = [...incidentFacetNames], values = facetLimits.valuesByDefault, ...filters } = query;
  const parsed = parseFacets(facet, incidentFacetNames, false);
  if (parsed.kind === 'fault') throw new Error(`unchecked facets: facet ${parsed.message}`);
  await tx.query(`SET LOCAL statement_timeout = ${facetMs}`);
  const found = new Map<string, { counted: CountedValue[]; exact: boolean }>();
  for (const group of facetGroups(parsed.facets, filters, withoutFacet))
    for (const [name, counted] of await countFacets(tx, tenant, group.filter, group.facets)) found.set(name, counted);
  return {
    facets: parsed.facets.map(facetText).map((name) => {
      const { counted = [], exact = true } = found.get(name) ?? {};
      return { facet: name, ...topValues(counted, values), exact };
    }),
  };
}

type IncidentFilter = Omit<ListIncidentsQuery, 'limit' | 'cursor' | 'sort'>;

function withoutFacet(filter: IncidentFilter, facet: FacetField): IncidentFilter {
  const field = facetText(facet) as keyof IncidentFilter;
  return filter[field] === undefined ? filter : { ...filter, [field]: undefined };
}

interface CountedRow {
  facet: string;
  value: string | null;
  n: number;
}

/** The newest incidents that match are counted. */
async function countFacets(
  tx: Tx,
  tenant: Tenant,
  filter: IncidentFilter,
  facets: readonly FacetField[],
): Promise<Map<string, { counted: CountedValue[]; exact: boolean }>> {
  const where = incidentsMatching(tenant, filter);
  const names = facets.map(facetText);
  const shown = names.map((name) => (facetColumns[name] ? `${facetColumns[name]}::text AS "${name}"` : 'assignee_ids'));
  const counts = names.map((name) =>
    name === 'assigneeId'
      ? `SELECT 'assigneeId' AS facet, assignee::text AS value, count(*)::int AS n FROM found
         LEFT JOIN LATERAL unnest(assignee_ids) AS assignee ON true GROUP BY 2`
      : `SELECT '${name}' AS facet, "${name}" AS value, count(*)::int AS n FROM found GROUP BY 2`,
  );
  const [row] = await tx.query<{ exact: boolean; counts: CountedRow[] }>(
    `WITH found AS MATERIALIZED (
       SELECT ${shown.join(', ')} FROM ${view} WHERE ${where.toString()}
       ORDER BY created_at DESC, id DESC LIMIT ${facetLimits.records + 1})
     SELECT (SELECT count(*) FROM found) <= ${facetLimits.records} AS exact,
       (SELECT coalesce(json_agg(c), '[]') FROM (${counts.join(' UNION ALL ')}) AS c) AS counts`,
    where.params,
  );
  const { exact = true, counts: rows = [] } = row ?? {};
  return new Map(
    names.map((name) => [
      name,
      { counted: rows.filter(({ facet }) => facet === name).map((one) => facetValue(name, one)), exact },
    ]),
  );
}

function facetValue(name: string, { value, n }: CountedRow): CountedValue {
  if (value === null) return { value, count: n };
  if (name === 'severity') return { value: severityOfRank(Number(value)), count: n };
  const noun = facetNouns[name as keyof typeof facetNouns] as (typeof facetNouns)[keyof typeof facetNouns] | undefined;
  return { value: noun ? publicId(noun, value) : value, count: n };
}

/** The incident that the path names. Throws NOT_FOUND. */
export async function findIncident(
  tx: Pick<Tx, 'query'>,
  { principal, params }: Input<unknown, unknown>,
): Promise<ShownIncidentRow> {
  const publicId = params['id'] ?? '';
  const id = uuidOf('incident', publicId);
  const where = owned(principal).and('id = ?', id);
  const [row] =
    id === null
      ? []
      : await tx.query<ShownIncidentRow>(
          `SELECT ${shownIncidentColumns} FROM ${view} WHERE ${where.toString()}`,
          where.params,
        );
  if (!row) throw new Fault('NOT_FOUND', { resource: 'incident', id: publicId });
  return row;
}
