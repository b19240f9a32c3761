/** A run as it is kept. */
import type { WorkflowStep } from '@ams/domain';

/** A row of `workflows.runs`. */
export interface Run {
  id: string;
  organization_id: string;
  environment: 'live' | 'test';
  workflow_id: string;
  workflow_name: string;
  workflow_version: number;
  event_id: string;
  event_type: string;
  occurred_at: Date;
  depth: number;
  alert_id: string | null;
  incident_id: string | null;
  status: 'running' | 'waiting' | 'completed' | 'failed';
  steps: WorkflowStep[];
  next_step: number;
  joined: boolean;
  previous_done_at: Date;
}

/** What became of a step, as the run keeps it. */
export interface KeptResult {
  stepId: string;
  type: WorkflowStep['type'];
  outcome: 'done' | 'skipped' | 'failed';
  reason: string | null;
  detail: unknown;
  at: string;
}
