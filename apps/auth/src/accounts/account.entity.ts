import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A person who signs in. Members of several organizations may have the same account. */
@Entity({ schema: 'auth', name: 'accounts' })
@Index('accounts_email', { synchronize: false }) // unique over lower(email)
export class AccountEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'accounts_pkey' }) id!: string;
  @Column('text') email!: string;
  /** argon2id, with its parameters and salt; null: no password. */
  @Column('text', { name: 'password_hash', nullable: true }) passwordHash!: string | null;
  @Column({ type: 'timestamptz', name: 'password_changed_at', precision: 3, nullable: true })
  passwordChangedAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 }) updatedAt!: Date;
}
