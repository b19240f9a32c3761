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

/** Runs `work` unless a response is stored. A fault is not stored, so the request may be repeated. */
export async function withIdempotency<T>(
  tx: Tx,
  service: DatabaseService,
  principal: Principal,
  request: IdempotencyRequest | null,
  work: () => Promise<T>,
): Promise<T> {
  if (!request) return work();
  const table = `${schemaOf[service]}.idempotency`;
  await tx.query(
    `DELETE FROM ${table} WHERE principal_id = $1 AND key = $2
        AND created_at < now() - interval '${retentionHours} hours'`,
    [principal.id, request.key],
  );
  const [mine] = await tx.query(
    `INSERT INTO ${table} (organization_id, environment, principal_id, key, fingerprint) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (principal_id, key) DO NOTHING RETURNING key`,
    [principal.organizationId, principal.environment, principal.id, request.key, request.fingerprint],
  );
  if (!mine) {
    const [first] = await tx.query<{ fingerprint: string; answer: Buffer }>(
      `SELECT fingerprint, answer FROM ${table} WHERE principal_id = $1 AND key = $2`,
      [principal.id, request.key],
    );
    if (!first || first.fingerprint !== request.fingerprint) throw new Fault('IDEMPOTENCY_KEY_REUSED', null);
    return opened(request.sealKey, first.answer) as T;
  }
  const answer = await work();
  await tx.query(`UPDATE ${table} SET answer = $3 WHERE principal_id = $1 AND key = $2`, [
    principal.id,
    request.key,
    seal(request.sealKey, answer),
  ]);
  return answer;
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
