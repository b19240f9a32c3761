import type { ViewQuery } from '@ams/contracts';
import type { ViewPage, ViewVisibility } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TeamEntity } from '../teams/team.entity.js';

@Entity({ schema: 'resources', name: 'views' })
@Check('views_visibility_check', `visibility IN ('own', 'team', 'organization')`)
@Check('views_team_check', `(visibility = 'team') = (team_id IS NOT NULL)`)
@Check('views_owner_check', `visibility <> 'own' OR owner_id IS NOT NULL`)
@Index('views_list', ['organizationId', 'environment', 'position', 'id'])
@Index('views_by_creation', { synchronize: false }) // descending
export class ViewEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'views_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text') page!: ViewPage;
  @Column('jsonb') query!: ViewQuery;
  @Column('text') visibility!: ViewVisibility;

  @Column('uuid', { name: 'team_id', nullable: true })
  @ForeignKey(() => TeamEntity, { name: 'views_team_id_fkey', onDelete: 'CASCADE' })
  @Index('views_team', { where: 'team_id IS NOT NULL' })
  teamId!: string | null;

  /** The member who made it; null for one that a key made, or a member who was deleted. */
  @Column('uuid', { name: 'owner_id', nullable: true })
  @Index('views_owner', { where: 'owner_id IS NOT NULL' })
  ownerId!: string | null;

  @Column('int', { default: 0 }) position!: number;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('int', { default: 1 }) version!: number;
}
