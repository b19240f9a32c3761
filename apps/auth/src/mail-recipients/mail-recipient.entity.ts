import { type MailRecipient } from '@ams/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** An address or a domain to which mails to people who are no members may go, or an address to which mail has stopped. */
@Entity({ schema: 'auth', name: 'mail_recipients' })
@Index('mail_recipients_key', ['organizationId', 'kind', 'key'], { unique: true })
@Index('mail_recipients_list', ['organizationId', 'createdAt', 'id'])
@Check('mail_recipients_kind_check', `kind IN ('address', 'domain')`)
@Check('mail_recipients_status_check', `status IN ('pending', 'verified', 'bounced', 'complained')`)
@Check('mail_recipients_verified_by_check', `verified_by IN ('mail', 'dns', 'operator', 'earlier_use')`)
@Check(
  'mail_recipients_domain_check',
  `(kind = 'domain') = (token IS NOT NULL) AND (kind = 'address' OR status IN ('pending', 'verified'))`,
)
@Check(
  'mail_recipients_state_check',
  `(status IN ('bounced', 'complained')) = (stopped_at IS NOT NULL)
     AND (status <> 'verified' OR (verified_at IS NOT NULL AND verified_by IS NOT NULL))`,
)
export class MailRecipientEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mail_recipients_pkey' }) id!: string;

  @Column('uuid', { name: 'organization_id' })
  @ForeignKey(() => OrganizationEntity, { name: 'mail_recipients_organization_id_fkey' })
  organizationId!: string;

  @Column('text') kind!: MailRecipient['kind'];
  /** As a person wrote it. */
  @Column('text') value!: string;
  /** In the form in which it is compared (`mailRecipientKey`). */
  @Column('text') key!: string;
  @Column('text') status!: MailRecipient['status'];
  /** Why mail to it has stopped. */
  @Column('text', { nullable: true }) reason!: string | null;
  /** What the TXT record of a domain must contain; null for an address. No secret. */
  @Column('text', { nullable: true }) token!: string | null;
  @Column('text', { name: 'verified_by', nullable: true }) verifiedBy!: MailRecipient['verifiedBy'];
  @Column({ type: 'timestamptz', name: 'verified_at', precision: 3, nullable: true }) verifiedAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'stopped_at', precision: 3, nullable: true }) stoppedAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 }) updatedAt!: Date;
}
