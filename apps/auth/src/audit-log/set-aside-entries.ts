/** Entries that `auth` has refused. They stay in `auth.set_aside` until an operator admits or discards them. */
import { derivedUuid, isUuid, type AuditRecord } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { storable } from '@ams/domain';
import { environments } from '@ams/scopes';
import { type JsMsg } from '@nats-io/jetstream';

export interface Refused {
  message: JsMsg;
  /** Null: the message could not be read as entries. */
  record: AuditRecord | null;
  reason: string;
}

/** An entry that is delivered again has one row. */
export async function setAside(tx: Pick<Tx, 'query'>, refused: readonly Refused[]): Promise<void> {
  for (const { message, record, reason } of refused) {
    const payload = record ? JSON.stringify(record) : message.string();
    await tx.query(
      `INSERT INTO auth.set_aside (id, stream_sequence, organization_id, environment, payload, error, tries)
       VALUES ($1, $2, $3, $4, $5, $6, 1) ON CONFLICT (id) DO UPDATE SET tries = set_aside.tries + 1`,
      [
        derivedUuid(0, payload),
        message.seq,
        isUuid(record?.organizationId) ? record?.organizationId : null,
        record && environments.includes(record.environment) ? record.environment : null,
        storable(payload),
        storable(reason).slice(0, 2000),
      ],
    );
  }
}

const mostCounted = 10_000;

/** How many wait for an operator, up to 10,000. */
export async function setAsideEntries(tx: Pick<Tx, 'query'>): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM (SELECT FROM auth.set_aside WHERE replayed_at IS NULL LIMIT ${mostCounted}) AS waiting`,
  );
  return row?.n ?? 0;
}
