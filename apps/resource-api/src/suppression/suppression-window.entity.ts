import type { Actor } from '@ams/contracts';
import type { Predicate, Severity, WindowEnd } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TeamEntity } from '../teams/team.entity.js';

@Entity({ schema: 'resources', name: 'suppression_windows' })
@Index('suppression_windows_list', { synchronize: false })
@Check('suppression_windows_on_end_check', `on_end IN ('resume', 'resolve')`)
@Check('suppression_windows_check', '(rrule IS NULL) = (duration_seconds IS NULL)')
@Check('suppression_windows_check1', 'rrule IS NOT NULL OR ends_at > starts_at')
export class SuppressionWindowEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'suppression_windows_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('boolean') enabled!: boolean;

  @Column('uuid', { name: 'team_id', nullable: true })
  @ForeignKey(() => TeamEntity, { name: 'suppression_windows_team_id_fkey' })
  @Index('suppression_windows_team', { where: 'team_id IS NOT NULL' })
  teamId!: string | null;

  @Column('jsonb') matchers!: Predicate[];
  @Column('uuid', { name: 'client_ids', array: true }) clientIds!: string[];
  @Column('uuid', { name: 'integration_ids', array: true }) integrationIds!: string[];
  @Column('text', { name: 'except_severities', array: true }) exceptSeverities!: Severity[];
  @Column('boolean', { name: 'match_all' }) matchAll!: boolean;
  @Column({ type: 'timestamptz', name: 'starts_at', precision: 3 }) startsAt!: Date;
  @Column({ type: 'timestamptz', name: 'ends_at', precision: 3, nullable: true }) endsAt!: Date | null;
  @Column('text') timezone!: string;
  @Column('text', { nullable: true }) rrule!: string | null;
  @Column('int', { name: 'duration_seconds', nullable: true }) durationSeconds!: number | null;
  @Column('text', { name: 'on_end' }) onEnd!: WindowEnd;
  @Column('jsonb', { name: 'created_by' }) createdBy!: Actor;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('int', { default: 1 }) version!: number;
}
