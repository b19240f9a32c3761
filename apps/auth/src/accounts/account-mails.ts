/**
 * Mails about accounts. A row is written in the transaction of its reason; any replica sends it through the notifier,
 * and tries again for a day. The token of a link is made for each attempt, so no token is stored, and an attempt
 * whose result is unknown may have delivered a link that works.
 */
import { accountMailRequest, newUuid, type AccountMail, type SendReply } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { Logger, RpcClient } from '@ams/messaging';
import { Housekeeping } from '@ams/persistence';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AuthSettings } from '../settings.js';
import { type TokenPurpose } from './account-token.entity.js';
import { issueToken } from './account-tokens.js';
import { linkTo } from './link.js';

type Purpose = AccountMail['purpose'];

interface MailRow {
  id: string;
  purpose: Purpose;
  accountId: string | null;
  memberId: string | null;
  recipientId: string | null;
  organizationId: string | null;
  email: string;
  requestedBy: string | null;
  attempts: number;
  /** Of the member. */
  name: string | null;
  organizationName: string | null;
  /** Whether the reason for the mail is still there. */
  isDue: boolean;
}

/** Longer than an attempt of the notifier takes. */
const replyWithinMs = 45_000;
const pollMs = 5_000;
const giveUpAfter = '24 hours';
const batchSize = 5;

/** The page of the dashboard that takes the token, and the purpose of the token. */
const links: Record<Purpose, { page: string; purpose: TokenPurpose } | null> = {
  invitation: { page: 'invitation', purpose: 'invitation' },
  password_reset: { page: 'reset-password', purpose: 'password_reset' },
  password_changed: null,
  recipient_verification: { page: 'mail-recipient', purpose: 'recipient_verification' },
};

/**
 * $1: how many. The rows are due again after a pause that doubles, from a minute to 15, so an attempt that was
 * interrupted is made again.
 */
const takeStatement = `
  WITH taken AS (
    UPDATE auth.account_mails SET attempts = attempts + 1,
      next_attempt_at = now() + least(interval '15 minutes', interval '1 minute' * power(2, least(attempts, 5)))
    WHERE id IN (SELECT id FROM auth.account_mails WHERE next_attempt_at <= now() ORDER BY next_attempt_at LIMIT $1
      FOR UPDATE SKIP LOCKED)
    RETURNING *
  )
  SELECT taken.id, taken.purpose, taken.account_id AS "accountId", taken.member_id AS "memberId",
    taken.recipient_id AS "recipientId", taken.organization_id AS "organizationId", taken.email, taken.requested_by AS "requestedBy", taken.attempts,
    m.name, o.name AS "organizationName", taken.created_at > now() - interval '${giveUpAfter}' AND CASE taken.purpose
      WHEN 'invitation' THEN m.status <> 'disabled' AND lower(m.email) = lower(taken.email)
      WHEN 'recipient_verification' THEN r.status <> 'verified'
      ELSE true END AS "isDue"
  FROM taken LEFT JOIN auth.members m ON m.id = taken.member_id LEFT JOIN auth.mail_recipients r ON r.id = taken.recipient_id
    LEFT JOIN auth.organizations o ON o.id = taken.organization_id`;

export interface NewMail {
  purpose: Purpose;
  to:
    | { accountId: string }
    | { memberId: string; organizationId: string }
    | { recipientId: string; organizationId: string };
  email: string;
  /** The name of who caused it. */
  requestedBy: string | null;
}

@Injectable()
export class AccountMails implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly settings: AuthSettings,
    private readonly log: Logger,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add({
      name: 'expired links of accounts',
      everyMs: 3_600_000,
      run: () => database.query('DELETE FROM auth.account_tokens WHERE expires_at < now()'),
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.wake(), pollMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.sending;
  }

  /** Call `wake` after the commit. */
  async add(tx: Pick<Tx, 'query'>, { purpose, to, email, requestedBy }: NewMail): Promise<void> {
    const { accountId = null, memberId = null, recipientId = null, organizationId = null } = to as Partial<MailRow>;
    await tx.query(
      `INSERT INTO auth.account_mails (id, purpose, account_id, member_id, recipient_id, organization_id, email,
         requested_by, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
      [newUuid(), purpose, accountId, memberId, recipientId, organizationId, email, requestedBy],
    );
  }

  /** Sends what is due, in the background. */
  wake(): void {
    if (this.isStopping || this.sending) return;
    this.sending = this.sendDue()
      .catch((error: unknown) => this.log.warn({ err: error }, 'mails about accounts wait'))
      .finally(() => (this.sending = null));
  }

  private async sendDue(): Promise<void> {
    while (!this.isStopping) {
      const rows = await this.database.query<MailRow>(takeStatement, [batchSize]);
      await Promise.all(rows.map((row) => this.send(row)));
      if (rows.length < batchSize) return;
    }
  }

  private async send(row: MailRow): Promise<void> {
    const { id, purpose, attempts } = row;
    if (!row.isDue) return this.end(id);
    const reply = await this.attempt(row).catch((error: unknown): SendReply => {
      this.log.warn({ err: error, mailId: id, purpose, attempts }, 'a mail about an account could not be handed over');
      return { kind: 'heldBack', reason: 'no reply of the notifier', retryAfterSeconds: 60 };
    });
    if (reply.kind === 'sent') return this.end(id);
    if (reply.kind === 'failed' && !reply.retry) {
      this.log.warn({ mailId: id, purpose, reason: reply.reason }, 'a mail about an account cannot be sent');
      await this.end(id);
    }
  }

  private async attempt(row: MailRow): Promise<SendReply> {
    const link = links[row.purpose];
    const issued = link && (await this.database.asService((tx) => issueToken(tx, link.purpose, row)));
    const mail: AccountMail = {
      id: row.id,
      to: { address: row.email, name: row.name },
      purpose: row.purpose,
      organizationName: row.organizationName,
      requestedBy: row.requestedBy,
      link: link && issued && linkTo(this.settings.publicUrl, link.page, issued.token),
      expiresAt: issued && issued.expiresAt.toISOString(),
    };
    return this.rpc.request(accountMailRequest, mail, { timeoutMs: replyWithinMs, requestId: row.id });
  }

  private async end(id: string): Promise<void> {
    await this.database.query('DELETE FROM auth.account_mails WHERE id = $1', [id]);
  }
}
