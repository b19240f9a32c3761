import { type Member } from '@ams/contracts';
import { type Role } from '@ams/scopes';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

@Entity({ schema: 'auth', name: 'members' })
@Check('members_role_check', `role IN ('owner', 'admin', 'responder', 'viewer')`)
@Check('members_status_check', `status IN ('active', 'invited', 'disabled')`)
@Index('members_email', { synchronize: false }) // unique over (organization_id, lower(email))
@Index('members_external_id', { synchronize: false }) // unique, where it is not null
@Index('members_account', { synchronize: false }) // unique over (account_id, organization_id), where it is not null
export class MemberEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'members_pkey' }) id!: string;

  @Column('uuid', { name: 'organization_id' })
  @ForeignKey(() => OrganizationEntity, { name: 'members_organization_id_fkey' })
  organizationId!: string;

  /** With which the member signs in; null: never yet. */
  @Column('uuid', { name: 'account_id', nullable: true })
  @ForeignKey(() => AccountEntity, { name: 'members_account_id_fkey' })
  accountId!: string | null;

  @Column('text') name!: string;
  @Column('text') email!: string;
  @Column('text') role!: Role;
  @Column('text') status!: Member['status'];
  @Column('text', { default: 'UTC' }) timezone!: string;
  @Column('jsonb', { name: 'contact_methods', default: [] }) contactMethods!: Member['contactMethods'];
  @Column('text', { name: 'external_id', nullable: true }) externalId!: string | null;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('int', { default: 1 }) version!: number;
}
