import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { MemberEntity } from '../members/member.entity.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { MailRecipientEntity } from '../mail-recipients/mail-recipient.entity.js';
import { AccountEntity } from './account.entity.js';

export type TokenPurpose = 'invitation' | 'password_reset' | 'welcome' | 'recipient_verification';

/** A link that can be used once. Its row is deleted when it is used. Only the hash of the token is stored. */
@Entity({ schema: 'auth', name: 'account_tokens' })
@Unique('account_tokens_token_hash_key', ['tokenHash'])
@Check(
  'account_tokens_purpose_check',
  `purpose IN ('invitation', 'password_reset', 'welcome', 'recipient_verification')`,
)
@Check(
  'account_tokens_check',
  `CASE purpose WHEN 'password_reset' THEN account_id IS NOT NULL AND member_id IS NULL
     WHEN 'recipient_verification' THEN account_id IS NULL AND member_id IS NULL AND organization_id IS NOT NULL
       AND recipient_id IS NOT NULL
     ELSE account_id IS NULL AND member_id IS NOT NULL AND organization_id IS NOT NULL END`,
)
@Index('account_tokens_account', { synchronize: false }) // partial
@Index('account_tokens_member', { synchronize: false }) // partial
@Index('account_tokens_recipient', { synchronize: false }) // partial
@Index('account_tokens_expiry', ['expiresAt'])
export class AccountTokenEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'account_tokens_pkey' }) id!: string;
  @Column('text') purpose!: TokenPurpose;
  @Column('text', { name: 'token_hash' }) tokenHash!: string;

  @Column('uuid', { name: 'account_id', nullable: true })
  @ForeignKey(() => AccountEntity, { name: 'account_tokens_account_id_fkey' })
  accountId!: string | null;

  @Column('uuid', { name: 'member_id', nullable: true })
  @ForeignKey(() => MemberEntity, { name: 'account_tokens_member_id_fkey' })
  memberId!: string | null;

  @Column('uuid', { name: 'organization_id', nullable: true })
  @ForeignKey(() => OrganizationEntity, { name: 'account_tokens_organization_id_fkey' })
  organizationId!: string | null;

  @Column('uuid', { name: 'recipient_id', nullable: true })
  @ForeignKey(() => MailRecipientEntity, { name: 'account_tokens_recipient_id_fkey', onDelete: 'CASCADE' })
  recipientId!: string | null;

  @Column('text') email!: string;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 }) expiresAt!: Date;
}
