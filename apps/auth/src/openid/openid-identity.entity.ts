import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.js';

/** A person at an OpenID provider: whose account it is. */
@Entity({ schema: 'auth', name: 'openid_identities' })
export class OpenIdIdentityEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'openid_identities_pkey' }) issuer!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'openid_identities_pkey' }) subject!: string;

  @Column('uuid', { name: 'account_id' })
  @Index('openid_identities_account')
  @ForeignKey(() => AccountEntity, { name: 'openid_identities_account_id_fkey', onDelete: 'CASCADE' })
  accountId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3 }) lastUsedAt!: Date;
}
