/** The workflow that every organization begins with, and the one that earlier releases made. */
import { isDeepStrictEqual } from 'node:util';
import { normalizedWorkflow } from './workflow-check.js';
import type { WorkflowDefinition } from './workflow-schema.js';

const trigger = { events: ['alert.created', 'alert.resumed', 'alert.severityChanged'] };
const conditions = { field: 'severity', op: 'gte', value: 'high' };

export const defaultWorkflow: WorkflowDefinition & { name: string } = {
  name: 'Page the team',
  ...normalizedWorkflow({
    trigger,
    conditions,
    steps: [{ id: 'page', type: 'page', params: { policy: { teamFrom: 'labels.team' } } }],
  }),
};

export const formerWorkflowName = 'Open an incident and page';

/** `scheduleId` is a public id. */
const formerDefault = (scheduleId: string): WorkflowDefinition => {
  const targets = [{ type: 'schedule', id: scheduleId }];
  return normalizedWorkflow({
    trigger,
    conditions,
    steps: [
      { id: 'incident', type: 'openIncident', params: { groupBy: ['fingerprint'], autoResolve: true } },
      { id: 'page', type: 'notify', params: { targets } },
      { id: 'escalate', type: 'notify', params: { targets }, delaySeconds: 600, unless: ['acknowledged', 'resolved'] },
    ],
  });
};

/** A stored workflow with its settings. */
export interface StoredDefault extends WorkflowDefinition {
  name: string;
  description: string | null;
  enabled: boolean;
  teamId: string | null;
  version: number;
}

/** Whether it is the workflow of an earlier release, and nobody has changed it. */
export function isUnchangedFormerDefault(workflow: StoredDefault): boolean {
  const { name, description, enabled, teamId, version, trigger: events, conditions: when, steps } = workflow;
  if (version !== 1 || name !== formerWorkflowName || description !== null || !enabled || teamId !== null) return false;
  const scheduleId = scheduleOf(steps);
  const definition = { trigger: events, conditions: when, steps };
  return scheduleId !== null && isDeepStrictEqual(normalizedWorkflow(definition), formerDefault(scheduleId));
}

/** The schedule that the workflow pages first. */
function scheduleOf(steps: WorkflowDefinition['steps']): string | null {
  const page = steps.find(({ type }) => type === 'notify');
  const target = page?.type === 'notify' ? page.params.targets[0] : undefined;
  return target?.type === 'schedule' ? target.id : null;
}
