import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

@Entity({ schema: 'auth', name: 'organizations' })
@Unique('organizations_slug_key', ['slug'])
export class OrganizationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organizations_pkey' }) id!: string;
  @Column('text') name!: string;
  @Column('text') slug!: string;
  /** What an operator has set, by the kinds of `limitKinds`. */
  @Column('jsonb', { default: {} }) limits!: Record<string, number>;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('int', { default: 1 }) version!: number;
}
