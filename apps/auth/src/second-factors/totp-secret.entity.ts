import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.js';

/** The authenticator app of an account. Secrets are sealed (see `SealedSecrets`). */
@Entity({ schema: 'auth', name: 'totp_secrets' })
@Check('totp_secrets_check', '(secret IS NULL) = (confirmed_at IS NULL)')
@Check('totp_secrets_check1', '(new_secret IS NULL) = (new_secret_at IS NULL)')
export class TotpSecretEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'totp_secrets_pkey' })
  @ForeignKey(() => AccountEntity, { name: 'totp_secrets_account_id_fkey', onDelete: 'CASCADE' })
  accountId!: string;

  @Column('bytea', { nullable: true }) secret!: Buffer | null;
  /** A number of 64 bits, which the driver reads as text. */
  @Column('bigint', { name: 'last_step', nullable: true }) lastStep!: string | null;
  @Column({ type: 'timestamptz', name: 'confirmed_at', precision: 3, nullable: true }) confirmedAt!: Date | null;
  @Column('bytea', { name: 'new_secret', nullable: true }) newSecret!: Buffer | null;
  @Column({ type: 'timestamptz', name: 'new_secret_at', precision: 3, nullable: true }) newSecretAt!: Date | null;
}
