/** What the steps of a workflow would do, if they ran and nobody acknowledged or resolved anything meanwhile. Reads only. */
import type { Alert, Incident, PlannedStep } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { rendered, type WorkflowStep } from '@ams/domain';
import type { NewDelivery } from './make-deliveries.js';
import { onCallOf, recipientsOf, shownOnCall, webhookRecipient, type ShownOnCall, type Telling } from './recipients.js';

/** What a run would be about. An alert that is imagined has no id yet. */
export interface PlannedSubject {
  alert: Alert | null;
  incident: Incident | null;
}

/** Whom a step would tell, without where that really is. */
export interface PlannedTarget {
  channel: string;
  target: string;
  why: string;
  unreachable: string | null;
  onCall: ShownOnCall | null;
}

/** The steps of a workflow that begins to run at `at` (RFC 3339), each with its time and whom it would tell then. */
export async function planSteps(tx: Tx, telling: Telling, steps: readonly WorkflowStep[], about: PlannedSubject, at: string): Promise<PlannedStep[]> {
  const planned: PlannedStep[] = [];
  let due = Date.parse(at);
  for (const step of steps) {
    due += step.delaySeconds * 1000;
    const time = new Date(due).toISOString();
    planned.push({ id: step.id, type: step.type, at: time, ...(await planOf(tx, telling, step, about, time)) });
  }
  return planned;
}

type Plan = Pick<PlannedStep, 'would' | 'targets'>;

const only = (would: string): Plan => ({ would, targets: [] });

async function planOf(tx: Tx, telling: Telling, step: WorkflowStep, about: PlannedSubject, at: string): Promise<Plan> {
  switch (step.type) {
    case 'notify':
      return tells(await recipientsOf(tx, telling, step.params.targets, at));
    case 'webhook': {
      const target = targetOf(webhookRecipient(step.params));
      return { would: `call ${target.target}`, targets: [target] };
    }
    case 'openIncident':
      return only(incidentWords(step.params, about.alert));
    case 'assign':
      return assigns(tx, telling, step.params, at);
    case 'setSeverity':
      return only(`set the severity to ${step.params.severity}`);
    case 'addLabels':
      return only(`add the labels ${Object.entries(step.params.labels).map(([key, value]) => `${key}: ${value}`).join(', ')}`);
    case 'acknowledge':
    case 'resolve':
      return only(`${step.type} the ${about.alert ? 'alert' : 'incident'}`);
  }
}

const targetOf = ({ channel, target, why, unreachable, onCall }: NewDelivery): PlannedTarget => ({ channel, target, why, unreachable, onCall: shownOnCall(onCall) });

function tells(recipients: NewDelivery[]): Plan {
  const reached = recipients.filter(({ unreachable }) => unreachable === null).length;
  return { would: reached === 0 ? 'tell nobody' : reached === 1 ? 'tell one recipient' : `tell ${reached} recipients`, targets: recipients.map(targetOf) };
}

function incidentWords({ groupBy, title }: Extract<WorkflowStep, { type: 'openIncident' }>['params'], alert: Alert | null): string {
  const called = (title !== null && alert ? rendered(title, alert) : null) ?? alert?.title ?? 'of the alert';
  const group = groupBy.length === 0 ? 'one for everything' : `one for each ${groupBy.join(', ')}`;
  return `open the incident "${called}", or join the one that is open (${group})`;
}

async function assigns(tx: Tx, telling: Telling, params: Extract<WorkflowStep, { type: 'assign' }>['params'], at: string): Promise<Plan> {
  if ('userId' in params) return only(`assign ${params.userId}`);
  const onCall = await onCallOf(tx, telling, params.scheduleId, 'current', at);
  if (!onCall?.memberId) return only(onCall ? `assign nobody: nobody is on call in ${onCall.scheduleName}` : 'assign nobody: the schedule is not there');
  return only(`assign ${shownOnCall(onCall)?.userId ?? ''}, who is on call in ${onCall.scheduleName}`);
}
