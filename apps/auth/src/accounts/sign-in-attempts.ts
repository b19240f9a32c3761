/**
 * Limits attempts to sign in, for each account and each network, and mails with links, exactly over all replicas. An
 * attempt is counted before it is made, so that attempts at the same time cannot exceed the limit, and is given back when it succeeds. Addresses
 * without an account are counted in the same way, so the limit does not tell which accounts exist.
 */
import { Fault, verificationMailLimits } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { mailRecipientKey, networkOf } from '@ams/domain';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';

export const attemptLimits = {
  account: 10,
  network: 50,
  mailsToAddress: 5,
  invitations: 5,
  /** In a day, for an organization: first ones and repeated ones. */
  invitationMails: 500,
  /** In a day, to an address over all organizations: repeated ones. */
  invitationMailsTo: 10,
  recipientMails: verificationMailLimits.organization,
  recipientMailsTo: verificationMailLimits.address,
  recipientProofs: 30,
} as const;
export const attemptWindowSeconds = 900;
const daySeconds = 86_400;

type Kind = keyof typeof attemptLimits;

const daily: readonly Kind[] = ['invitationMails', 'invitationMailsTo', 'recipientMails', 'recipientMailsTo'];

const windowOf = (kind: Kind): number => (daily.includes(kind) ? daySeconds : attemptWindowSeconds);

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
export const ofInvitationMails = (organizationId: string): Subject => ({
  kind: 'invitationMails',
  key: organizationId,
});
export const ofInvitationMailsTo = (email: string): Subject => ({
  kind: 'invitationMailsTo',
  key: hashed(email.toLowerCase()),
});
export const ofRecipientMails = (organizationId: string): Subject => ({ kind: 'recipientMails', key: organizationId });
/** Over all organizations. */
export const ofRecipientMailsTo = (address: string): Subject => ({
  kind: 'recipientMailsTo',
  key: hashed(mailRecipientKey('address', address) ?? address),
});
export const ofRecipientProofs = (organizationId: string): Subject => ({
  kind: 'recipientProofs',
  key: organizationId,
});
export const ofInvitations = (memberId: string): Subject => ({ kind: 'invitations', key: memberId });

interface CountedRow {
  subject: string;
  used: number;
  /** How long ago the window began. */
  ageSeconds: number;
}

const isOpen = `present.started_at > now() - make_interval(secs =>
    (SELECT seconds FROM unnest($1::text[], $2::float8[]) AS w (subject, seconds) WHERE w.subject = present.subject))`;

/** $1: the subjects, $2: the lengths of their windows in seconds. Rows are locked in the order of their subjects. */
const countStatement = `
  INSERT INTO auth.sign_in_attempts AS present (subject, started_at, used)
  SELECT subject, now(), 1 FROM unnest($1::text[]) AS subject ORDER BY subject
  ON CONFLICT (subject) DO UPDATE SET
    used = CASE WHEN ${isOpen} THEN present.used + 1 ELSE 1 END,
    started_at = CASE WHEN ${isOpen} THEN present.started_at ELSE now() END
  RETURNING subject, used, extract(epoch FROM now() - started_at)::float8 AS "ageSeconds"`;

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
  invitationMails: 'for invitations of the organization',
  invitationMailsTo: 'for invitations to the address',
  recipientMails: 'for mails with links of the organization',
  recipientMailsTo: 'for mails with links to the address',
  recipientProofs: 'for domains of the organization',
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
      run: () => database.query("DELETE FROM auth.sign_in_attempts WHERE started_at < now() - interval '25 hours'"),
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
  const rows = await tx.query<CountedRow>(countStatement, [
    subjects.map(nameOf),
    subjects.map(({ kind }) => windowOf(kind)),
  ]);
  const usedUp = subjects.flatMap((subject) => {
    const row = rows.find((counted) => counted.subject === nameOf(subject));
    return row && row.used > attemptLimits[subject.kind]
      ? [{ subject, resetsIn: windowOf(subject.kind) - row.ageSeconds }]
      : [];
  });
  const [longest] = usedUp.sort((a, b) => b.resetsIn - a.resetsIn);
  if (!longest) return;
  const { kind } = longest.subject;
  throw new Fault('RATE_LIMITED', {
    scope: scopes[kind],
    limit: attemptLimits[kind],
    windowSeconds: windowOf(kind),
    retryAfterSeconds: Math.max(1, Math.ceil(longest.resetsIn)),
  });
}
