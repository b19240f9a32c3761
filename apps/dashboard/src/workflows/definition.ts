/** A workflow as the form edits it, and as the API takes it. */
import type { components } from '@ams/client';
import { conditionOf, draftOf, type Group } from '../conditions/draft.js';
import type { Condition, WorkflowEvent } from '../conditions/fields.js';

export type Workflow = components['schemas']['Workflow'];
export type WorkflowStep = components['schemas']['WorkflowStep'];
export type StepType = WorkflowStep['type'];
export type StepOf<Type extends StepType> = Extract<WorkflowStep, { type: Type }>;
export type Target = StepOf<'notify'>['params']['targets'][number];

export interface WorkflowValues {
  name: string;
  description: string;
  enabled: boolean;
  teamId: string | null;
  trigger: { events: WorkflowEvent[] };
  conditions: Group;
  steps: WorkflowStep[];
}

export const workflowEvents = [
  'alert.created',
  'alert.severityChanged',
  'alert.resumed',
  'alert.acknowledged',
  'alert.suppressed',
  'alert.resolved',
  'incident.created',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reopened',
  'schedule.handoff',
  'suppression.expiring',
] as const satisfies readonly WorkflowEvent[];

export const stepTypes = [
  'page',
  'notify',
  'openIncident',
  'webhook',
  'setSeverity',
  'addLabels',
  'assign',
  'acknowledge',
  'resolve',
] as const satisfies readonly StepType[];

export function valuesOf(workflow: Workflow): WorkflowValues {
  const { name, description, enabled, teamId, trigger, conditions, steps } = workflow;
  return {
    name,
    description: description ?? '',
    enabled,
    teamId,
    trigger,
    conditions: draftOf(conditions),
    steps,
  };
}

export const newWorkflow: WorkflowValues = {
  name: '',
  description: '',
  enabled: true,
  teamId: null,
  trigger: { events: ['alert.created', 'alert.resumed', 'alert.severityChanged'] },
  conditions: { kind: 'all', parts: [{ field: 'severity', op: 'gte', value: 'high' }] },
  steps: [newStep('page', [])],
};

export interface Definition {
  name: string;
  description: string | null;
  enabled: boolean;
  teamId: string | null;
  trigger: { events: WorkflowEvent[] };
  conditions: Condition | null;
  steps: WorkflowStep[];
}

export const definitionOf = ({ description, conditions, ...rest }: WorkflowValues): Definition => ({
  ...rest,
  description: description.trim() === '' ? null : description,
  conditions: conditionOf(conditions),
});

const timing = { delaySeconds: 0, unless: [], continueOnError: false };

/** A step with the defaults of its type, and an id that no other step has. */
export function newStep(type: StepType, others: readonly WorkflowStep[]): WorkflowStep {
  return { id: freeId(type, others), ...timing, ...paramsOf(type) } as WorkflowStep;
}

function paramsOf(type: StepType): Pick<WorkflowStep, 'type' | 'params'> {
  switch (type) {
    case 'page':
      return {
        type,
        params: {
          groupBy: null,
          windowSeconds: null,
          autoResolve: true,
          title: null,
          policy: { teamFrom: 'labels.team' },
        },
      };
    case 'notify':
      return { type, params: { targets: [newTarget('schedule')], subject: null, message: null } };
    case 'openIncident':
      return {
        type,
        params: { groupBy: ['fingerprint'], windowSeconds: 0, autoResolve: true, title: null, severity: null },
      };
    case 'webhook':
      return { type, params: { url: '', secret: null, headers: {}, timeoutSeconds: 10 } };
    case 'setSeverity':
      return { type, params: { severity: 'high' } };
    case 'addLabels':
      return { type, params: { labels: {} } };
    case 'assign':
      return { type, params: { userId: '' } };
    case 'acknowledge':
    case 'resolve':
      return { type, params: {} };
  }
}

/** `page`, or `page-2` when there is one already. */
export function freeId(type: string, others: readonly { id: string }[]): string {
  const used = new Set(others.map(({ id }) => id));
  let id = type;
  for (let nth = 2; used.has(id); nth++) id = `${type}-${nth}`;
  return id;
}

export type TargetType = 'user' | 'schedule' | 'email' | 'emailFrom' | 'channel';

export const targetTypes = ['user', 'schedule', 'email', 'emailFrom', 'channel'] as const satisfies TargetType[];

export const targetTypeOf = (target: Target): TargetType =>
  target.type === 'email' ? (typeof target.addressFrom === 'string' ? 'emailFrom' : 'email') : target.type;

export function newTarget(type: TargetType): Target {
  switch (type) {
    case 'user':
      return { type, id: '' };
    case 'schedule':
      return { type, id: '', who: 'current' };
    case 'email':
      return { type, address: '' };
    case 'emailFrom':
      return { type: 'email', addressFrom: 'labels.owner' };
    case 'channel':
      return { type, kind: 'slack', url: '', secret: null };
  }
}

/** The step one place up or down. */
export function movedStep(steps: readonly WorkflowStep[], from: number, by: 1 | -1): WorkflowStep[] {
  const to = from + by;
  const moved = steps[from];
  if (moved === undefined || to < 0 || to >= steps.length) return [...steps];
  return steps.toSpliced(from, 1).toSpliced(to, 0, moved);
}
