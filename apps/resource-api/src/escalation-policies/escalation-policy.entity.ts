import type { PolicyLevel } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TeamEntity } from '../teams/team.entity.js';

@Entity({ schema: 'resources', name: 'escalation_policies' })
@Index('escalation_policies_by_name', ['organizationId', 'environment', 'name', 'id'])
@Index('escalation_policies_by_creation', { synchronize: false })
@Check('escalation_policies_repeat_check', 'repeat BETWEEN 0 AND 9')
@Check('escalation_policies_ack_timeout_seconds_check', 'ack_timeout_seconds > 0')
export class EscalationPolicyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'escalation_policies_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;

  @Column('uuid', { name: 'team_id', nullable: true })
  @ForeignKey(() => TeamEntity, { name: 'escalation_policies_team_id_fkey' })
  @Index('escalation_policies_team', { where: 'team_id IS NOT NULL' })
  teamId!: string | null;

  /** With their secrets. Ids are public ones. */
  @Column('jsonb') levels!: PolicyLevel[];
  @Column('int') repeat!: number;
  @Column('int', { name: 'ack_timeout_seconds', nullable: true }) ackTimeoutSeconds!: number | null;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('int', { default: 1 }) version!: number;
}
