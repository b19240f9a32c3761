/**
 * Finds the alerts of a page, fast among millions of alerts, with any filter.
 *
 * Indexes have the order of a page only within a slice: the alerts of one status and severity, of one source, of one
 * integration … A page is a merge of the slices that the filter names, each read in order and no further than needed.
 * The other conditions (a label, a text, a second field) are tested row by row, on some thousand rows (a probe). This
 * is enough when one row in a hundred matches. When fewer match, it is cheaper to find all that match by the index of
 * labels or of text, and to sort them, unless the statistics of PostgreSQL say that very many match: then the slices
 * are read until the page is full. The method that a filter needed is cached for some time, so that its next page
 * begins with it.
 *
 * Only ids are found with the role of the service, with explicit conditions on the reader (`ofReader`): for the
 * principal role the view of alerts compares the tenant of every row. The alerts themselves are read with the principal
 * role.
 */
import { addAlertFilter, filterOf, isSearched, ofReader, type AlertConditions, type AlertReader } from '@ams/alerting';
import { Where, type Database, type Position, type Statement } from '@ams/database';
import { createHash } from 'node:crypto';
import { slicesOf, type AlertOrder, type Slices } from './alert-slices.js';

export interface AlertSearch {
  reader: AlertReader;
  filter: AlertConditions;
  order: AlertOrder;
  descending: boolean;
  /** The page begins after this position. Its `value` is a time; in the order of severity a rank and a time. */
  after: Position | null;
  /** The maximum number of alerts. */
  size: number;
}

/** The positions of the first alerts after `after`, in order. */
export async function findAlerts(database: Database, given: AlertSearch): Promise<Position[]> {
  if (given.reader.restrictedTo?.clientIds.length === 0) return [];
  const search = { ...given, filter: filterOf(given.reader, given.filter) };
  const slices = slicesOf(search.filter, search.order);
  if (slices.count === 0) return [];
  const scan = scanOf(search, slices);
  const found =
    scan.tested === ''
      ? await readInOrder(database, search, scan)
      : ((await probe(database, search, scan)) ?? (await allMatching(database, search, scan)));
  return found.map((row) => positionOf(search.order, row));
}

// --- Orders ---------------------------------------------------------------------------------------------------------

const orders = {
  lastOccurredAt: { time: 'last_occurred_at', columns: ['last_occurred_at', 'id'], types: ['timestamptz', 'uuid'] },
  createdAt: { time: 'created_at', columns: ['created_at', 'id'], types: ['timestamptz', 'uuid'] },
  severity: {
    time: 'last_occurred_at',
    columns: ['severity', 'last_occurred_at', 'id'],
    types: ['smallint', 'timestamptz', 'uuid'],
  },
} as const;

type Ordered = Pick<AlertSearch, 'order' | 'descending'>;

const direction = ({ descending }: Ordered): string => (descending ? 'DESC' : 'ASC');

/** The order of every slice. */
const sliceOrder = (search: Ordered): string =>
  `ORDER BY a.${orders[search.order].time} ${direction(search)}, a.id ${direction(search)}`;

const orderBy = (search: Ordered, alias: string): string =>
  orders[search.order].columns.map((column) => `${alias}.${column} ${direction(search)}`).join(', ');

const keyOf = ({ order }: Ordered, alias: string): string =>
  `(${orders[order].columns.map((column) => `${alias}.${column}`).join(', ')})`;

/** `a` comes after `b`. */
const isBehind = (search: Ordered, a: string, b: string): string =>
  `${keyOf(search, a)} ${search.descending ? '<' : '>'} ${b}`;

function addPosition(where: Where, search: AlertSearch, alias: string): void {
  const { order, after } = search;
  if (!after) return;
  const places = `(${orders[order].types.map((type) => `?::${type}`).join(', ')})`;
  const values = order === 'severity' ? after.value.split(' ') : [after.value];
  where.and(isBehind(search, alias, places), ...values, after.id);
}

interface Found {
  severity: number;
  at: string;
  id: string;
}

const positionOf = (order: AlertOrder, { severity, at, id }: Found): Position => {
  const time = new Date(at).toISOString();
  return { value: order === 'severity' ? `${severity} ${time}` : time, id };
};

// --- Slices read in order -------------------------------------------------------------------------------------------

interface Scan {
  params: unknown[];
  sliceCount: number;
  /** Conditions that are tested on each row that is read. */
  tested: string;
  /** FROM text with the first rows of each slice, of those that meet `also`, and with `more` columns, as `x`. */
  firstOfSlices: (more: string, limit: number, also?: string) => string;
}

function scanOf(search: AlertSearch, { columns, count, settled }: Slices): Scan {
  const { filter, order } = search;
  const { time } = orders[order];
  const where = ofReader(search.reader, 'a.');
  addPosition(where, search, 'a');
  const range =
    order === 'createdAt'
      ? { createdSince: filter.createdSince, createdUntil: filter.createdUntil }
      : { since: filter.since, until: filter.until };
  addAlertFilter(where, range);
  const ends = where.conditions.length;
  const done: string[] = [...settled, ...Object.keys(range)];
  addAlertFilter(where, Object.fromEntries(Object.entries(filter).filter(([field]) => !done.includes(field))));

  const names = columns.map(({ name }) => name);
  if (columns.length > 0) where.params.push(rowsOf(columns, count));
  const slices =
    columns.length === 0
      ? ''
      : `json_to_recordset($${where.params.length}::json)
         AS slice(${columns.map(({ name, type }) => `${name} ${type}`).join(', ')}) CROSS JOIN LATERAL `;
  const conditions = [...where.conditions.slice(0, ends), ...names.map((name) => `a.${name} = slice.${name}`)];
  return {
    params: where.params,
    sliceCount: count,
    tested: where.conditions.slice(ends).join(' AND '),
    firstOfSlices: (more, limit, also) =>
      `${slices}(SELECT a.id, a.severity, a.${time}${more} FROM alerts_views.alerts a
         WHERE ${[...conditions, ...(also ? [also] : [])].join(' AND ')} ${sliceOrder(search)} LIMIT ${limit}) AS x`,
  };
}

/**
 * The slices as rows in JSON. PostgreSQL expects the same number of rows for each list. So it keeps the plan of the
 * prepared statement; with `unnest` of arrays it planned again for each list, which took longer than to read a page.
 */
const rowsOf = (columns: Slices['columns'], count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) =>
      Object.fromEntries(columns.map(({ name, values }) => [name, values[index]])),
    ),
  );

/** A prepared statement: planned once on each connection. Only for statements with few forms and one good plan. */
const prepared = (text: string): Statement => ({ name: createHash('sha1').update(text).digest('base64url'), text });

function readInOrder(database: Database, search: AlertSearch, scan: Scan): Promise<Found[]> {
  const { order, size } = search;
  const text = `SELECT x.id, x.severity, x.${orders[order].time} AS at FROM ${scan.firstOfSlices('', size, scan.tested)}
    ORDER BY ${orderBy(search, 'x')} LIMIT ${size}`;
  return database.query<Found>(scan.tested === '' ? prepared(text) : text, scan.params);
}

// --- Probes ---------------------------------------------------------------------------------------------------------

/** How many rows each probe reads, in all slices together. */
const probeRows = [400, 2000, 6000];
/** The same for filters that neither the index of labels nor that of titles serves. */
const probeRowsWithoutIndex = [...probeRows, 30_000];
/** The minimum in each slice, except in the first probe. */
const probeRowsOfSlice = 100;

/** Null when no probe finds enough. */
async function probe(database: Database, search: AlertSearch, scan: Scan): Promise<Found[] | null> {
  const { reader, order, descending, filter, size } = search;
  const key = JSON.stringify([reader.organizationId, reader.environment, order, descending, filter]);
  const sizes = isSearched(filter) ? probeRows : probeRowsWithoutIndex;
  for (let stage = stages.get(key) ?? 0; stage < sizes.length; stage++) {
    const rows = sizes[stage] as number;
    const rowsOfSlice = Math.max(stage > 0 ? probeRowsOfSlice : 1, Math.ceil(rows / scan.sliceCount));
    const [result] = await database.query<{ complete: boolean; hits: Found[] }>(
      probeText(search, scan, rowsOfSlice),
      scan.params,
    );
    if (result && (result.complete || result.hits.length >= size)) {
      stages.set(key, stage);
      return result.hits;
    }
  }
  stages.set(key, sizes.length);
  return null;
}

/** A slice that was not read completely is known up to its last row. Matches after the first such row do not count. */
function probeText(search: AlertSearch, scan: Scan, rowsOfSlice: number): string {
  const { order, size } = search;
  const { time } = orders[order];
  const tested = `, (${scan.tested}) AS hit, row_number() OVER (${sliceOrder(search)}) AS n`;
  return `WITH probe AS MATERIALIZED (SELECT x.* FROM ${scan.firstOfSlices(tested, rowsOfSlice)}),
    edge AS (SELECT * FROM probe WHERE n = ${rowsOfSlice} ORDER BY ${orderBy(search, 'probe')} LIMIT 1),
    hits AS (
      SELECT p.id, p.severity, p.${time} AS at FROM probe p
      WHERE p.hit AND NOT EXISTS (SELECT 1 FROM edge WHERE ${isBehind(search, 'p', keyOf(search, 'edge'))})
      ORDER BY ${orderBy(search, 'p')} LIMIT ${size})
    SELECT NOT EXISTS (SELECT 1 FROM edge) AS complete,
      coalesce((SELECT json_agg(hits) FROM hits), '[]') AS hits`;
}

/**
 * A query of the newest rows: at most `limit` in all slices together, with the columns that `more` names, `hit`
 * (whether the alert matches the filter) and `n` (the number in its slice). A slice that has a row with the number
 * `rowsOfSlice` was not read completely. Null when no alert can match.
 */
export function newestRows(
  { reader, filter }: Pick<AlertSearch, 'reader' | 'filter'>,
  limit: number,
  more: (params: unknown[]) => string,
): { text: string; params: unknown[]; rowsOfSlice: number } | null {
  const search: AlertSearch = { reader, filter, order: 'lastOccurredAt', descending: true, after: null, size: limit };
  const slices = slicesOf(filter, search.order);
  if (slices.count === 0) return null;
  const scan = scanOf(search, slices);
  const rowsOfSlice = Math.max(probeRowsOfSlice, Math.ceil(limit / scan.sliceCount)) + 1;
  const columns = `, ${more(scan.params)}, (${scan.tested || 'true'}) AS hit,
    row_number() OVER (${sliceOrder(search)}) AS n`;
  return { text: `SELECT x.* FROM ${scan.firstOfSlices(columns, rowsOfSlice)}`, params: scan.params, rowsOfSlice };
}

const rememberMs = 30_000;
const mostRemembered = 1000;

/** By filter, for some time. */
class Remembered<Value> {
  private readonly values = new Map<string, { value: Value; until: number }>();

  get(key: string): Value | undefined {
    const known = this.values.get(key);
    return known && known.until > performance.now() ? known.value : undefined;
  }

  set(key: string, value: Value): void {
    this.values.delete(key);
    this.values.set(key, { value, until: performance.now() + rememberMs });
    for (const oldest of this.values.keys()) if (this.values.size > mostRemembered) this.values.delete(oldest);
  }
}

/** The probe that a search begins with: the one that was enough, or none when all were too small. */
const stages = new Remembered<number>();

// --- All that match -------------------------------------------------------------------------------------------------

/** What filters and orders read, without labels and texts. */
const filterable =
  'id, severity, status, source, fingerprint, client_id, integration_id, incident_id, assignee_id, ' +
  'last_occurred_at, created_at';

/** More matches than this take longer to be read and sorted than the slices. */
const manyMatches = 50_000;

/** `searched`: what the indexes of labels and texts find. */
const partsOf = ({ label, matched, q, ...others }: AlertConditions) => ({ searched: { label, matched, q }, others });

async function allMatching(database: Database, search: AlertSearch, scan: Scan): Promise<Found[]> {
  return (await isCommon(database, search)) ? readInOrder(database, search, scan) : sortMatching(database, search);
}

/** Of labels and texts. To ask takes PostgreSQL a millisecond. */
const commons = new Remembered<boolean>();

/**
 * Whether very many alerts match the labels and the text, by the statistics of PostgreSQL: no alert is read. The
 * indexes are one for all organizations, so these alerts are of all of them.
 */
async function isCommon(database: Database, { filter }: AlertSearch): Promise<boolean> {
  if (!isSearched(filter)) return false;
  const { searched } = partsOf(filter);
  const key = JSON.stringify(searched);
  const known = commons.get(key);
  if (known !== undefined) return known;
  const where = addAlertFilter(new Where(), searched);
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) SELECT FROM alerts_views.alerts WHERE ${where.toString()}`,
    where.params,
  );
  const common = (row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0) > manyMatches;
  commons.set(key, common);
  return common;
}

/**
 * First only by the labels and the text. The planner would otherwise combine their indexes with larger ones that are
 * not needed.
 */
function sortMatching(database: Database, search: AlertSearch): Promise<Found[]> {
  const { reader, filter, order, size } = search;
  const { searched, others } = partsOf(filter);
  const byIndex = isSearched(filter);
  const where = addAlertFilter(ofReader(reader), byIndex ? searched : filter);
  const indexed = where.conditions.length;
  if (byIndex) addAlertFilter(where, others);
  addPosition(where, search, 'x');
  const inner = where.conditions.slice(0, indexed).join(' AND ');
  const outer = where.conditions.slice(indexed).join(' AND ') || 'true';
  return database.query<Found>(
    `WITH x AS MATERIALIZED (SELECT ${filterable} FROM alerts_views.alerts a WHERE ${inner})
     SELECT x.id, x.severity, x.${orders[order].time} AS at FROM x WHERE ${outer}
     ORDER BY ${orderBy(search, 'x')} LIMIT ${size}`,
    where.params,
  );
}
