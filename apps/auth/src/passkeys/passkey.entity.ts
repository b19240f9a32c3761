import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.js';

/** A passkey of an account. Its secret is in the authenticator; here is the public key. */
@Entity({ schema: 'auth', name: 'passkeys' })
@Unique('passkeys_credential_id_key', ['credentialId'])
@Index('passkeys_account', ['accountId', 'createdAt', 'id'])
export class PasskeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'passkeys_pkey' }) id!: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey(() => AccountEntity, { name: 'passkeys_account_id_fkey', onDelete: 'CASCADE' })
  accountId!: string;

  @Column('text', { name: 'credential_id' }) credentialId!: string;
  @Column('bytea', { name: 'public_key' }) publicKey!: Buffer;
  /** A number of 64 bits, which the driver reads as text. */
  @Column('bigint') counter!: string;
  @Column('text', { array: true }) transports!: string[];
  @Column('text') name!: string;
  @Column('boolean', { name: 'backed_up' }) backedUp!: boolean;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true }) lastUsedAt!: Date | null;
}
