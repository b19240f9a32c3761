import type { Environment } from '@ams/scopes';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ClientEntity } from './client.entity.js';

const primaryKeyConstraintName = 'client_names_pkey';

/** A name by which labels of alerts find a client: its slug, its external id or an alias. */
@Entity({ schema: 'resources', name: 'client_names' })
export class ClientNameEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName }) organizationId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName }) environment!: Environment;
  /** In lower case. */
  @PrimaryColumn('text', { primaryKeyConstraintName }) name!: string;

  @Column('uuid', { name: 'client_id' })
  @ForeignKey(() => ClientEntity, { name: 'client_names_client_id_fkey', onDelete: 'CASCADE' })
  @Index('client_names_client')
  clientId!: string;
}
