/** Workflows as the API answers them. Their secrets are stored, and never answered. */
import { publicId, type Workflow } from '@ams/contracts';
import type { RecordKind } from '../records/entity-records.js';
import { maskedSteps } from './workflow-secrets.js';
import { WorkflowEntity } from './workflow.entity.js';

export const workflows: RecordKind<WorkflowEntity> = { entity: WorkflowEntity, noun: 'workflow', resource: 'workflow' };

/** The settings of a workflow that a caller can set. */
export type WorkflowSettings = Pick<
  WorkflowEntity,
  'name' | 'description' | 'enabled' | 'teamId' | 'events' | 'conditions' | 'steps'
>;

/** A caller must send a name, events and steps. */
export const workflowDefaults: WorkflowSettings = {
  name: '',
  description: null,
  enabled: true,
  teamId: null,
  events: [],
  conditions: null,
  steps: [],
};

export const workflowRecord = (workflow: WorkflowEntity, lastRunAt: Date | null): Workflow => ({
  id: publicId('workflow', workflow.id),
  name: workflow.name,
  description: workflow.description,
  enabled: workflow.enabled,
  teamId: publicId('team', workflow.teamId),
  trigger: { events: workflow.events },
  conditions: workflow.conditions,
  steps: maskedSteps(workflow.steps),
  lastRunAt: lastRunAt?.toISOString() ?? null,
  createdAt: workflow.createdAt.toISOString(),
  updatedAt: workflow.updatedAt.toISOString(),
  version: workflow.version,
});
