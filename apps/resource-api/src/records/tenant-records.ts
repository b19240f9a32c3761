/**
 * What all nouns that are a row of this service have in common, as a few functions; each begins at the tenant. A noun that
 * is special somewhere writes its own query there.
 */
import { isDeepStrictEqual } from 'node:util';
import { Fault, publicId, uuidOf, type FieldFault, type Input, type Noun, type Tenant } from '@ams/contracts';
import {
  addToOutbox,
  auditMessage,
  changesBetween,
  requireVersion,
  Where,
  type OutboxMessage,
  type Sort,
  type SortType,
  type Tx,
} from '@ams/database';

export interface Table {
  /** With its schema. */
  name: string;
  noun: Noun;
  /** What faults and the audit log call it. */
  resource: string;
  /** For SELECT. */
  columns: string;
  /** A condition that every row has to meet, such as not being deleted. */
  only?: string;
}

type Asked = Pick<Input<unknown, unknown>, 'principal' | 'params'>;

/** The rows of the tenant. */
export function owned({ only }: Pick<Table, 'only'>, { organizationId, environment }: Tenant): Where {
  const where = new Where().and('organization_id = ?', organizationId).and('environment = ?', environment);
  return only ? where.and(only) : where;
}

/** The row that the path names. Throws NOT_FOUND. */
export const find = <Row>(tx: Tx, table: Table, asked: Asked): Promise<Row> => select(tx, table, asked, '');

/** The same, and nobody else changes it until the end of the transaction. Throws VERSION_MISMATCH, too. */
export async function lock<Row extends { version: number }>(
  tx: Tx,
  table: Table,
  asked: Asked & { ifMatch: string | null },
): Promise<Row> {
  const row = await select<Row>(tx, table, asked, 'FOR UPDATE');
  requireVersion(asked.ifMatch, row.version);
  return row;
}

async function select<Row>(
  tx: Tx,
  table: Table,
  { principal, params }: Asked,
  locking: '' | 'FOR UPDATE',
): Promise<Row> {
  const id = params['id'] ?? '';
  const uuid = uuidOf(table.noun, id);
  const where = owned(table, principal).and('id = ?', uuid);
  const [row] =
    uuid === null
      ? []
      : await tx.query<Row>(
          `SELECT ${table.columns} FROM ${table.name} WHERE ${where.toString()} ${locking}`,
          where.params,
        );
  if (!row) throw new Fault('NOT_FOUND', { resource: table.resource, id });
  return row;
}

export async function count(tx: Tx, from: string, where: Where): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${from} WHERE ${where.toString()}`,
    where.params,
  );
  return row?.n ?? 0;
}

/** `-name` and the like, as the order of a page. */
export function sortBy(sort: string, columns: Record<string, { column: string; type: SortType }>): Sort {
  const chosen = columns[sort.replace('-', '')];
  if (!chosen) throw new Error(`no column to sort by ${sort}`);
  return { ...chosen, descending: sort.startsWith('-') };
}

/** Undefined keeps, null clears. What is the same stays as it is stored, in which fields of objects have another order. */
export const patched = <T>(stored: T, sent: T | undefined): T =>
  sent === undefined || isDeepStrictEqual(sent, stored) ? stored : sent;

/** What is no news in the audit log. */
const unaudited = ['id', 'createdAt', 'updatedAt', 'version'];

/** What differs between two records, but for what follows from it. `hidden` fields are named without their values. */
export const newsBetween = (
  before: object | null,
  after: object | null,
  ignore: string[] = [],
  hidden: string[] = [],
) => changesBetween(before, after, { ignore: [...unaudited, ...ignore], hidden });

/** Adds the entry of the audit log to the transaction, and whatever else has to be told with it. */
export async function recordAudit(
  tx: Tx,
  input: Input<unknown, unknown>,
  type: string,
  change: {
    resource: string;
    id: string;
    before: object | null;
    after: object | null;
    ignore?: string[];
    hidden?: string[];
    at: Date;
  },
  ...more: OutboxMessage[]
): Promise<void> {
  const { resource, id, before, after, ignore, hidden, at } = change;
  await addToOutbox(tx, 'resource-api', [
    ...more,
    auditMessage(input, {
      type,
      resource: { type: resource, id },
      changes: newsBetween(before, after, ignore, hidden),
      at,
    }),
  ]);
}

/** More would help nobody, and an answer is one message. */
const maxFaults = 100;

/** Throws what is wrong with a request, if anything is, all of it at once. */
export function throwFaults(fields: FieldFault[]): void {
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields: fields.slice(0, maxFaults) });
}

export interface Reference {
  resource: string;
  id: string;
  name: string;
}

/** Up to ten of what still uses a record. */
export async function referencesIn(
  tx: Tx,
  resource: string,
  noun: Noun,
  query: string,
  params: unknown[],
): Promise<Reference[]> {
  const rows = await tx.query<{ id: string; name: string }>(`${query} LIMIT 10`, params);
  return rows.map(({ id, name }) => ({ resource, id: publicId(noun, id), name }));
}

/** Throws RESOURCE_IN_USE when there are references. */
export function refuseInUse(references: Reference[]): void {
  if (references.length > 0) throw new Fault('RESOURCE_IN_USE', { references });
}
