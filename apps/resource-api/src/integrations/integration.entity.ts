import type { MappingSettings } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Check, Column, DeleteDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { ClientEntity } from '../clients/client.entity.js';
import { TeamEntity } from '../teams/team.entity.js';

@Entity({ schema: 'resources', name: 'integrations' })
@Index('integrations_name', ['organizationId', 'environment', 'name', 'id'], { where: 'deleted_at IS NULL' })
@Index('integrations_list', { synchronize: false })
@Unique('integrations_token_hash_key', ['tokenHash'])
@Unique('integrations_previous_token_hash_key', ['previousTokenHash'])
@Check('integrations_dedup_scope_check', `dedup_scope IN ('integration', 'organization')`)
@Check('integrations_auto_resolve_after_seconds_check', 'auto_resolve_after_seconds > 0')
export class IntegrationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'integrations_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text') type!: string;
  @Column('boolean', { default: true }) enabled!: boolean;

  @Column('uuid', { name: 'client_id', nullable: true })
  @ForeignKey(() => ClientEntity, { name: 'integrations_client_id_fkey' })
  @Index('integrations_client', { where: 'client_id IS NOT NULL' })
  clientId!: string | null;

  @Column('uuid', { name: 'team_id', nullable: true })
  @ForeignKey(() => TeamEntity, { name: 'integrations_team_id_fkey', onDelete: 'SET NULL' })
  @Index('integrations_team', { where: 'team_id IS NOT NULL' })
  teamId!: string | null;

  @Column('text', { name: 'token_hash' }) tokenHash!: string;
  /** The last characters of the token. */
  @Column('text', { name: 'token_hint' }) tokenHint!: string;
  /** The token before the last rotation, while it still works. */
  @Column('text', { name: 'previous_token_hash', nullable: true }) previousTokenHash!: string | null;
  @Column({ type: 'timestamptz', name: 'previous_token_expires_at', precision: 3, nullable: true })
  previousTokenExpiresAt!: Date | null;

  @Column('jsonb') settings!: Omit<MappingSettings, 'type'>;
  @Column('text', { name: 'dedup_scope' }) dedupScope!: 'integration' | 'organization';
  @Column('int', { name: 'auto_resolve_after_seconds', nullable: true }) autoResolveAfterSeconds!: number | null;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @DeleteDateColumn({ type: 'timestamptz', name: 'deleted_at', precision: 3 }) deletedAt!: Date | null;
  @Column('int', { default: 1 }) version!: number;
}
