import type { Environment } from '@ams/scopes';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A domain event that waits for a turn of its organization (waiting-events.ts). */
@Entity({ schema: 'workflows', name: 'waiting_events' })
@Index('waiting_events_lanes', ['organizationId', 'lane', 'position'])
export class WaitingEventEntity {
  /** The order within a lane. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) position!: string;
  /** That of the event, so that an event that is delivered again has one row. */
  @Column('uuid', { unique: true }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('smallint') lane!: number;
  /** The event as JSON. */
  @Column('text') payload!: string;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
}
