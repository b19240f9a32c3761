/** The records that the steps of a workflow refer to. */
import type { WorkflowStep } from './workflow-schema.js';

export interface WorkflowReference {
  noun: 'member' | 'schedule' | 'escalationPolicy';
  id: string;
  /** Where the step names it, such as `steps[1].params.targets[0].id`. */
  path: string;
}

/** The members, schedules and escalation policies that steps name, each time that they are named. */
export const referencesOf = (steps: readonly WorkflowStep[]): WorkflowReference[] =>
  steps.flatMap((step, index) => referencesOfStep(step, `steps[${index}].params`));

function referencesOfStep({ type, params }: WorkflowStep, path: string): WorkflowReference[] {
  if (type === 'notify') {
    return params.targets.flatMap((target, index): WorkflowReference[] => {
      const idPath = `${path}.targets[${index}].id`;
      if (target.type === 'user') return [{ noun: 'member', id: target.id, path: idPath }];
      return target.type === 'schedule' ? [{ noun: 'schedule', id: target.id, path: idPath }] : [];
    });
  }
  if (type === 'page')
    return params.policy && 'id' in params.policy
      ? [{ noun: 'escalationPolicy', id: params.policy.id, path: `${path}.policy.id` }]
      : [];
  if (type !== 'assign') return [];
  return 'userId' in params
    ? [{ noun: 'member', id: params.userId, path: `${path}.userId` }]
    : [{ noun: 'schedule', id: params.scheduleId, path: `${path}.scheduleId` }];
}
