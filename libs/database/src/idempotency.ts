/**
 * `Idempotency-Key` on a POST: the first response is stored in the transaction of its effect, and returned for the same
 * request for 24 hours. A concurrent second request waits until the first one ends. The response is encrypted
 * (AES-256-GCM) with a key that is derived from the caller's credential and never stored, because it may contain a new
 * API key.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Fault, type IdempotencyRequest, type Principal } from '@ams/contracts';
import type { Tx } from './database.js';
import { schemaOf } from './outbox.js';
import type { DatabaseService } from './roles.js';

const retentionHours = 24;

function seal(sealKey: string, answer: unknown): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(sealKey, 'base64url'), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function open(sealKey: string, sealed: Buffer): unknown {
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(sealKey, 'base64url'), sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString());
}

/** A member with two sessions may send the same key in both; only the first one can open the answer. */
function opened(sealKey: string, sealed: Buffer): unknown {
  try {
    return open(sealKey, sealed);
  } catch {
    throw new Fault('IDEMPOTENCY_KEY_REUSED', null);
  }
}

/** What one part of a request has made: with what the next part continues, or the answer. */
export type PartOutcome<State, Answer> = { next: State } | { answer: Answer };

/**
 * The fingerprint of an entry that has no answer yet. An earlier release, which knows no parts, then refuses a repeated
 * request with IDEMPOTENCY_KEY_REUSED, and does not take what is stored for the answer.
 */
const unfinished = (fingerprint: string): string => `${fingerprint} unfinished`;

/** Runs `work` unless a response is stored. A fault is not stored, so the request may be repeated. */
export async function withIdempotency<T>(
  tx: Tx,
  service: DatabaseService,
  principal: Principal,
  request: IdempotencyRequest | null,
  work: () => Promise<T>,
): Promise<T> {
  if (!request) return work();
  const entry = new Entry(tx, service, principal, request);
  if (!(await entry.reserve())) return (await entry.stored()).value as T;
  const answer = await work();
  await entry.store({ answer });
  return answer;
}

/**
 * The same for work in parts, so that what a part locks is locked for a short time. `write` makes a transaction for
 * each part. With a key, each transaction also stores with what the next part continues: a repeated request continues
 * where the first one ended, and no part is done twice, also when both run at the same time. Without a key an error
 * ends the request; what earlier parts did stays.
 */
export async function inPartsWithIdempotency<State, Answer>(
  write: (part: (tx: Tx) => Promise<PartOutcome<State, Answer>>) => Promise<PartOutcome<State, Answer>>,
  service: DatabaseService,
  principal: Principal,
  request: IdempotencyRequest | null,
  work: (tx: Tx, state: State | null) => Promise<PartOutcome<State, Answer>>,
): Promise<Answer> {
  for (let state: State | null = null; ;) {
    const before: State | null = state;
    const outcome: PartOutcome<State, Answer> = await write((tx) =>
      request ? partOnce(new Entry(tx, service, principal, request), (kept) => work(tx, kept)) : work(tx, before),
    );
    if ('answer' in outcome) return outcome.answer;
    state = outcome.next;
  }
}

async function partOnce<State, Answer>(
  entry: Entry,
  work: (state: State | null) => Promise<PartOutcome<State, Answer>>,
): Promise<PartOutcome<State, Answer>> {
  const stored = (await entry.reserve()) ? null : await entry.stored();
  if (stored?.isAnswer) return { answer: stored.value as Answer };
  const outcome = await work(stored && (stored.value as State));
  await entry.store(outcome);
  return outcome;
}

/** The entry of a key, in a transaction that locks it. */
class Entry {
  private readonly table: string;

  constructor(
    private readonly tx: Tx,
    service: DatabaseService,
    private readonly principal: Principal,
    private readonly request: IdempotencyRequest,
  ) {
    this.table = `${schemaOf[service]}.idempotency`;
  }

  private get id(): unknown[] {
    return [this.principal.id, this.request.key];
  }

  /** False when there is one already. */
  async reserve(): Promise<boolean> {
    const { organizationId, environment } = this.principal;
    await this.tx.query(
      `DELETE FROM ${this.table} WHERE principal_id = $1 AND key = $2
          AND created_at < now() - interval '${retentionHours} hours'`,
      this.id,
    );
    const [mine] = await this.tx.query(
      `INSERT INTO ${this.table} (principal_id, key, organization_id, environment, fingerprint)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (principal_id, key) DO NOTHING RETURNING key`,
      [...this.id, organizationId, environment, this.request.fingerprint],
    );
    return mine !== undefined;
  }

  /**
   * What is stored: the answer, or with what the next part continues. Throws IDEMPOTENCY_KEY_REUSED when it belongs to
   * another request.
   */
  async stored(): Promise<{ value: unknown; isAnswer: boolean }> {
    const [first] = await this.tx.query<{ fingerprint: string; answer: Buffer }>(
      `SELECT fingerprint, answer FROM ${this.table} WHERE principal_id = $1 AND key = $2 FOR UPDATE`,
      this.id,
    );
    const { fingerprint, sealKey } = this.request;
    const isAnswer = first?.fingerprint === fingerprint;
    if (!first || !(isAnswer || first.fingerprint === unfinished(fingerprint)))
      throw new Fault('IDEMPOTENCY_KEY_REUSED', null);
    return { value: opened(sealKey, first.answer), isAnswer };
  }

  async store(outcome: PartOutcome<unknown, unknown>): Promise<void> {
    const { fingerprint, sealKey } = this.request;
    const [value, name] = 'answer' in outcome ? [outcome.answer, fingerprint] : [outcome.next, unfinished(fingerprint)];
    await this.tx.query(`UPDATE ${this.table} SET answer = $3, fingerprint = $4 WHERE principal_id = $1 AND key = $2`, [
      ...this.id,
      seal(sealKey, value),
      name,
    ]);
  }
}

/** SQL that deletes entries older than a day, at most `rows`, and SQL of the age of the oldest entry. */
export const expiredIdempotencyKeys = (
  service: DatabaseService,
  rows: number,
): { deletion: string; oldest: string } => {
  const table = `${schemaOf[service]}.idempotency`;
  return {
    deletion: `DELETE FROM ${table} WHERE (principal_id, key) IN (
       SELECT principal_id, key FROM ${table} WHERE created_at < now() - interval '${retentionHours} hours'
       LIMIT ${rows})`,
    oldest: `SELECT extract(epoch FROM now() - min(created_at)) AS age FROM ${table}`,
  };
};
