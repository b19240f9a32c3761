/** What a step of a workflow would do, in words, and whom it would tell. Reads only. */
import type { PlannedIncident, PlannedStep } from '@ams/contracts';
import type { Tx } from '@ams/database';
import type { WorkflowStep } from '@ams/domain';
import {
  onCallOf,
  recipientsOf,
  shownOnCall,
  webhookRecipient,
  type Recipient,
  type ShownOnCall,
  type Telling,
} from './recipients.js';

/** Whom a step would tell, without where that really is. */
export interface PlannedTarget {
  channel: string;
  target: string;
  why: string;
  unreachable: string | null;
  onCall: ShownOnCall | null;
}

export type Plan = Pick<PlannedStep, 'would'> & { targets: PlannedTarget[] };

/** Why a step is left out, as summaries and plans say it. */
export const stepReasons: Readonly<Record<string, string>> = {
  acknowledged: 'somebody had acknowledged',
  resolved: 'it was resolved by then',
  joined: 'the incident was open already and its people knew',
};

const only = (would: string): Plan => ({ would, targets: [] });

/** Of a step that is left out. */
export const planOfNothing = (reason: string): Plan => only(`nothing: ${stepReasons[reason] ?? reason}`);

/** Of one that is done at `at` (RFC 3339), of a workflow about an alert or an incident; `openIncident` has words of its own. */
export async function planOf(
  tx: Tx,
  telling: Telling,
  step: Exclude<WorkflowStep, { type: 'openIncident' }>,
  noun: 'alert' | 'incident',
  at: string,
): Promise<Plan> {
  switch (step.type) {
    case 'notify':
      return tells(await recipientsOf(tx, telling, step.params.targets, at));
    case 'webhook': {
      const target = targetOf(webhookRecipient(step.params));
      return { would: `call ${target.target}`, targets: [target] };
    }
    case 'assign':
      return assigns(tx, telling, step.params, at);
    case 'setSeverity':
      return only(`set the severity to ${step.params.severity}`);
    case 'addLabels':
      return only(
        `add the labels ${Object.entries(step.params.labels)
          .map(([key, value]) => `${key}: ${value}`)
          .join(', ')}`,
      );
    case 'acknowledge':
    case 'resolve':
      return only(`${step.type} the ${noun}`);
  }
}

const targetOf = ({ channel, target, why, unreachable, onCall }: Recipient): PlannedTarget => ({
  channel,
  target,
  why,
  unreachable,
  onCall: shownOnCall(onCall),
});

function tells(recipients: Recipient[]): Plan {
  const reached = recipients.filter(({ unreachable }) => unreachable === null).length;
  return {
    would: reached === 0 ? 'tell nobody' : reached === 1 ? 'tell one recipient' : `tell ${reached} recipients`,
    targets: recipients.map(targetOf),
  };
}

const decided: Readonly<Record<PlannedIncident['decision'], (incident: string) => string>> = {
  opened: (incident) => `open ${incident}`,
  joined: (incident) => `join ${incident}, which is open`,
  reopened: (incident) => `open ${incident} again, which was resolved a short while ago`,
  kept: (incident) => `leave the alert in ${incident}`,
};

export function planOfIncident(
  { groupBy }: Extract<WorkflowStep, { type: 'openIncident' }>['params'],
  incident: PlannedIncident | null,
): Plan {
  if (!incident) return only('open or join no incident');
  const group = groupBy.length === 0 ? 'one for everything' : `one for each ${groupBy.join(', ')}`;
  const named =
    incident.number === null ? `the incident "${incident.title}"` : `incident ${incident.number} "${incident.title}"`;
  return only(`${decided[incident.decision](named)} (${group})`);
}

async function assigns(
  tx: Tx,
  telling: Telling,
  params: Extract<WorkflowStep, { type: 'assign' }>['params'],
  at: string,
): Promise<Plan> {
  if ('userId' in params) return only(`assign ${params.userId}`);
  const onCall = await onCallOf(tx, telling, params.scheduleId, 'current', at);
  if (!onCall?.memberId)
    return only(
      onCall
        ? `assign nobody: nobody is on call in ${onCall.scheduleName}`
        : 'assign nobody: the schedule is not there',
    );
  return only(`assign ${shownOnCall(onCall)?.userId ?? ''}, who is on call in ${onCall.scheduleName}`);
}
