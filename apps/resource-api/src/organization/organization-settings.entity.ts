import type { FlapSettings, Severity } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EscalationPolicyEntity } from '../escalation-policies/escalation-policy.entity.js';

@Entity({ schema: 'resources', name: 'organization_settings' })
@Check('organization_settings_default_window_seconds_check', 'default_window_seconds >= 0')
export class OrganizationSettingsEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'organization_settings_pkey' })
  organizationId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'organization_settings_pkey' }) environment!: Environment;

  @Column('uuid', { name: 'catch_all_policy_id', nullable: true })
  @ForeignKey(() => EscalationPolicyEntity, { name: 'organization_settings_catch_all_policy_id_fkey' })
  @Index('organization_settings_catch_all', { where: 'catch_all_policy_id IS NOT NULL' })
  catchAllPolicyId!: string | null;

  @Column('text', { name: 'high_urgency_severities', array: true }) highUrgencySeverities!: Severity[];
  @Column('jsonb') flap!: FlapSettings;
  @Column('int', { name: 'default_window_seconds' }) defaultWindowSeconds!: number;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('int', { default: 1 }) version!: number;
}
