/**
 * A table whose records have values that do not change (`record`) and values that decisions change (`state`). Each
 * column is declared once. The select list, the types of `json_to_recordset`, the rows, the records and the JSON of the
 * API are made from it. A property of a record without a column, or of the API without a property, does not compile.
 */
type SqlType = 'uuid' | 'uuid[]' | 'text' | 'int' | 'smallint' | 'boolean' | 'jsonb' | 'timestamptz';

interface Column {
  type: SqlType;
  /** Never changes after the insert. */
  fixed?: true;
  /** Not part of the API. */
  hidden?: true;
  /**
   * `read` converts the stored value to that of the record, `write` the other way. A time is a Date in a row and
   * ISO 8601 in a record.
   */
  read?: (stored: never) => unknown;
  write?: (value: never) => unknown;
  /** Converts the value of the record to that of the API. */
  show?: (value: never) => unknown;
}

type Columns<Values> = Record<keyof Values & string, Column>;

/** `occurrenceCount` -> `occurrence_count`. */
type ColumnName<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : '';
const columnName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type StoredValue<Of, Value> = Of extends { type: 'timestamptz' }
  ? Date | Extract<Value, null>
  : Of extends { read: (stored: infer Stored) => unknown }
    ? Stored
    : Value;

/** A row as the driver reads it. */
export type RowOf<Table, Values> = {
  [Key in keyof Values & keyof Table & string as ColumnName<Key>]: StoredValue<Table[Key], Values[Key]>;
};

/** The columns of a row that the API shows. */
export type ShownRowOf<Table, Values> = {
  [
    Key in keyof Values & keyof Table & string as Table[Key] extends { hidden: true } ? never : ColumnName<Key>
  ]: StoredValue<Table[Key], Values[Key]>;
};

type Shown<Table, Values> = {
  [Key in keyof Values & keyof Table as Table[Key] extends { hidden: true } ? never : Key]: Values[Key];
};

type Convert = (value: unknown) => unknown;

/**
 * An object with these keys, to be copied and filled. V8 stores an object that gets a dozen properties by computed
 * names as a dictionary. To fill and stringify that takes four times as long. A copy of an object from JSON.parse
 * stays fast.
 */
const templateOf = (keys: string[]): Values =>
  JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, null])))) as Values;

const converted = (value: unknown, convert: Convert | undefined): unknown =>
  value === null || convert === undefined ? value : convert(value);
const readTime: Convert = (value) => (value as Date).toISOString();

type Values = Record<string, unknown>;

const columnsOf = (columns: Record<string, Column>, inState: boolean) =>
  Object.entries(columns).map(([key, { type, show, read, write, ...flags }]) => ({
    key,
    name: columnName(key),
    type,
    inState,
    ...flags,
    read: (read as Convert | undefined) ?? (type === 'timestamptz' ? readTime : undefined),
    write: write as Convert | undefined,
    show: show as Convert | undefined,
  }));

const keysOf = (columns: { key: string }[]): string[] => columns.map(({ key }) => key);

/** `recordTable<R>()(…)`: two calls, because TypeScript infers either all type arguments or none. */
export const recordTable =
  <R extends { state: object }>() =>
  <const Fixed extends Columns<Omit<R, 'state'>>, const State extends Columns<R['state']>>(
    fixed: Fixed,
    state: State,
  ) =>
    tableOf<R, Fixed, State>(fixed, state);

function tableOf<R extends { state: object }, Fixed, State>(fixed: Fixed, state: State) {
  type Row = RowOf<Fixed, R> & RowOf<State, R['state']>;
  type ShownRow = ShownRowOf<Fixed, R> & ShownRowOf<State, R['state']>;
  type Api = Shown<Fixed, R> & Shown<State, R['state']>;
  const ofRecord = columnsOf(fixed as Record<string, Column>, false);
  const ofState = columnsOf(state as Record<string, Column>, true);
  const all = [...ofRecord, ...ofState];
  // The order in the JSON of the API: the id, the state, the rest.
  const shown = [...ofRecord.slice(0, 1), ...ofState, ...ofRecord.slice(1)].filter(({ hidden }) => !hidden);
  const names = all.map(({ name }) => name);
  const rowTemplate = templateOf(names);
  const recordTemplate = templateOf([...keysOf(ofRecord), 'state']);
  const stateTemplate = templateOf(keysOf(ofState));
  const shownTemplate = templateOf(keysOf(shown));
  return {
    /** For SELECT, RETURNING and INSERT. */
    columns: names.join(', '),
    /** The columns of `shownRow`. Lists of many records are read with these only. */
    shownColumns: shown.map(({ name }) => name).join(', '),
    /** The columns that an UPDATE sets. */
    changing: all.filter((column) => !column.fixed).map(({ name }) => name),
    /** For `json_to_recordset`. */
    recordset: all.map(({ name, type }) => `${name} ${type}`).join(', '),

    recordOf(row: Row): R {
      const record = { ...recordTemplate };
      const inner = { ...stateTemplate };
      for (const { key, name, inState, read } of all) {
        (inState ? inner : record)[key] = converted((row as Values)[name], read);
      }
      record['state'] = inner;
      return record as R;
    },

    /** A row for `json_to_recordset`. */
    rowOf(record: R): { [Name in keyof Row]: unknown } {
      const row = { ...rowTemplate };
      for (const { key, name, inState, write } of all) {
        row[name] = converted(((inState ? record.state : record) as Values)[key], write);
      }
      return row as { [Name in keyof Row]: unknown };
    },

    shownRecord(record: R): Api {
      const result = { ...shownTemplate };
      for (const { key, inState, show } of shown) {
        result[key] = converted(((inState ? record.state : record) as Values)[key], show);
      }
      return result as Api;
    },

    shownRow(row: ShownRow): Api {
      const result = { ...shownTemplate };
      for (const { key, name, read, show } of shown) {
        result[key] = converted(converted((row as Values)[name], read), show);
      }
      return result as Api;
    },
  };
}
