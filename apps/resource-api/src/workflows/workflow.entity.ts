import type { Condition, WorkflowEvent, WorkflowStep } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TeamEntity } from '../teams/team.entity.js';

@Entity({ schema: 'resources', name: 'workflows' })
@Index('workflows_by_name', ['organizationId', 'environment', 'name', 'id'])
@Index('workflows_by_creation', { synchronize: false })
@Check('workflows_events_check', 'cardinality(events) > 0')
export class WorkflowEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'workflows_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('boolean') enabled!: boolean;

  @Column('uuid', { name: 'team_id', nullable: true })
  @ForeignKey(() => TeamEntity, { name: 'workflows_team_id_fkey' })
  @Index('workflows_team', { where: 'team_id IS NOT NULL' })
  teamId!: string | null;

  @Column('text', { array: true }) events!: WorkflowEvent[];
  @Column('jsonb', { nullable: true }) conditions!: Condition | null;
  /** With their secrets. Ids are public ones. */
  @Column('jsonb') steps!: WorkflowStep[];
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('int', { default: 1 }) version!: number;
}
