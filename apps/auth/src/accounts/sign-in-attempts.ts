/**
 * Limits attempts to sign in, for each account and each network, exactly over all replicas. An attempt is counted before
 * it is made, so that attempts at the same time cannot exceed the limit, and is given back when it succeeds. Addresses
 * without an account are counted in the same way, so the limit does not tell which accounts exist.
 */
import { Fault } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { networkOf } from '@ams/domain';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';

export const attemptLimits = { account: 10, network: 50, mailsToAddress: 5, invitations: 5 } as const;
export const attemptWindowSeconds = 900;

type Kind = keyof typeof attemptLimits;

/** What attempts are counted for. */
export interface Subject {
  kind: Kind;
  key: string;
}

/** The address itself is not stored. */
const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url');

export const ofAccount = (email: string): Subject => ({ kind: 'account', key: hashed(email.toLowerCase()) });
export const ofNetwork = (ip: string | null): Subject => ({ kind: 'network', key: networkOf(ip) });
export const ofMailsTo = (email: string): Subject => ({ kind: 'mailsToAddress', key: hashed(email.toLowerCase()) });
export const ofInvitations = (memberId: string): Subject => ({ kind: 'invitations', key: memberId });

interface CountedRow {
  subject: string;
  used: number;
  resetsIn: number;
}

/** $1: the subjects, $2: the length of a window in seconds. Rows are locked in the order of their subjects. */
const countStatement = `
  INSERT INTO auth.sign_in_attempts AS present (subject, started_at, used)
  SELECT subject, now(), 1 FROM unnest($1::text[]) AS subject ORDER BY subject
  ON CONFLICT (subject) DO UPDATE SET
    used = CASE WHEN present.started_at > now() - make_interval(secs => $2) THEN present.used + 1 ELSE 1 END,
    started_at = CASE WHEN present.started_at > now() - make_interval(secs => $2) THEN present.started_at ELSE now() END
  RETURNING subject, used, extract(epoch FROM started_at - now())::float8 + $2 AS "resetsIn"`;

/** $1: the subjects. */
const giveBackStatement = `
  UPDATE auth.sign_in_attempts SET used = used - 1
  WHERE subject IN (SELECT subject FROM auth.sign_in_attempts WHERE subject = ANY ($1) ORDER BY subject FOR UPDATE)
    AND used > 0`;

const nameOf = ({ kind, key }: Subject): string => `${kind} ${key}`;

const scopes: Record<Kind, string> = {
  account: 'for the account',
  network: 'for the address',
  mailsToAddress: 'for the address',
  invitations: 'for the member',
};

@Injectable()
export class SignInAttempts {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add({
      name: 'old attempts to sign in',
      everyMs: 3_600_000,
      run: () => database.query("DELETE FROM auth.sign_in_attempts WHERE started_at < now() - interval '1 hour'"),
    });
  }

  /** Counts an attempt for each subject, or for none: throws RATE_LIMITED when one of them has none left. */
  count(subjects: Subject[]): Promise<void> {
    return this.database.asService((tx) => countIn(tx, subjects));
  }

  /** The attempts have succeeded, so they do not count. */
  async giveBack(subjects: Subject[]): Promise<void> {
    await this.database.query(giveBackStatement, [subjects.map(nameOf)]);
  }

  /** After a success of the account, its earlier failures do not count any more. */
  async forget(tx: Pick<Tx, 'query'>, subject: Subject): Promise<void> {
    await tx.query('DELETE FROM auth.sign_in_attempts WHERE subject = $1', [nameOf(subject)]);
  }
}

/** The transaction must fail with the fault, so that nothing is counted. */
export async function countIn(tx: Pick<Tx, 'query'>, subjects: Subject[]): Promise<void> {
  const rows = await tx.query<CountedRow>(countStatement, [subjects.map(nameOf), attemptWindowSeconds]);
  const usedUp = subjects.flatMap((subject) => {
    const row = rows.find((counted) => counted.subject === nameOf(subject));
    return row && row.used > attemptLimits[subject.kind] ? [{ subject, resetsIn: row.resetsIn }] : [];
  });
  const [longest] = usedUp.sort((a, b) => b.resetsIn - a.resetsIn);
  if (!longest) return;
  const { kind } = longest.subject;
  throw new Fault('RATE_LIMITED', {
    scope: scopes[kind],
    limit: attemptLimits[kind],
    windowSeconds: attemptWindowSeconds,
    retryAfterSeconds: Math.max(1, Math.ceil(longest.resetsIn)),
  });
}
