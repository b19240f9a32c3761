/**
 * Which alerts are on a page, found fast among millions, whatever the filters are.
 *
 * The order of a page is one that indexes have only within a lane: the alerts of one status and severity, of one source,
 * of one integration … A page is a merge of the lanes that the filter names, each read in order and no further than
 * needed. Filters that the lanes do not settle (a label, a text, a second dimension) are looked at row by row, for some
 * thousand rows (`probe`), which is enough when the filter matches one row in a hundred. Where it matches fewer, it is
 * cheaper to find all that match by the index of labels or of text, and to sort those. What was needed is remembered for
 * a while, so that the next page of the same filter begins with it.
 *
 * Ids are found as the service, under the explicit predicates of the tenant, and nothing but ids: for a principal the
 * view of alerts compares the tenant of every row that is looked at. The rows themselves are read as the principal.
 */
import { createHash } from 'node:crypto';
import type { AlertFilter, Principal } from '@ams/contracts';
import { alertStatuses, severities } from '@ams/domain';
import { addAlertFilter, severityRank, uuidsOf } from '@ams/alerting';
import { Where, type Database, type Position, type Statement } from '@ams/database';

export type AlertOrder = 'lastOccurredAt' | 'createdAt' | 'severity';

export interface AlertSearch {
  tenant: Pick<Principal, 'organizationId' | 'environment'>;
  filter: AlertFilter;
  order: AlertOrder;
  descending: boolean;
  /** The page begins behind it: its `value` is a time, for the order by severity a rank and a time. */
  after: Position | null;
  /** How many at most. */
  size: number;
}

/** How many rows each probe looks at, in all lanes together. After the last one all that match are found and sorted. */
const probeRows = [400, 2000, 6000];
/** In each lane at least, if it is not the first probe. */
const probeRowsOfLane = 100;

/** For how long it is remembered how far the probes of a filter had to go. */
const rememberMs = 30_000;
const remembered = 1000;
const efforts = new Map<string, { stage: number; until: number }>();

function remember(key: string, stage: number): void {
  efforts.delete(key);
  if (stage > 0) efforts.set(key, { stage, until: performance.now() + rememberMs });
  for (const oldest of efforts.keys()) if (efforts.size > remembered) efforts.delete(oldest);
}

function stageOf(key: string): number {
  const known = efforts.get(key);
  return known && known.until > performance.now() ? known.stage : 0;
}

/** What filters and orders look at, save labels and texts. */
const filterable =
  'id, severity, status, source, fingerprint, client_id, integration_id, incident_id, assignee_id, last_occurred_at, created_at';

/** A set of lanes: the columns they are told apart by, and for each column the values, all lists of one length. */
interface Lanes {
  columns: { name: string; type: string }[];
  values: unknown[][];
  /** Filters that are settled by them. */
  settled: (keyof AlertFilter)[];
}

const allStatuses: readonly string[] = alertStatuses;

function stateLanes({ status, severity }: AlertFilter): Lanes {
  const ranks = (severity ?? [...severities]).map(severityRank);
  const pairs = [...new Set(status ?? allStatuses)].flatMap((state) =>
    [...new Set(ranks)].map((rank) => [state, rank] as const),
  );
  return {
    columns: [
      { name: 'status', type: 'text' },
      { name: 'severity', type: 'smallint' },
    ],
    values: [pairs.map(([state]) => state), pairs.map(([, rank]) => rank)],
    settled: ['status', 'severity'],
  };
}

const lanesOf = (name: string, type: string, values: unknown[], settled: keyof AlertFilter): Lanes => ({
  columns: [{ name, type }],
  values: [[...new Set(values)]],
  settled: [settled],
});

const oneLane: Lanes = { columns: [], values: [[]], settled: [] };

/** The lanes of a filter, the most selective first. */
function chooseLanes({ filter, order }: AlertSearch): Lanes {
  if (order === 'createdAt') return oneLane;
  if (order === 'severity') return stateLanes(filter);
  if (filter.fingerprint) return lanesOf('fingerprint', 'text', filter.fingerprint, 'fingerprint');
  if (filter.incidentId) return lanesOf('incident_id', 'uuid', uuidsOf('incident', filter.incidentId), 'incidentId');
  if (filter.assigneeId) return lanesOf('assignee_id', 'uuid', uuidsOf('member', filter.assigneeId), 'assigneeId');
  if (filter.clientId) return lanesOf('client_id', 'uuid', uuidsOf('client', filter.clientId), 'clientId');
  if (filter.integrationId)
    return lanesOf('integration_id', 'uuid', uuidsOf('integration', filter.integrationId), 'integrationId');
  if (filter.source) return lanesOf('source', 'text', filter.source, 'source');
  if (filter.status || filter.severity) return stateLanes(filter);
  return oneLane;
}

/** The columns of each order, in SQL, and how its position is written in a cursor. */
const orders = {
  lastOccurredAt: { columns: ['last_occurred_at', 'id'], types: ['timestamptz', 'uuid'] },
  createdAt: { columns: ['created_at', 'id'], types: ['timestamptz', 'uuid'] },
  severity: { columns: ['severity', 'last_occurred_at', 'id'], types: ['smallint', 'timestamptz', 'uuid'] },
} as const;

const positionValues = (order: AlertOrder, { value, id }: Position): unknown[] =>
  order === 'severity' ? [...value.split(' '), id] : [value, id];

interface Found {
  severity: number;
  at: string;
  id: string;
}

const positionOf = (order: AlertOrder, { severity, at, id }: Found): Position => ({
  value: order === 'severity' ? `${severity} ${new Date(at).toISOString()}` : new Date(at).toISOString(),
  id,
});

/** The statement parsed and planned once on each connection. Only for what has few shapes and one good plan. */
const prepared = (text: string): Statement => ({ name: createHash('sha1').update(text).digest('base64url'), text });

/** The positions of the first alerts behind `after`, in order. */
export async function findAlerts(database: Database, search: AlertSearch): Promise<Position[]> {
  const { filter, order, descending, after, size } = search;
  const lanes = chooseLanes(search);
  const laneCount = lanes.columns.length === 0 ? 1 : (lanes.values[0]?.length ?? 0);
  if (laneCount === 0) return [];

  const direction = descending ? 'DESC' : 'ASC';
  const { columns, types } = orders[order];
  const time = order === 'createdAt' ? 'created_at' : 'last_occurred_at';
  const ordered = (alias: string): string => columns.map((column) => `${alias}.${column} ${direction}`).join(', ');

  // What the scan of a lane begins and ends with, then what is looked at row by row.
  const where = new Where()
    .and('a.organization_id = ?', search.tenant.organizationId)
    .and('a.environment = ?', search.tenant.environment);
  if (after)
    where.and(
      `(${columns.map((column) => `a.${column}`).join(', ')}) ${descending ? '<' : '>'} (${types.map((type) => `?::${type}`).join(', ')})`,
      ...positionValues(order, after),
    );
  const range = order === 'createdAt' ? {} : { since: filter.since, until: filter.until };
  addAlertFilter(where, range);
  const scanned = where.conditions.length;
  const settled = new Set<string>([...lanes.settled, ...Object.keys(range)]);
  addAlertFilter(where, Object.fromEntries(Object.entries(filter).filter(([field]) => !settled.has(field))));
  const scan = where.conditions.slice(0, scanned).join(' AND ');
  const rest = where.conditions.slice(scanned).join(' AND ');

  const laneParams = lanes.columns.map(({ type }, index) => {
    where.params.push(lanes.values[index]);
    return `$${where.params.length}::${type}[]`;
  });
  const laneTable =
    lanes.columns.length === 0
      ? ''
      : `unnest(${laneParams.join(', ')}) AS lane(${lanes.columns.map(({ name }) => name).join(', ')}) CROSS JOIN LATERAL `;
  const ofLane = lanes.columns.map(({ name }) => ` AND a.${name} = lane.${name}`).join('');
  const found = `a.id, a.severity, a.${time}`;

  const laneOf = (more: string, limit: number): string =>
    `${laneTable}(SELECT ${found}${more} FROM alerts_views.alerts a WHERE ${scan}${ofLane} ORDER BY a.${time} ${direction}, a.id ${direction} LIMIT ${limit}) AS x`;

  if (rest === '') {
    const rows = await database.query<Found>(
      prepared(
        `SELECT x.id, x.severity, x.${time} AS at FROM ${laneOf('', size)} ORDER BY ${ordered('x')} LIMIT ${size}`,
      ),
      where.params,
    );
    return rows.map((row) => positionOf(order, row));
  }

  const effort = JSON.stringify([search.tenant.organizationId, search.tenant.environment, order, descending, filter]);
  const numbered = `, (${rest}) AS hit, row_number() OVER (ORDER BY a.${time} ${direction}, a.id ${direction}) AS n`;
  for (let stage = stageOf(effort); stage < probeRows.length; stage++) {
    const rowsOfLane = Math.max(stage > 0 ? probeRowsOfLane : 1, Math.ceil((probeRows[stage] as number) / laneCount));
    // Lanes that were not read to their end are known up to the row they stopped at: nothing behind the first such row counts.
    const [probe] = await database.query<{ complete: boolean; hits: Found[] }>(
      `WITH probe AS MATERIALIZED (SELECT x.* FROM ${laneOf(numbered, rowsOfLane)}),
       edge AS (SELECT * FROM probe WHERE n = ${rowsOfLane} ORDER BY ${ordered('probe')} LIMIT 1),
       hits AS (
         SELECT p.id, p.severity, p.${time} AS at FROM probe p
         WHERE p.hit AND NOT EXISTS (SELECT 1 FROM edge WHERE (${columns.map((c) => `p.${c}`).join(', ')}) ${descending ? '<' : '>'} (${columns.map((c) => `edge.${c}`).join(', ')}))
         ORDER BY ${ordered('p')} LIMIT ${size})
       SELECT NOT EXISTS (SELECT 1 FROM edge) AS complete, coalesce((SELECT json_agg(hits) FROM hits), '[]') AS hits`,
      where.params,
    );
    if (probe && (probe.complete || probe.hits.length >= size)) {
      remember(effort, stage);
      return probe.hits.map((row) => positionOf(order, row));
    }
  }
  remember(effort, probeRows.length);

  // First the labels and the text alone, which have indexes that the planner would otherwise join with needlessly large ones.
  const { label, q, ...others } = filter;
  const flat = new Where()
    .and('a.organization_id = ?', search.tenant.organizationId)
    .and('a.environment = ?', search.tenant.environment);
  const searched = label !== undefined || q !== undefined;
  addAlertFilter(flat, searched ? { label, q } : filter);
  const inner = flat.conditions.length;
  if (searched) addAlertFilter(flat, others);
  if (after)
    flat.and(
      `(${columns.join(', ')}) ${descending ? '<' : '>'} (${types.map((type) => `?::${type}`).join(', ')})`,
      ...positionValues(order, after),
    );
  const rows = await database.query<Found>(
    `WITH x AS MATERIALIZED (SELECT ${filterable} FROM alerts_views.alerts a WHERE ${flat.conditions.slice(0, inner).join(' AND ')})
     SELECT x.id, x.severity, x.${time} AS at FROM x WHERE ${flat.conditions.slice(inner).join(' AND ') || 'true'} ORDER BY ${ordered('x')} LIMIT ${size}`,
    flat.params,
  );
  return rows.map((row) => positionOf(order, row));
}
