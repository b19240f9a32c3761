// Checks a file against itself and against the installation, before anything is stored: the header, the order and the
// form of each line, that each row belongs to the organization, and that no id, slug, key or token is in use.
import { checkedHeader, FileFault, fileKinds, isUuid, kindsByName, linesOf } from './format.mjs';
import { dataKeyKind } from './kinds.mjs';
import { passphraseSeal } from './passphrase.mjs';

const valuesAtOnce = 500;
/** Conflicts that are listed, and kept to list the first of them. */
const [maxConflicts, maxKept] = [100, 10_000];

/** `options`: { file, slug, passphrase, withoutSecrets }. Throws FileFault. Returns what an import needs. */
export async function checkedFile(context, options, schema) {
  const { file, slug, passphrase, withoutSecrets } = options;
  const tables = await columnTypes(context.database);
  const conflicts = new Conflicts(context.database, slug);
  const counts = new Map();
  const months = new Map();
  const outcome = {};
  let header = null;
  let place = 0;
  let seal = null;
  for await (const { number, value } of linesOf(file, outcome)) {
    if (!header) {
      header = checkedHeader(value);
      seal = openedHeader(header, schema, { passphrase, withoutSecrets });
      continue;
    }
    const kind = kindsByName.get(value.kind);
    if (!kind) throw new FileFault(`line ${number}: there is no kind ${JSON.stringify(value.kind)}.`);
    const at = fileKinds.indexOf(kind);
    if (at < place) throw new FileFault(`line ${number}: ${kind.kind} must be before ${fileKinds[place].kind}.`);
    place = at;
    counts.set(kind.kind, (counts.get(kind.kind) ?? 0) + 1);
    checkRow(kind, value, number, header.organization.id, tables.get(kind.table));
    if (kind === dataKeyKind) {
      if (!('salt' in header.secrets)) throw new FileFault(`line ${number}: the header names no secrets.`);
      if (seal) seal.open(value.row.sealed, context.recordOfDataKey(tenantOf(value.row)));
    }
    if (kind.monthly) noteMonth(months, kind.table, value.row[kind.monthly]);
    await conflicts.add(kind, value.row, number);
  }
  if (!header) throw new FileFault('the file is empty.');
  for (const { kind } of fileKinds) {
    const [named, found] = [header.counts[kind] ?? 0, counts.get(kind) ?? 0];
    if (named !== found)
      throw new FileFault(`the header names ${named} lines of the kind ${kind}, and there are ${found}.`);
  }
  if (counts.get('organization') !== 1) throw new FileFault('the file must have one line of the kind organization.');
  await conflicts.end();
  return { header, sha256: outcome.sha256, months, seal };
}

export const tenantOf = (row) => ({ organizationId: row.organization_id, environment: row.environment });

/** The opener of its secrets, or null. */
function openedHeader(header, schema, { passphrase, withoutSecrets }) {
  if (header.schema !== schema)
    throw new FileFault(
      `line 1: the file was written with the schema ${header.schema}, and this installation has ${schema}. ` +
        'Upgrade the older installation, and export again.',
    );
  if (typeof header.secrets.salt !== 'string') {
    if (passphrase !== undefined) throw new FileFault('the file has no secrets: leave out --secrets.');
    return null;
  }
  if (passphrase !== undefined) return passphraseSeal(passphrase, header.secrets.salt);
  if (!withoutSecrets)
    throw new FileFault(
      'the file has secrets: give --secrets and the file with their passphrase, or --without-secrets.',
    );
  return null;
}

// --- Rows -------------------------------------------------------------------------------------------------------------

function checkRow(kind, value, number, organizationId, types) {
  const say = (what) => new FileFault(`line ${number} (${kind.kind}): ${what}`);
  const { row } = value;
  if (Object.keys(value).length !== 2 || typeof row !== 'object' || row === null || Array.isArray(row))
    throw say('a line has "kind" and "row", and nothing else.');
  const unknown = Object.keys(row).find((name) => !kind.columns.includes(name));
  if (unknown !== undefined) throw say(`there is no column ${JSON.stringify(unknown)}.`);
  for (const name of kind.columns) {
    if (!Object.hasOwn(row, name)) throw say(`the column "${name}" is missing.`);
    const { type, required } = types.get(name);
    const cell = row[name];
    if (cell === null) {
      if (required) throw say(`the column "${name}" must have a value.`);
    } else if (!isOfType(type, cell, kind === dataKeyKind)) throw say(`the column "${name}" is no ${type}.`);
  }
  const owner = kind.kind === 'organization' ? row.id : row.organization_id;
  if (owner !== organizationId) throw say('the row belongs to another organization than the header names.');
}

const integerWithin = (bits) => (value) => Number.isInteger(value) && Math.abs(value) <= 2 ** (bits - 1);
const isText = (value) => typeof value === 'string';
const time = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/;

const checks = {
  uuid: isUuid,
  text: isText,
  environment: (value) => value === 'live' || value === 'test',
  boolean: (value) => typeof value === 'boolean',
  smallint: integerWithin(16),
  integer: integerWithin(32),
  bigint: integerWithin(64),
  jsonb: () => true,
  date: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value),
  'timestamp with time zone': (value) => isText(value) && (time.test(value) || /^-?infinity$/.test(value)),
  bytea: (value) => isText(value) && /^\\x([0-9a-f]{2})*$/.test(value),
};

function isOfType(type, value, isSealed) {
  if (isSealed && type === 'bytea') return isText(value) && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
  if (type.endsWith('[]')) return Array.isArray(value) && value.every((one) => isOfType(type.slice(0, -2), one));
  // `timestamp(3) with time zone`
  return checks[type.replace(/\(\d+\)/, '')](value);
}

async function columnTypes(database) {
  const rows = await database.query(
    `SELECT a.attrelid::regclass::text AS "table", a.attname AS name, a.attnotnull AS required,
       format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_attribute a WHERE a.attrelid = ANY($1::regclass[]) AND a.attnum > 0 AND NOT a.attisdropped`,
    [fileKinds.map(({ table }) => table)],
  );
  const tables = new Map(fileKinds.map(({ table }) => [table, new Map()]));
  for (const { table, name, ...column } of rows) tables.get(table).set(name, column);
  return tables;
}

/** The month of a UUIDv7. Rows of other times stay in the default partition. */
function noteMonth(months, table, uuid) {
  const at = parseInt(uuid.replace('-', '').slice(0, 12), 16);
  const date = new Date(at);
  if (at < Date.UTC(2020, 0) || at > Date.now() + 31 * 86_400_000) return;
  const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth())).toISOString();
  months.set(`${table} ${month}`, { table, month });
}

// --- Conflicts --------------------------------------------------------------------------------------------------------

/** Values that are in use in the installation. All are listed at once. */
class Conflicts {
  /** The first ones. */
  found = [];
  count = 0;
  #waiting = new Map();

  constructor(database, slug) {
    this.database = database;
    this.slug = slug;
  }

  async add(kind, row, number) {
    for (const one of kind.global ?? []) {
      const value = kind.kind === 'organization' && one.column === 'slug' ? (this.slug ?? row.slug) : row[one.column];
      if (value === null) continue;
      const name = `${kind.kind} ${one.column}`;
      const block = this.#waiting.get(name) ?? { kind, one, values: [] };
      this.#waiting.set(name, block);
      block.values.push({ value, number, title: row.name ?? row.slug ?? row.id });
      if (block.values.length >= valuesAtOnce) await this.#ask(name);
    }
  }

  async end() {
    for (const name of this.#waiting.keys()) await this.#ask(name);
    if (this.count === 0) return;
    const listed = this.found.toSorted((a, b) => a.number - b.number).slice(0, maxConflicts);
    const rest = this.count - listed.length;
    throw Object.assign(new FileFault(`${this.count} values of the file are in use in the installation already:`), {
      more: [...listed.map(({ text }) => text), ...(rest > 0 ? [`and ${rest} more.`] : [])],
    });
  }

  async #ask(name) {
    const { kind, one, values } = this.#waiting.get(name);
    this.#waiting.delete(name);
    const columns = one.with ?? [one.column];
    const type = one.what === 'id' ? 'uuid' : 'text';
    const rows = await this.database.query(
      columns
        .map((column) => `SELECT ${column}::text AS value FROM ${kind.table} WHERE ${column} = ANY($1::${type}[])`)
        .join(' UNION '),
      [values.map(({ value }) => value)],
    );
    const used = new Set(rows.map(({ value }) => value));
    // Hashes of keys and tokens are not printed.
    for (const { value, number, title } of values)
      if (used.has(value)) {
        this.count++;
        if (this.found.length < maxKept)
          this.found.push({
            number,
            text: `line ${number}: the ${one.what} of the ${kind.kind} "${title}" is in use.`,
          });
      }
  }
}
