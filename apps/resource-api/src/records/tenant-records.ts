/** Code for all records of this service: conditions and order of lists, the audit log, faults, and references. */
import { isDeepStrictEqual } from 'node:util';
import { Fault, publicId, type FieldFault, type Input, type Noun, type Tenant } from '@ams/contracts';
import {
  addToOutbox,
  auditMessage,
  changesBetween,
  Where,
  type OutboxMessage,
  type Sort,
  type SortType,
  type Tx,
} from '@ams/database';

/** Rows of the tenant. */
export const owned = ({ organizationId, environment }: Tenant): Where =>
  new Where().and('organization_id = ?', organizationId).and('environment = ?', environment);

export async function count(tx: Tx, from: string, where: Where): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${from} WHERE ${where.toString()}`,
    where.params,
  );
  return row?.n ?? 0;
}

/** The order of a page, from a sort such as `-name`. */
export function sortBy(sort: string, columns: Record<string, { column: string; type: SortType }>): Sort {
  const chosen = columns[sort.replace('-', '')];
  if (!chosen) throw new Error(`no column to sort by ${sort}`);
  return { ...chosen, descending: sort.startsWith('-') };
}

/** Undefined keeps, null clears. An equal value stays as it is stored, where fields of objects have another order. */
export const patched = <T>(stored: T, sent: T | undefined): T =>
  sent === undefined || isDeepStrictEqual(sent, stored) ? stored : sent;

/** Fields that the audit log does not show. */
const unaudited = ['id', 'createdAt', 'updatedAt', 'version'];

/** The changes from one record to another, for the audit log. `hidden` fields are named without their values. */
export const newsBetween = (
  before: object | null,
  after: object | null,
  ignore: string[] = [],
  hidden: string[] = [],
) => changesBetween(before, after, { ignore: [...unaudited, ...ignore], hidden });

/** Adds the entry of the audit log to the outbox, and `more` messages. */
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

/** An answer is one message. */
const maxFaults = 100;

/** Throws VALIDATION_ERROR when there are faults. */
export function throwFaults(fields: FieldFault[]): void {
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields: fields.slice(0, maxFaults) });
}

export interface Reference {
  resource: string;
  id: string;
  name: string;
}

/** Up to ten records that still use a record. */
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
