/**
 * The operations on recipients of mails. An address is verified by a link in a mail, a domain by a TXT record. The mails
 * are limited for each organization, and for each address over all organizations, so that verification sends nobody
 * mails that are not wanted.
 */
import {
  domainTextsRequest,
  Fault,
  newUuid,
  publicId,
  uuidOf,
  type Actor,
  type Input,
  type ListMailRecipientsQuery,
  type MailRecipient,
  type MailRecipientLink,
  type MailRefused,
  type NoQuery,
  type Page,
  type PostMailRecipient,
  type PostToken,
  type Principal,
  type PublicInput,
} from '@ams/contracts';
import { actorOf, changesBetween, Database, page, selectOf, Where, withIdempotency, type Tx } from '@ams/database';
import { isProvedBy, isStopped, limitOf, verificationNameOf, verificationTextOf } from '@ams/domain';
import { RpcClient } from '@ams/messaging';
import { type Environment } from '@ams/scopes';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { AccountMails } from '../accounts/account-mails.js';
import { type AccountTokenEntity } from '../accounts/account-token.entity.js';
import { findToken, spent } from '../accounts/account-tokens.js';
import {
  ofRecipientMails,
  ofRecipientMailsTo,
  ofRecipientProofs,
  SignInAttempts,
  type Subject,
} from '../accounts/sign-in-attempts.js';
import { databaseNow } from '../database-now.js';
import { insertIfAbsent } from '../insert-if-absent.js';
import { requireLive } from '../members/members.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { MailRecipientEntity } from './mail-recipient.entity.js';
import { newRecipient, recordOf, stopped, unaudited, update, verified } from './mail-recipients.js';

/** Longer than the notifier waits for the DNS. */
const replyWithinMs = 15_000;

@Injectable()
export class MailRecipientsService {
  constructor(
    private readonly database: Database,
    private readonly mails: AccountMails,
    private readonly attempts: SignInAttempts,
    private readonly rpc: RpcClient,
  ) {}

  list({ principal, query }: Input<ListMailRecipientsQuery, undefined>): Promise<Page<MailRecipient>> {
    const { limit, cursor, ...filters } = query;
    return this.database.readAs(principal, (tx) => {
      const where = new Where()
        .and('organization_id = ?', principal.organizationId)
        .ofTexts('kind', filters.kind)
        .ofTexts('status', filters.status)
        .ofTimes('created_at', filters.createdSince, filters.createdUntil);
      return page<MailRecipientEntity, MailRecipient>(tx, {
        select: selectOf(tx, MailRecipientEntity, 'r'),
        from: 'auth.mail_recipients r',
        where,
        sort: { column: 'created_at', type: 'time', descending: filters.sort !== 'createdAt' },
        id: 'id',
        limit,
        cursor,
        boundTo: ['mail recipients', filters],
        total: () => count(tx, where),
        item: recordOf,
      });
    });
  }

  /** Throws CONFLICT, QUOTA_EXCEEDED, and RATE_LIMITED for mails. */
  async create(input: Input<NoQuery, PostMailRecipient>): Promise<MailRecipient> {
    const { principal, body } = input;
    requireLive(principal);
    const { organizationId } = principal;
    return this.mailing(body.kind === 'address' ? mailsTo(principal, body.value) : [], () =>
      this.database.writeAs(principal, (tx) =>
        withIdempotency(tx, 'auth', principal, input.idempotency, async () => {
          await tx.query('SELECT FROM auth.organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
          await requireRoom(tx, organizationId);
          const recipient = newRecipient(organizationId, body, await databaseNow(tx));
          if (!(await insertIfAbsent(tx, MailRecipientEntity, recipient)))
            throw new Fault('CONFLICT', null, `${body.value} is in the list already: verify it there.`);
          await record(tx, by(input), { type: 'mail_recipient.created', before: null, after: recipient });
          if (recipient.kind === 'address') await this.addMail(tx, principal, recipient);
          return recordOf(recipient);
        }),
      ),
    );
  }

  /** Throws NOT_FOUND, CONFLICT, RATE_LIMITED, and UNAVAILABLE when the DNS is not reached. */
  async verify(input: Input<NoQuery, undefined>): Promise<MailRecipient> {
    const { principal } = input;
    requireLive(principal);
    const recipient = await this.database.readAs(principal, (tx) => recipientOf(tx, input));
    if (recipient.kind === 'address') return this.sendLink(input, recipient);
    if (recipient.status === 'verified') return recordOf(recipient);
    await this.attempts.count([ofRecipientProofs(principal.organizationId)]);
    await this.requireProof(recipient, input.requestId);
    return this.database.writeAs(principal, async (tx) => {
      const before = await recipientOf(tx, input, { lock: true });
      if (before.status === 'verified') return recordOf(before);
      // A record of the same domain that was added meanwhile has another token.
      if (before.token !== recipient.token) throw notProved(before);
      const after = verified(before, 'dns', await databaseNow(tx));
      await update(tx, after);
      await record(tx, by(input), { type: 'mail_recipient.verified', before, after });
      return recordOf(after);
    });
  }

  /** Throws NOT_FOUND, and CONFLICT for an address to which mail has stopped. */
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    const { principal } = input;
    requireLive(principal);
    return this.database.writeAs(principal, async (tx) => {
      const { organizationId } = principal;
      const before = await recipientOf(tx, input, { lock: true });
      if (isStopped(before.status)) {
        const message = `Mail to ${before.value} has stopped, and the entry keeps it stopped. First verify the address again.`;
        throw new Fault('CONFLICT', null, message);
      }
      await tx.repository(MailRecipientEntity).delete({ id: before.id, organizationId });
      await record(tx, by(input), { type: 'mail_recipient.deleted', before, after: null });
    });
  }

  /** Throws NOT_FOUND. */
  link({ body }: PublicInput<NoQuery, PostToken>): Promise<MailRecipientLink> {
    return this.database.asService(async (tx) => {
      const found = await findToken(tx, 'recipient_verification', body.token);
      const { value } = await ofToken(tx, found);
      const { name } = await tx.repository(OrganizationEntity).findOneByOrFail({ id: found.organizationId as string });
      return { organizationName: name, address: value, expiresAt: found.expiresAt.toISOString() };
    });
  }

  /** The owner of the address has used the link. Its other links end. Throws NOT_FOUND. */
  confirm({ body, requestId, ip, userAgent }: PublicInput<NoQuery, PostToken>): Promise<void> {
    return this.database.asService(async (tx) => {
      const found = await findToken(tx, 'recipient_verification', body.token, { lock: true });
      const before = await ofToken(tx, found, { lock: true });
      const after = verified(before, 'mail', await databaseNow(tx));
      await update(tx, after);
      await tx.query('DELETE FROM auth.account_tokens WHERE recipient_id = $1', [before.id]);
      await tx.query('DELETE FROM auth.account_mails WHERE recipient_id = $1', [before.id]);
      // Whoever has the link reads the mails of the address.
      const actor: Actor = { type: 'service', id: null, name: before.value };
      await record(
        tx,
        { actor, environment: 'live', requestId, ip, userAgent },
        { type: 'mail_recipient.verified', before, after },
      );
    });
  }

  /** A mail server refused the address for good. Whether mail to it stopped now. */
  refused({ organizationId, environment, address, reason, requestId }: MailRefused): Promise<boolean> {
    return this.database.asService(async (tx) => {
      const at = await databaseNow(tx);
      const recipient = newRecipient(organizationId, { kind: 'address', value: address }, at);
      const after = stopped(recipient, 'bounced', reason, at);
      const actor: Actor = { type: 'service', id: null, name: 'mail server' };
      const cause = { actor, environment, requestId, ip: null, userAgent: null };
      if (await insertIfAbsent(tx, MailRecipientEntity, after)) {
        await record(tx, cause, { type: 'mail_recipient.stopped', before: null, after });
        return true;
      }
      const { kind, key } = recipient;
      const before = await tx
        .repository(MailRecipientEntity)
        .findOne({ where: { organizationId, kind, key }, lock: { mode: 'pessimistic_write' } });
      if (!before || isStopped(before.status)) return false;
      const changed = stopped(before, 'bounced', reason, at);
      await update(tx, changed);
      await record(tx, cause, { type: 'mail_recipient.stopped', before, after: changed });
      return true;
    });
  }

  private sendLink(input: Input<NoQuery, undefined>, { value }: MailRecipientEntity): Promise<MailRecipient> {
    const { principal } = input;
    return this.mailing(mailsTo(principal, value), () =>
      this.database.writeAs(principal, (tx) =>
        withIdempotency(tx, 'auth', principal, input.idempotency, async () => {
          const recipient = await recipientOf(tx, input, { lock: true });
          if (recipient.status === 'verified')
            throw new Fault('CONFLICT', null, `${recipient.value} is verified already.`);
          await this.addMail(tx, principal, recipient);
          await record(tx, by(input), { type: 'mail_recipient.link_sent', before: recipient, after: recipient });
          return recordOf(recipient);
        }),
      ),
    );
  }

  private addMail(tx: Tx, { type, name }: Principal, { id, organizationId, value }: MailRecipientEntity) {
    return this.mails.add(tx, {
      purpose: 'recipient_verification',
      to: { recipientId: id, organizationId },
      email: value,
      // The name of a key tells a person nothing.
      requestedBy: type === 'user' ? name : null,
    });
  }

  /** The mails are counted before the work, and given back when it fails. */
  private async mailing<T>(counted: Subject[], work: () => Promise<T>): Promise<T> {
    if (counted.length === 0) return work();
    await this.attempts.count(counted);
    const result = await work().catch(async (error: unknown) => {
      await this.attempts.giveBack(counted);
      throw error;
    });
    this.mails.wake();
    return result;
  }

  /** Throws CONFLICT when the DNS has no such record, and UNAVAILABLE when it does not answer. */
  private async requireProof(recipient: MailRecipientEntity, requestId: string): Promise<void> {
    const request = { name: verificationNameOf(recipient.key) };
    const reply = await this.rpc.request(domainTextsRequest, request, { timeoutMs: replyWithinMs, requestId });
    if (reply.kind === 'unanswered')
      throw new Fault('CONFLICT', null, `The DNS did not answer for ${request.name} (${reply.reason}). Try again.`);
    if (!isProvedBy(reply.records, recipient.token ?? '')) throw notProved(recipient);
  }
}

const mailsTo = ({ organizationId }: Principal, address: string): Subject[] => [
  ofRecipientMails(organizationId),
  ofRecipientMailsTo(address),
];

const notProved = ({ key, token }: MailRecipientEntity): Fault => {
  const text = `${verificationNameOf(key)} has no TXT record with the text ${verificationTextOf(token ?? '')} yet.`;
  return new Fault('CONFLICT', null, text);
};

/** The recipient of the path. Throws NOT_FOUND. */
async function recipientOf(
  tx: Tx,
  { principal: { organizationId }, params }: Pick<Input<NoQuery, unknown>, 'principal' | 'params'>,
  { lock = false } = {},
): Promise<MailRecipientEntity> {
  const publicForm = params['id'] ?? '';
  const id = uuidOf('mailRecipient', publicForm);
  const found =
    id === null
      ? null
      : await tx
          .repository(MailRecipientEntity)
          .findOne({ where: { id, organizationId }, ...(lock && { lock: { mode: 'pessimistic_write' } }) });
  if (!found) throw new Fault('NOT_FOUND', { resource: 'mail recipient', id: publicForm });
  return found;
}

/** The recipient of a link. Throws NOT_FOUND. */
async function ofToken(
  tx: Tx,
  { recipientId, organizationId }: AccountTokenEntity,
  { lock = false } = {},
): Promise<MailRecipientEntity> {
  const found = await tx.repository(MailRecipientEntity).findOne({
    where: { id: recipientId as string, organizationId: organizationId as string },
    ...(lock && { lock: { mode: 'pessimistic_write' } }),
  });
  if (!found) throw spent();
  return found;
}

/** The organization is locked. Addresses to which mail has stopped do not count. Throws QUOTA_EXCEEDED. */
async function requireRoom(tx: Tx, organizationId: string): Promise<void> {
  const used = await tx
    .repository(MailRecipientEntity)
    .countBy({ organizationId, status: In(['pending', 'verified']) });
  const { limits } = await tx.repository(OrganizationEntity).findOneByOrFail({ id: organizationId });
  const limit = limitOf('mailRecipients', limits);
  if (used >= limit) throw new Fault('QUOTA_EXCEEDED', { kind: 'mailRecipients', limit, used });
}

async function count(tx: Tx, where: Where): Promise<number> {
  const sql = `SELECT count(*)::int AS total FROM auth.mail_recipients r WHERE ${where.toString()}`;
  const [row] = await tx.query<{ total: number }>(sql, where.params);
  return row?.total ?? 0;
}

/** Who causes an entry of the audit log, and by which request. */
interface Cause {
  actor: Actor;
  environment: Environment;
  requestId: string;
  ip: string | null;
  userAgent: string | null;
}

const by = ({ principal, requestId, ip, userAgent }: Input<NoQuery, unknown>): Cause => ({
  actor: actorOf(principal),
  environment: principal.environment,
  requestId,
  ip,
  userAgent,
});

async function record(
  tx: Tx,
  cause: Cause,
  change: { type: string; before: MailRecipientEntity | null; after: MailRecipientEntity | null },
): Promise<void> {
  const [before, after] = [change.before && recordOf(change.before), change.after && recordOf(change.after)];
  const { id, organizationId } = (change.after ?? change.before) as MailRecipientEntity;
  const at = await databaseNow(tx);
  await addAuditEntries(tx, [
    {
      ...cause,
      id: newUuid(at.getTime()),
      organizationId,
      type: change.type,
      occurredAt: at.toISOString(),
      resource: { type: 'mail_recipient', id: publicId('mailRecipient', id) },
      changes: changesBetween(before, after, { ignore: unaudited }),
    },
  ]);
}
