import { pageOutcomes, type PageOutcome } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A line of the page ledger. */
@Entity({ schema: 'workflows', name: 'page_requests' })
@Unique('page_requests_event_id_workflow_id_key', ['eventId', 'workflowId'])
@Index('page_requests_list', { synchronize: false })
@Index('page_requests_alert', ['alertId'])
@Index('page_requests_incident', ['incidentId'], { where: '(incident_id IS NOT NULL)' })
// Only a search for all open lines says `repairs >= 0`: see the migration 1700000048000.
@Index('page_requests_open', ['askedAt'], { where: '((outcome IS NULL) AND (repairs >= 0))' })
@Index('page_requests_due', ['organizationId', 'environment', 'askedAt'], {
  where: '((outcome IS NULL) AND (repairs >= 0))',
})
@Check('page_requests_outcome_check', `outcome IN (${pageOutcomes.map((outcome) => `'${outcome}'`).join(', ')})`)
export class PageRequestEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'page_requests_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('uuid', { name: 'alert_id' }) alertId!: string;
  @Column('uuid', { name: 'event_id' }) eventId!: string;
  @Column('uuid', { name: 'workflow_id', nullable: true }) workflowId!: string | null;
  @Column('text', { name: 'workflow_name', nullable: true }) workflowName!: string | null;
  @Column('uuid', { name: 'incident_id', nullable: true }) incidentId!: string | null;
  @Column('text', { nullable: true }) outcome!: PageOutcome | null;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('uuid', { name: 'notification_ids', array: true, default: [] }) notificationIds!: string[];
  @Column({ type: 'timestamptz', name: 'asked_at', precision: 3 }) askedAt!: Date;
  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true }) endedAt!: Date | null;
  @Column('int', { default: 0 }) repairs!: number;
  @Column({ type: 'timestamptz', name: 'repaired_at', precision: 3, nullable: true }) repairedAt!: Date | null;
}
