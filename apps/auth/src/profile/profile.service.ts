/** What members change about themselves. Their address and role are changed by those who may write members. */
import { Fault, publicId, worded, type Input, type MemberRecord, type NoQuery, type PutProfile } from '@ams/contracts';
import { auditRecord, changesBetween, Database, requireVersion } from '@ams/database';
import { validateContactMethods } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { databaseNow } from '../database-now.js';
import { MemberEntity } from '../members/member.entity.js';
import { recordOf } from '../members/members.js';

const unaudited = ['id', 'createdAt', 'updatedAt', 'version'];

@Injectable()
export class ProfileService {
  constructor(private readonly database: Database) {}

  get({ principal: { id, organizationId }, principal }: Input<NoQuery, undefined>): Promise<MemberRecord> {
    return this.database.readAs(principal, async (tx) =>
      recordOf(await tx.repository(MemberEntity).findOneByOrFail({ id, organizationId })),
    );
  }

  /** Throws VALIDATION_ERROR and VERSION_MISMATCH. */
  update(input: Input<NoQuery, PutProfile>): Promise<MemberRecord> {
    const { principal, body } = input;
    const { id, organizationId } = principal;
    return this.database.writeAs(principal, async (tx) => {
      const members = tx.repository(MemberEntity);
      const before = await members.findOneOrFail({
        where: { id, organizationId },
        lock: { mode: 'for_no_key_update' },
      });
      requireVersion(input.ifMatch, before.version);
      const after = { ...before, ...settingsFrom(body, before) };
      const changes = changesBetween(recordOf(before), recordOf(after), { ignore: unaudited });
      if (changes.length === 0) return recordOf(before);
      const at = await databaseNow(tx);
      const { name, timezone, contactMethods } = after;
      const version = before.version + 1;
      await members.update({ id, organizationId }, { name, timezone, contactMethods, updatedAt: at, version });
      const resource = { type: 'member', id: publicId('member', id) };
      await addAuditEntries(tx, [auditRecord(input, { type: 'member.updated', resource, changes, at })]);
      return recordOf({ ...after, updatedAt: at, version });
    });
  }
}

/** Addresses that were there stay verified; nobody answers for new ones. */
function settingsFrom({ name, timezone, contactMethods }: PutProfile, before: MemberEntity): Partial<MemberEntity> {
  const fields = worded(validateContactMethods(contactMethods ?? [], before.email));
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields });
  const present = (address: string) =>
    before.contactMethods.find((method) => method.address.toLowerCase() === address.toLowerCase());
  return {
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(contactMethods !== undefined && {
      contactMethods: contactMethods.map(({ type, address }) => ({
        type,
        address,
        verified: present(address)?.verified ?? false,
      })),
    }),
  };
}
