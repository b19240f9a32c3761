/** The entry of the audit log for a change of a record. */
import type { Input } from '@ams/contracts';
import { addToOutbox, auditMessage, changesBetween, type OutboxMessage, type Tx } from '@ams/database';

/** Fields that the audit log does not show. */
const unaudited = ['id', 'createdAt', 'updatedAt', 'version'];

/** The changes from one record to another, for the audit log. `hidden` fields are named without their values. */
export const auditedChanges = (
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
      changes: auditedChanges(before, after, ignore, hidden),
      at,
    }),
  ]);
}
