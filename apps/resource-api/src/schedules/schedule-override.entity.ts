import type { Actor } from '@ams/contracts';
import type { Environment } from '@ams/scopes';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ScheduleEntity } from './schedule.entity.js';

@Entity({ schema: 'resources', name: 'schedule_overrides' })
@Index('schedule_overrides_schedule', ['scheduleId', 'endsAt'])
@Check('schedule_overrides_check', 'ends_at > starts_at')
export class ScheduleOverrideEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'schedule_overrides_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;

  @Column('uuid', { name: 'schedule_id' })
  @ForeignKey(() => ScheduleEntity, { name: 'schedule_overrides_schedule_id_fkey', onDelete: 'CASCADE' })
  scheduleId!: string;

  /** A row of `auth.members`, while the override has not ended. */
  @Column('uuid', { name: 'member_id' })
  @Index('schedule_overrides_member')
  memberId!: string;

  @Column({ type: 'timestamptz', name: 'starts_at', precision: 3 }) startsAt!: Date;
  @Column({ type: 'timestamptz', name: 'ends_at', precision: 3 }) endsAt!: Date;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('jsonb', { name: 'created_by' }) createdBy!: Actor;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** The member whose place it takes; null: everybody's. */
  @Column('uuid', { name: 'replaces_member_id', nullable: true }) replacesMemberId!: string | null;
}
