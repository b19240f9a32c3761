import type { Environment } from '@ams/scopes';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event that could not be applied, or a message of the stream that could not be parsed. */
@Entity({ schema: 'alerts', name: 'set_aside' })
@Index('set_aside_waiting', ['createdAt'], { where: '(replayed_at IS NULL)' })
export class SetAsideMessageEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('smallint') partition!: number;
  @Column('bigint', { name: 'stream_sequence' }) streamSequence!: string;
  /** Null, like the environment, when the message could not be parsed. */
  @Column('uuid', { name: 'organization_id', nullable: true }) organizationId!: string | null;
  @Column('text', { nullable: true }) environment!: Environment | null;
  /** JSON of a batch with this one event, or the text of the message. */
  @Column('text') payload!: string;
  @Column('text') error!: string;
  @Column('integer') tries!: number;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'replayed_at', precision: 3, nullable: true }) replayedAt!: Date | null;
}
