import {
  channels,
  notificationStatuses,
  type Channel,
  type Destination,
  type Notice,
  type NotificationStatus,
} from '@ams/contracts';
import type { Environment } from '@ams/scopes';
import type { EventData } from './event-data.js';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

const oneOf = (column: string, values: readonly string[]): string =>
  `${column} IN (${values.map((value) => `'${value}'`).join(', ')})`;

/** A message to one recipient. */
@Entity({ schema: 'workflows', name: 'notifications' })
@Index('notifications_list', { synchronize: false })
@Index('notifications_alert', { synchronize: false })
@Index('notifications_incident', { synchronize: false })
@Index('notifications_in_order', ['orderKey', 'subjectVersion'], {
  where: `((status = 'queued'::text) AND (order_key IS NOT NULL))`,
})
// Only a search for all that is queued says `attempts >= 0`: see the migration 1700000048000.
@Index('notifications_open', ['createdAt'], { where: `((status = 'queued'::text) AND (attempts >= 0))` })
@Index('notifications_waiting', ['organizationId', 'environment', 'createdAt'], {
  where: `((status = 'queued'::text) AND (attempts >= 0))`,
})
@Index('notifications_waiting_in_order', ['orderKey', 'subjectVersion'], {
  where: `(waits_in_order AND (attempts >= 0))`,
})
@Index('notifications_waiting_of_alert', ['alertId'], { where: `(waits_in_order AND (attempts >= 0))` })
@Index('notifications_waiting_of_incident', ['incidentId'], { where: `(waits_in_order AND (attempts >= 0))` })
@Index('notifications_page', ['pageId'], { where: '(page_id IS NOT NULL)' })
@Index('notifications_to_devices', ['incidentId'], { where: `(channel = 'push'::text)` })
@Check('notifications_channel_check', oneOf('channel', channels))
@Check('notifications_status_check', oneOf('status', notificationStatuses))
export class NotificationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notifications_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  /** Null for a page, for what replaces one on a device, and for a test message. */
  @Column('uuid', { name: 'run_id', nullable: true }) runId!: string | null;
  @Column('text', { name: 'step_id', nullable: true }) stepId!: string | null;
  @Column('uuid', { name: 'workflow_id', nullable: true }) workflowId!: string | null;
  @Column('text', { name: 'workflow_name', nullable: true }) workflowName!: string | null;
  @Column('uuid', { name: 'alert_id', nullable: true }) alertId!: string | null;
  @Column('uuid', { name: 'incident_id', nullable: true }) incidentId!: string | null;
  /** The page of the incident that it belongs to; null for a message of a workflow. */
  @Column('uuid', { name: 'page_id', nullable: true }) pageId!: string | null;
  @Column('uuid', { name: 'member_id', nullable: true }) memberId!: string | null;
  @Column('text') channel!: Channel;
  /** The recipient as the API shows it. */
  @Column('text') target!: string;
  /** The address to which the message is sent. It may contain a secret, and is read only to send. */
  @Column('jsonb', { select: false }) destination!: Destination;
  @Column('jsonb', { select: false }) notice!: Pick<Notice, 'subject' | 'message' | 'silent'>;
  /** The notification is not sent when its alert or incident is in one of these states. */
  @Column('text', { name: 'stop_when', array: true, select: false }) stopWhen!: string[];
  /** For webhooks: what the message tells, and its place in the order. Null in records of an earlier release. */
  @Column('jsonb', { name: 'event_data', nullable: true, select: false }) eventData!: EventData | null;
  @Column('int', { name: 'subject_version', nullable: true, select: false }) subjectVersion!: number | null;
  @Column('text', { name: 'order_key', nullable: true, select: false }) orderKey!: string | null;
  @Column('boolean', { name: 'waits_in_order', default: false, select: false }) waitsInOrder!: boolean;
  @Column('text') why!: string;
  @Column('text') status!: NotificationStatus;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('smallint', { default: 0 }) attempts!: number;
  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true }) nextAttemptAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 }) updatedAt!: Date;
}
