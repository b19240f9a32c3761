import type { Actor } from '@ams/contracts';
import type { Environment } from '@ams/scopes';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { ScheduleEntity } from '../schedules/schedule.entity.js';

/** The feed of a schedule, or of a member in an environment. */
@Entity({ schema: 'resources', name: 'calendar_feeds' })
@Unique('calendar_feeds_schedule_id_key', ['scheduleId'])
@Unique('calendar_feeds_member_id_environment_key', ['memberId', 'environment'])
@Unique('calendar_feeds_token_hash_key', ['tokenHash'])
@Check('calendar_feeds_check', 'num_nonnulls(schedule_id, member_id) = 1')
export class CalendarFeedEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'calendar_feeds_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;

  @Column('uuid', { name: 'schedule_id', nullable: true })
  @ForeignKey(() => ScheduleEntity, { name: 'calendar_feeds_schedule_id_fkey', onDelete: 'CASCADE' })
  scheduleId!: string | null;

  /** A row of `auth.members`. */
  @Column('uuid', { name: 'member_id', nullable: true }) memberId!: string | null;
  @Column('text', { name: 'token_hash' }) tokenHash!: string;
  @Column('jsonb', { name: 'created_by' }) createdBy!: Actor;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
}
