/** The records that the steps of a workflow refer to. */
import type { WorkflowStep } from './workflow-schema.js';

export interface WorkflowReferences {
  userIds: string[];
  scheduleIds: string[];
}

/** The users and schedules of the steps, without duplicates. */
export function referencesOf(steps: readonly WorkflowStep[]): WorkflowReferences {
  const userIds = new Set<string>();
  const scheduleIds = new Set<string>();
  for (const { type, params } of steps) {
    if (type === 'assign' && 'userId' in params) userIds.add(params.userId);
    if (type === 'assign' && 'scheduleId' in params) scheduleIds.add(params.scheduleId);
    if (type !== 'notify') continue;
    for (const target of params.targets) {
      if (target.type === 'user') userIds.add(target.id);
      if (target.type === 'schedule') scheduleIds.add(target.id);
    }
  }
  return { userIds: [...userIds], scheduleIds: [...scheduleIds] };
}
