import type { ClientContact } from '@ams/contracts';
import type { Environment } from '@ams/scopes';
import { Column, DeleteDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'resources', name: 'clients' })
@Index('clients_by_name', ['organizationId', 'environment', 'name', 'id'], { where: 'deleted_at IS NULL' })
@Index('clients_by_creation', { synchronize: false })
export class ClientEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'clients_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('text', { name: 'external_id', nullable: true }) externalId!: string | null;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { array: true }) aliases!: string[];
  @Column('jsonb') contacts!: ClientContact[];
  @Column('text') timezone!: string;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;

  @DeleteDateColumn({ type: 'timestamptz', name: 'deleted_at', precision: 3 })
  @Index('clients_deleted', { where: 'deleted_at IS NOT NULL' })
  deletedAt!: Date | null;

  @Column('int', { default: 1 }) version!: number;
}
