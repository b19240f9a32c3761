import type { Environment } from '@ams/scopes';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { EscalationPolicyEntity } from '../escalation-policies/escalation-policy.entity.js';

@Entity({ schema: 'resources', name: 'teams' })
@Index('teams_by_name', ['organizationId', 'environment', 'name', 'id'])
@Index('teams_by_creation', { synchronize: false })
@Unique('teams_slug', ['organizationId', 'environment', 'slug'])
export class TeamEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'teams_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('text', { nullable: true }) description!: string | null;

  @Column('uuid', { name: 'policy_id', nullable: true })
  @ForeignKey(() => EscalationPolicyEntity, { name: 'teams_policy_id_fkey' })
  @Index('teams_policy', { where: 'policy_id IS NOT NULL' })
  policyId!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('int', { default: 1 }) version!: number;
}
