import type { Environment } from '@ams/scopes';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A domain event that could not be processed, or a message of the stream that holds none. */
@Entity({ schema: 'workflows', name: 'set_aside' })
@Index('set_aside_waiting', ['createdAt'], { where: '(replayed_at IS NULL)' })
export class SetAsideEventEntity {
  /** That of the event, if it has one. */
  @PrimaryColumn('uuid') id!: string;
  /** The subject to which a replay publishes it. */
  @Column('text') subject!: string;
  @Column('bigint', { name: 'stream_sequence' }) streamSequence!: string;
  /** Null, like the environment, when the message could not be parsed. */
  @Column('uuid', { name: 'organization_id', nullable: true }) organizationId!: string | null;
  @Column('text', { nullable: true }) environment!: Environment | null;
  /** JSON of a message with this one event, or the text of the message. */
  @Column('text') payload!: string;
  @Column('text') error!: string;
  @Column('integer') tries!: number;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'replayed_at', precision: 3, nullable: true }) replayedAt!: Date | null;
}
