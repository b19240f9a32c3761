/** The functions on recipients of mails that the API, the messages of the engine and the operator's commands use. */
import { newUuid, publicId, type MailRecipient } from '@ams/contracts';
import { type Tx } from '@ams/database';
import {
  mailRecipientKey,
  verificationNameOf,
  verificationTextOf,
  type MailRecipientKind,
  type VerificationMethod,
} from '@ams/domain';
import { randomBytes } from 'node:crypto';
import { MailRecipientEntity } from './mail-recipient.entity.js';

const tokenBytes = 16;

/** A record that waits for its verification. The value must have a key (`mailRecipientKey`). */
export function newRecipient(
  organizationId: string,
  { kind, value }: { kind: MailRecipientKind; value: string },
  at: Date,
): MailRecipientEntity {
  const key = mailRecipientKey(kind, value);
  if (key === null) throw new Error('a recipient of mails must be an address or a domain');
  return {
    id: newUuid(at.getTime()),
    organizationId,
    kind,
    value,
    key,
    status: 'pending',
    reason: null,
    token: kind === 'domain' ? randomBytes(tokenBytes).toString('base64url') : null,
    verifiedBy: null,
    verifiedAt: null,
    stoppedAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

export const verified = (
  recipient: MailRecipientEntity,
  verifiedBy: VerificationMethod,
  at: Date,
): MailRecipientEntity => ({
  ...recipient,
  status: 'verified',
  reason: null,
  verifiedBy,
  verifiedAt: at,
  stoppedAt: null,
  updatedAt: at,
});

/** Mail to the address stops, until it is verified again. */
export const stopped = (
  recipient: MailRecipientEntity,
  status: 'bounced' | 'complained',
  reason: string,
  at: Date,
): MailRecipientEntity => ({ ...recipient, status, reason, stoppedAt: at, updatedAt: at });

export const update = async (tx: Tx, recipient: MailRecipientEntity): Promise<void> => {
  const { id, organizationId, createdAt: _createdAt, ...columns } = recipient;
  await tx.repository(MailRecipientEntity).update({ id, organizationId }, columns);
};

/** As the API shows it. */
export const recordOf = (recipient: MailRecipientEntity): MailRecipient => ({
  id: publicId('mailRecipient', recipient.id),
  kind: recipient.kind,
  value: recipient.value,
  status: recipient.status,
  reason: recipient.reason,
  verifiedBy: recipient.verifiedBy,
  verifiedAt: recipient.verifiedAt?.toISOString() ?? null,
  stoppedAt: recipient.stoppedAt?.toISOString() ?? null,
  dns:
    recipient.token === null
      ? null
      : { name: verificationNameOf(recipient.key), text: verificationTextOf(recipient.token) },
  createdAt: recipient.createdAt.toISOString(),
  updatedAt: recipient.updatedAt.toISOString(),
});

/** Fields that a change does not show in the audit log. */
export const unaudited = ['id', 'dns', 'createdAt', 'updatedAt', 'verifiedAt', 'stoppedAt'];
