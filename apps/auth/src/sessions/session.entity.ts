import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.js';
import { MemberEntity } from '../members/member.entity.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** Where a person is signed in. Only the hash of the token is stored. */
@Entity({ schema: 'auth', name: 'sessions' })
@Unique('sessions_token_hash_key', ['tokenHash'])
@Index('sessions_account', { synchronize: false }) // descending, partial
@Index('sessions_member', { synchronize: false }) // partial
@Index('sessions_expiry', ['expiresAt'])
export class SessionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sessions_pkey' }) id!: string;
  @Column('text', { name: 'token_hash' }) tokenHash!: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey(() => AccountEntity, { name: 'sessions_account_id_fkey' })
  accountId!: string;

  /** As whom the person acts at present. */
  @Column('uuid', { name: 'member_id' })
  @ForeignKey(() => MemberEntity, { name: 'sessions_member_id_fkey' })
  memberId!: string;

  @Column('uuid', { name: 'organization_id' })
  @ForeignKey(() => OrganizationEntity, { name: 'sessions_organization_id_fkey' })
  organizationId!: string;

  /** Another factor is still asked for; until then the session has no rights. */
  @Column('boolean', { default: false }) pending!: boolean;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column('text', { name: 'user_agent', nullable: true }) userAgent!: string | null;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'last_seen_at', precision: 3 }) lastSeenAt!: Date;
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 }) expiresAt!: Date;
  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true }) endedAt!: Date | null;
}
