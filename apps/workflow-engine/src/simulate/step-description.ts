/** Describes in words what a step would do and whom it would notify. */
import { shownOnCall, type FinishedStep, type IncidentPage, type PreparedStep } from '@ams/alerting';
import type { PlannedIncident, PlannedPage, PlannedStep } from '@ams/contracts';
import type { WorkflowStep } from '@ams/domain';
import { reasonText } from '../runs/step-reasons.js';
import { describePage, plannedTarget } from './planned-page.js';

type StepOf<Type extends WorkflowStep['type']> = Extract<WorkflowStep, { type: Type }>;

/** What a step does with an incident: by which policy it pages, and the pages that tell somebody now. */
export interface StepIncident {
  incident: PlannedIncident | null;
  page: PlannedPage | null;
  pages: readonly IncidentPage[];
}

export const noIncident: StepIncident = { incident: null, page: null, pages: [] };

/** A step as the answer shows it. `at` in RFC 3339. */
export function plannedStep(
  {
    step,
    result,
    prepared,
  }: Pick<FinishedStep, 'step' | 'prepared'> & {
    result: Pick<FinishedStep['result'], 'reason' | 'detail'> & Pick<PlannedStep, 'outcome'>;
  },
  at: string,
  noun: 'alert' | 'incident',
  { incident, page, pages }: StepIncident = noIncident,
): PlannedStep {
  const { changed = null } = (result.detail ?? {}) as { changed?: boolean };
  return {
    id: step.id,
    type: step.type,
    at,
    would: prepared ? describe(step, prepared, noun, { incident, page }) : `nothing: ${reasonText(result.reason)}`,
    targets: (prepared?.kind === 'message' ? prepared.recipients : pages.flatMap(({ recipients }) => recipients)).map(
      plannedTarget,
    ),
    unless: step.unless,
    outcome: result.outcome,
    reason: result.reason,
    changed,
    incident,
    page,
  };
}

function describe(
  step: WorkflowStep,
  prepared: PreparedStep,
  noun: 'alert' | 'incident',
  { incident, page }: Pick<StepIncident, 'incident' | 'page'>,
): string {
  switch (step.type) {
    case 'notify':
      return describeNotify(prepared);
    case 'webhook':
      return `call ${new URL(step.params.url).host}`;
    case 'openIncident':
      return describeIncident(step.params.groupBy, incident);
    case 'page':
      return (
        describeIncident(step.params.groupBy, incident) + (page ? describePage(page, incident?.decision ?? null) : '')
      );
    case 'assign':
      return describeAssign(step.params, prepared);
    case 'setSeverity':
      return `set the severity to ${step.params.severity}`;
    case 'addLabels':
      return `add the labels ${Object.entries(step.params.labels)
        .map(([key, value]) => `${key}: ${value}`)
        .join(', ')}`;
    case 'acknowledge':
    case 'resolve':
      return `${step.type} the ${noun}`;
  }
}

function describeNotify(prepared: PreparedStep): string {
  const recipients = prepared.kind === 'message' ? prepared.recipients : [];
  const reached = recipients.filter(({ unreachable }) => unreachable === null).length;
  if (reached === 0) return 'notify nobody';
  return reached === 1 ? 'notify one recipient' : `notify ${reached} recipients`;
}

const decisions: Readonly<Record<PlannedIncident['decision'], (incident: string) => string>> = {
  opened: (incident) => `open ${incident}`,
  joined: (incident) => `join ${incident}, which is open`,
  reopened: (incident) => `reopen ${incident}, which was resolved recently`,
  kept: (incident) => `keep the alert in ${incident}`,
};

export function describeIncident(groupBy: string[] | null, incident: PlannedIncident | null): string {
  if (!incident) return 'open or join no incident';
  const fields = groupBy ?? ['service, alert name or fingerprint'];
  const group = fields.length === 0 ? 'one incident for everything' : `one incident for each ${fields.join(', ')}`;
  const named =
    incident.number === null ? `the incident "${incident.title}"` : `incident ${incident.number} "${incident.title}"`;
  return `${decisions[incident.decision](named)} (${group})`;
}

function describeAssign(params: StepOf<'assign'>['params'], prepared: PreparedStep): string {
  if ('userId' in params) return `assign ${params.userId}`;
  const onCall = prepared.kind === 'message' ? null : shownOnCall(prepared.onCall);
  if (!onCall) return 'assign nobody: the schedule does not exist';
  if (onCall.userId === null) return `assign nobody: nobody is on call in ${onCall.scheduleName}`;
  return `assign ${onCall.userId}, who is on call in ${onCall.scheduleName}`;
}
