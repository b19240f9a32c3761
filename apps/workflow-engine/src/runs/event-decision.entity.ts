import type { WorkflowConsidered } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The decision about one workflow for one event. */
export interface WorkflowDecision extends WorkflowConsidered {
  workflowId: string;
  name: string;
  version: number;
  /** The run that it began. */
  runId: string | null;
}

/** An event, and the decision about each workflow with this trigger. */
@Entity({ schema: 'workflows', name: 'considered' })
@Index('considered_alert', ['alertId', 'eventId'], { where: '(alert_id IS NOT NULL)' })
@Index('considered_incident', ['incidentId', 'eventId'], { where: '(incident_id IS NOT NULL)' })
export class EventDecisionEntity {
  @PrimaryColumn('uuid', { name: 'event_id', primaryKeyConstraintName: 'considered_pkey' }) eventId!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text', { name: 'event_type' }) eventType!: string;
  @Column('uuid', { name: 'alert_id', nullable: true }) alertId!: string | null;
  @Column('uuid', { name: 'incident_id', nullable: true }) incidentId!: string | null;
  @Column({ type: 'timestamptz', name: 'occurred_at', precision: 3 }) occurredAt!: Date;
  @Column('jsonb') workflows!: WorkflowDecision[];
}
