/**
 * Keyset pagination. A cursor contains the sort value and the id of the last item, and a hash of the filters and the
 * sort. No item is skipped or repeated when rows are added or deleted, and a late page costs as much as the first one.
 */
import { createHash } from 'node:crypto';
import { defaultPageSize, Fault, isUuid, maxPageSize, uuidOf, type Noun, type Page } from '@ams/contracts';
import { choiceOf, isStorable, type Choice } from '@ams/domain';
import type { Tx } from './database.js';

/** `id`: by the UUID alone, which contains the time of creation. */
export type SortType = 'time' | 'text' | 'int' | 'id';

export interface Sort {
  /** The SQL expression; together with `id` it gives a total order. Never null. Unused for the type `id`. */
  column: string;
  type: SortType;
  descending: boolean;
}

/** Conditions and their parameters. */
export class Where {
  readonly conditions: string[] = [];
  readonly params: unknown[] = [];

  /** Every `?` of the text is one of the values, in order. */
  and(text: string, ...values: unknown[]): this {
    let next = 0;
    this.conditions.push(
      text.replace(/\?/g, () => {
        this.params.push(values[next++]);
        return `$${this.params.length}`;
      }),
    );
    if (next !== values.length) throw new Error(`${values.length} values for ${next} placeholders in: ${text}`);
    return this;
  }

  /** The filter of a list by texts; nothing when the filter was not sent. */
  ofTexts(column: string, filter: readonly string[] | undefined): this {
    if (filter === undefined) return this;
    const choice = choiceOf(filter);
    return this.chosen(column, 'text', choice, choice.values);
  }

  /** The filter of a list by public ids. A malformed id belongs to no row and is not an error. */
  ofIds(column: string, noun: Noun, filter: readonly string[] | undefined): this {
    if (filter === undefined) return this;
    const choice = choiceOf(filter);
    const uuids = choice.values.map((id) => uuidOf(noun, id)).filter((uuid) => uuid !== null);
    return this.chosen(column, 'uuid', choice, uuids);
  }

  /** The filter of a list by a time: at or after `since`, and before `until`. */
  ofTimes(column: string, since: string | undefined, until: string | undefined): this {
    if (since !== undefined) this.and(`${column} >= ?`, new Date(since));
    return until === undefined ? this : this.and(`${column} < ?`, new Date(until));
  }

  /**
   * The rows of which the value is chosen. `values` are those of the choice as the column has them; a value that no row
   * can have may be left out.
   */
  chosen(column: string, type: string, { negated, none }: Choice, values: readonly unknown[]): this {
    if (negated) return this.and(`(${column} <> ALL(?::${type}[])) IS NOT FALSE`, values);
    if (!none) return this.and(`${column} = ANY(?::${type}[])`, values);
    return values.length === 0
      ? this.and(`${column} IS NULL`)
      : this.and(`(${column} IS NULL OR ${column} = ANY(?::${type}[]))`, values);
  }

  /**
   * The rows that have several values, of which one is chosen. `anyOf` is the condition that a row has one of the
   * values of the choice, with their parameters, and `nothing` that it has no value at all.
   */
  anyChosen({ negated, none }: Choice, anyOf: string, values: readonly unknown[], nothing: string): this {
    if (negated) return this.and(`NOT (${anyOf})`, ...values);
    return none ? this.and(`(${nothing} OR ${anyOf})`, ...values) : this.and(anyOf, ...values);
  }

  toString(): string {
    return this.conditions.length === 0 ? 'true' : this.conditions.join(' AND ');
  }
}

export interface PageRequest<Row, Item> {
  select: string;
  from: string;
  where: Where;
  sort: Sort;
  /** The SQL expression of the row's UUID. */
  id: string;
  limit: number | undefined;
  cursor: string | undefined;
  /** What the cursor is bound to: the whole query except `limit` and `cursor`. */
  boundTo: unknown;
  /** The total number of items; called for the first page only. Exports have none. */
  total?: (() => Promise<number>) | undefined;
  item: (row: Row) => Item | Promise<Item>;
}

/** A response must fit into one NATS message; a larger page ends earlier. */
const pageBytes = 700 * 1024;

/** A hash of what a cursor is bound to. */
export const boundBy = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 12);

/** The end of a page: the sort value of its last item and the UUID of the item. */
export interface Position {
  value: string;
  id: string;
}

/** `rankedTime`: a rank from 0 to 4, a space and a time. */
export type CursorType = SortType | 'rankedTime';

const valueForm: Record<CursorType, RegExp> = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  int: /^-?\d{1,15}$/,
  text: /^[^]{0,4096}$/,
  id: /^$/,
  rankedTime: /^[0-4] \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
};

/** JavaScript accepts the year 0 and 24:00, PostgreSQL does not accept both. */
const isTimeOfPostgres = (value: string): boolean =>
  !value.startsWith('0000') && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;

/** Throws INVALID_CURSOR unless the cursor was made with the same `bound` and the database can read its value. */
export function readCursor(cursor: string, bound: string, type: CursorType): Position {
  try {
    if (cursor.length > 8192 || !/^[\w-]+$/.test(cursor)) throw new Error('form');
    const [version, hash, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (version !== 1 || hash !== bound || typeof value !== 'string' || typeof id !== 'string')
      throw new Error('content');
    if (!valueForm[type].test(value) || !isStorable(value) || !isUuid(id)) throw new Error('values');
    if ((type === 'time' || type === 'rankedTime') && !isTimeOfPostgres(value.slice(-24))) throw new Error('time');
    return { value, id };
  } catch {
    throw new Fault('INVALID_CURSOR', null);
  }
}

export const writeCursor = (bound: string, { value, id }: Position): string =>
  Buffer.from(JSON.stringify([1, bound, value, id])).toString('base64url');

export const pageSize = (limit: number | undefined): number => Math.min(limit ?? defaultPageSize, maxPageSize);

/** As many of the items as fit into one message, at least the first. */
export function fitting<Item>(items: Item[]): Item[] {
  const room = new PageRoom();
  const end = items.findIndex((item) => !room.take(item));
  return end === -1 ? items : items.slice(0, end);
}

/** What fits into one message. Each item is measured once. */
export class PageRoom {
  private bytes = 0;

  /** Whether the item fits. The first one always does. */
  take(item: unknown): boolean {
    const isFirst = this.bytes === 0;
    this.bytes += Buffer.byteLength(JSON.stringify(item));
    return isFirst || this.bytes <= pageBytes;
  }
}

/** One item after another: an item may be much larger than its row. */
async function fittingOf<Row, Item>(rows: Row[], itemOf: (row: Row) => Item | Promise<Item>): Promise<Item[]> {
  const room = new PageRoom();
  const items: Item[] = [];
  for (const row of rows) {
    const item = await itemOf(row);
    if (!room.take(item)) break;
    items.push(item);
  }
  return items;
}

const castOf: Record<Exclude<SortType, 'id'>, string> = { time: '::timestamptz', text: '::text', int: '::int8' };

export async function page<Row, Item>(tx: Tx, request: PageRequest<Row, Item>): Promise<Page<Item>> {
  const limit = pageSize(request.limit);
  const { sort, where } = request;
  const bound = boundBy([request.boundTo, sort]);
  const first = request.cursor === undefined;
  const total = first ? await request.total?.() : undefined;

  if (request.cursor !== undefined) {
    const position = readCursor(request.cursor, bound, sort.type);
    const after = sort.descending ? '<' : '>';
    if (sort.type === 'id') where.and(`${request.id} ${after} ?::uuid`, position.id);
    else
      where.and(
        `(${sort.column}, ${request.id}) ${after} (?${castOf[sort.type]}, ?::uuid)`,
        position.value,
        position.id,
      );
  }
  const order = sort.descending ? 'DESC' : 'ASC';
  const orderBy = `${sort.type === 'id' ? '' : `${sort.column} ${order}, `}${request.id} ${order}`;
  const sortValue =
    sort.type === 'id'
      ? "''"
      : sort.type === 'time'
        ? `to_char(${sort.column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : `${sort.column}::text`;
  const rows = await tx.query<Row & { page_sort: string; page_id: string }>(
    `SELECT ${request.select}, ${sortValue} AS page_sort, ${request.id} AS page_id FROM ${request.from}
     WHERE ${where.toString()} ORDER BY ${orderBy} LIMIT ${limit + 1}`,
    where.params,
  );

  const data = await fittingOf(rows.slice(0, limit), (row) => request.item(row));
  const hasMore = rows.length > data.length;
  const last = rows[data.length - 1];
  const nextCursor = hasMore && last ? writeCursor(bound, { value: last.page_sort, id: last.page_id }) : null;
  return { data, meta: { limit, hasMore, nextCursor, ...(total === undefined ? {} : { total }) } };
}

/** The ILIKE pattern for a text that contains this text. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
