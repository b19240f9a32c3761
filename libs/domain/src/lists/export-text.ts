/**
 * Records as lines of an export: NDJSON (one JSON object a line), or CSV as RFC 4180 has it (lines end with CR LF).
 *
 * A column of CSV is a property of the record, or a path with dots into it (`acknowledgedBy.name`). No value is an
 * empty cell. Objects and lists are JSON.
 *
 * Spreadsheets run a cell that begins with `=` and similar characters as a formula. Texts of alerts come from outside,
 * so such a text has a `'` in front. A text that begins with `'` has another one in front, too: whoever removes one `'`
 * from the front of a cell always gets the text that was stored.
 */

export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const csvHeader = (columns: readonly string[]): string => lineOf(columns);

/** How a record becomes a line. */
export function csvLines(columns: readonly string[]): (record: unknown) => string {
  const paths = columns.map((column) => column.split('.'));
  return (record) => lineOf(paths.map((path) => cellOf(valueAt(record, path))));
}

export const ndjsonLine = (record: unknown): string => `${JSON.stringify(record)}\n`;

const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The last four are wide forms, which some spreadsheets accept. */
const formula = /^[=+\-@\t\r\n'＝＋－＠]/;

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return formula.test(value) ? `'${value}` : value;
  return JSON.stringify(value);
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
