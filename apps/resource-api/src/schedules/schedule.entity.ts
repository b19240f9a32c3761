import type { ScheduleLayer } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TeamEntity } from '../teams/team.entity.js';

@Entity({ schema: 'resources', name: 'schedules' })
@Index('schedules_by_name', ['organizationId', 'environment', 'name', 'id'])
@Index('schedules_by_creation', { synchronize: false })
export class ScheduleEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'schedules_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;

  @Column('uuid', { name: 'team_id', nullable: true })
  @ForeignKey(() => TeamEntity, { name: 'schedules_team_id_fkey' })
  @Index('schedules_team', { where: 'team_id IS NOT NULL' })
  teamId!: string | null;

  @Column('text') timezone!: string;
  /** Members are UUIDs here. */
  @Column('jsonb') layers!: ScheduleLayer[];
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('int', { default: 1 }) version!: number;
}
