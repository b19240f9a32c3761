/** The values of a run that its steps need. */
import type { Tenant } from '@ams/contracts';
import type { WorkflowEvent, WorkflowStep } from '@ams/domain';

export interface Run extends Tenant {
  id: string;
  workflowId: string;
  workflowName: string;
  /** The UUID of the event that began the run. */
  eventId: string;
  eventType: WorkflowEvent;
  occurredAt: Date;
  /** The number of workflows that triggered each other before this event. */
  depth: number;
  /** The UUID of the event that began this chain of workflows; null when that is the event of this run. */
  rootEventId: string | null;
  alertId: string | null;
  incidentId: string | null;
  /** The UUID of the schedule or suppression window of the event; null for alerts and incidents. */
  subjectId: string | null;
  steps: WorkflowStep[];
  /** The index of the step that is due. */
  nextStep: number;
  /** The run's alert joined an incident that was open already. */
  joined: boolean;
  previousDoneAt: Date;
}

export interface StepResult {
  outcome: 'done' | 'skipped' | 'failed';
  reason: string | null;
  /** What was done, for the record of the run. */
  detail: unknown;
  /** The incident that the run is about from now on; null when the step does not change it. */
  incidentId: string | null;
  joined: boolean;
}

export const stepResult = (outcome: StepResult['outcome'], values: Partial<StepResult> = {}): StepResult => ({
  outcome,
  reason: null,
  detail: null,
  incidentId: null,
  joined: false,
  ...values,
});
