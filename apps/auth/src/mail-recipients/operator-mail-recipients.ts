/** How an operator verifies recipients of mails without a link or a TXT record, and reports complaints. */
import { invalid, publicId, type MailRecipient } from '@ams/contracts';
import { changesBetween, type Database, type Tx } from '@ams/database';
import { mailRecipientKey, type MailRecipientKind } from '@ams/domain';
import { findOrganization, inLockedOrganization, recordAudit, type Operator } from '../operator/operator.js';
import { MailRecipientEntity } from './mail-recipient.entity.js';
import { newRecipient, recordOf, stopped, unaudited, update, verified } from './mail-recipients.js';

/** The oldest first. Throws NOT_FOUND. */
export const listRecipients = (database: Database, slug: string): Promise<MailRecipient[]> =>
  database.asService(async (tx) => {
    const { id: organizationId } = await findOrganization(tx, slug);
    const found = await tx
      .repository(MailRecipientEntity)
      .find({ where: { organizationId }, order: { createdAt: 'ASC', id: 'ASC' } });
    return found.map(recordOf);
  });

interface RecipientInput {
  /** The slug. */
  organization: string;
  /** An address or a domain. */
  value: string;
}

/** Also an address to which mail has stopped. Throws VALIDATION_ERROR and NOT_FOUND. */
export async function verifyRecipient(
  database: Database,
  { organization, value }: RecipientInput,
): Promise<MailRecipient> {
  const kind = kindOf(value);
  return inLockedOrganization(database, organization, ({ tx, organization: { id }, operator }) =>
    verifyByOperator(tx, operator, id, { kind, value }),
  );
}

/** The owner of the address has complained: mail to it stops. Throws VALIDATION_ERROR and NOT_FOUND. */
export async function reportComplaint(
  database: Database,
  { organization, value, reason }: RecipientInput & { reason: string },
): Promise<MailRecipient> {
  if (kindOf(value) !== 'address') throw invalid('value', 'email', `"${value}" is not an e-mail address.`);
  return inLockedOrganization(database, organization, async ({ tx, organization: { id }, operator }) => {
    const change = (recipient: MailRecipientEntity) => stopped(recipient, 'complained', reason, operator.at);
    return save(tx, operator, id, { type: 'mail_recipient.stopped', kind: 'address', value, change });
  });
}

/** `organizationId` is a UUID. */
export const verifyByOperator = (
  tx: Tx,
  operator: Operator,
  organizationId: string,
  { kind, value }: { kind: MailRecipientKind; value: string },
): Promise<MailRecipient> =>
  save(tx, operator, organizationId, {
    type: 'mail_recipient.verified',
    kind,
    value,
    change: (recipient) => (recipient.status === 'verified' ? recipient : verified(recipient, 'operator', operator.at)),
  });

async function save(
  tx: Tx,
  operator: Operator,
  organizationId: string,
  {
    type,
    change,
    ...of
  }: {
    type: string;
    kind: MailRecipientKind;
    value: string;
    change: (recipient: MailRecipientEntity) => MailRecipientEntity;
  },
): Promise<MailRecipient> {
  const recipients = tx.repository(MailRecipientEntity);
  const created = newRecipient(organizationId, of, operator.at);
  const before = await recipients.findOne({
    where: { organizationId, kind: of.kind, key: created.key },
    lock: { mode: 'pessimistic_write' },
  });
  const after = change(before ?? created);
  const changes = changesBetween(before && recordOf(before), recordOf(after), { ignore: unaudited });
  if (changes.length === 0) return recordOf(after);
  if (before) await update(tx, after);
  else await recipients.insert(after);
  const resource = { type: 'mail_recipient', id: publicId('mailRecipient', after.id) };
  await recordAudit(tx, operator, { organizationId, type, resource, changes });
  return recordOf(after);
}

function kindOf(value: string): MailRecipientKind {
  const kind = (['address', 'domain'] as const).find((one) => mailRecipientKey(one, value) !== null);
  if (!kind) throw invalid('value', 'format', `"${value}" is neither an e-mail address nor a domain.`);
  return kind;
}
