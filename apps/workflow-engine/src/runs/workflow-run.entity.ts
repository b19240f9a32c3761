import { type Run, type StepResult } from '@ams/alerting';
import type { TraceNode, WorkflowEvent, WorkflowStep } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import type { EventData } from '../notifications/event-data.js';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

export type RunStatus = 'running' | 'waiting' | 'completed' | 'failed';

/** The outcome of a step, as the run stores it. */
export interface KeptResult extends Pick<StepResult, 'outcome' | 'reason' | 'detail'> {
  stepId: string;
  type: WorkflowStep['type'];
  at: string;
}

@Entity({ schema: 'workflows', name: 'runs' })
@Unique('runs_workflow_id_event_id_key', ['workflowId', 'eventId'])
@Index('runs_of_workflow', { synchronize: false })
@Index('runs_of_alert', ['alertId', 'id'], { where: '(alert_id IS NOT NULL)' })
@Index('runs_of_incident', ['incidentId', 'id'], { where: '(incident_id IS NOT NULL)' })
@Index('runs_of_root', ['rootEventId'], { where: '(root_event_id IS NOT NULL)' })
@Index('runs_of_subject', ['subjectId', 'id'], { where: '(subject_id IS NOT NULL)' })
// Only a search for all open runs says `finished_at IS NULL`: see the migration 1700000048000.
@Index('runs_open', ['previousDoneAt'], { where: '(finished_at IS NULL)' })
@Index('runs_by_age', ['finishedAt'], { where: '(finished_at IS NOT NULL)' })
@Check('runs_status_check', `status IN ('running', 'waiting', 'completed', 'failed')`)
@Check('runs_check', `(status IN ('completed', 'failed')) = (finished_at IS NOT NULL)`)
export class WorkflowRunEntity implements Run {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'runs_pkey' }) id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('uuid', { name: 'workflow_id' }) workflowId!: string;
  @Column('text', { name: 'workflow_name' }) workflowName!: string;
  @Column('int', { name: 'workflow_version' }) workflowVersion!: number;
  @Column('uuid', { name: 'event_id' }) eventId!: string;
  @Column('text', { name: 'event_type' }) eventType!: WorkflowEvent;
  @Column({ type: 'timestamptz', name: 'occurred_at', precision: 3 }) occurredAt!: Date;
  @Column('smallint') depth!: number;
  /** Only in runs that another workflow has caused. */
  @Column('uuid', { name: 'root_event_id', nullable: true }) rootEventId!: string | null;
  @Column('uuid', { name: 'alert_id', nullable: true }) alertId!: string | null;
  @Column('uuid', { name: 'incident_id', nullable: true }) incidentId!: string | null;
  @Column('text') status!: RunStatus;
  /** Steps do not read it: it may have two hundred nodes. */
  @Column('jsonb', { select: false }) trace!: TraceNode;
  @Column('jsonb') steps!: WorkflowStep[];
  @Column('smallint', { name: 'next_step', default: 0 }) nextStep!: number;
  /** Steps do not read it. */
  @Column('jsonb', { select: false, default: [] }) results!: KeptResult[];
  @Column('boolean', { default: false }) joined!: boolean;
  @Column({ type: 'timestamptz', name: 'previous_done_at', precision: 3 }) previousDoneAt!: Date;
  @Column({ type: 'timestamptz', name: 'due_at', precision: 3, nullable: true }) dueAt!: Date | null;
  /** Only in runs that post it to webhooks, or that are about a schedule or a suppression window. */
  @Column('jsonb', { name: 'event_data', nullable: true, select: false }) eventData!: EventData | null;
  @Column('int', { name: 'subject_version', nullable: true, select: false }) subjectVersion!: number | null;
  /** Why the messages of a step told nobody. */
  @Column('text', { name: 'message_error', nullable: true, select: false }) messageError!: string | null;
  @Column('text', { nullable: true }) error!: string | null;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true }) finishedAt!: Date | null;
  /** A row of `resources.schedules` or `resources.suppression_windows`. */
  @Column('uuid', { name: 'subject_id', nullable: true }) subjectId!: string | null;
}
