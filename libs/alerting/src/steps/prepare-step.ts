/** Prepares a step: the recipients of its message, or the command for the pipeline. */
import { uuidOf, type Alert, type Incident, type WorkflowCommand } from '@ams/contracts';
import type { WorkflowCommandBody, WorkflowCommandReply } from '@ams/contracts';
import { groupKeyOf, rendered, usualGroupBy, type WorkflowStep } from '@ams/domain';
import type { OnCall } from '../schedules/on-call.js';
import type { RecordSubject } from './record-subject.js';
import { recipientsOf, webhookRecipient, type Recipient, type RecipientReads } from './recipients.js';
import { stepResult, type Run, type StepResult } from './run.js';

type StepOf<Type extends WorkflowStep['type']> = Extract<WorkflowStep, { type: Type }>;

export interface PreparedMessage {
  kind: 'message';
  recipients: Recipient[];
  subject: string;
  message: string | null;
}

export interface PreparedChange {
  kind: 'change';
  body: WorkflowCommandBody;
  /** The schedule by which the assignee was found. */
  onCall: OnCall | null;
}

/** The step has nothing to do, or it cannot be done. */
export interface NothingToDo {
  kind: 'nothing';
  result: StepResult;
  onCall: OnCall | null;
}

export type PreparedStep = PreparedMessage | PreparedChange | NothingToDo;

/** The records that a run is about, as they are now. */
export interface SubjectReads {
  alertOf(run: Run): Promise<Alert | null>;
  incidentOf(run: Run): Promise<Incident | null>;
  /** Of the event of a schedule or suppression window; null for other events. */
  recordOf(run: Run): Promise<RecordSubject | null>;
}

/** `at` (RFC 3339) is the time of the step. */
export async function prepareStep(
  reads: SubjectReads & RecipientReads,
  run: Run,
  step: WorkflowStep,
  at: string,
): Promise<PreparedStep> {
  switch (step.type) {
    case 'notify': {
      const { targets, subject, message } = step.params;
      const alert = await reads.alertOf(run);
      return messageOf(reads, run, await recipientsOf(reads, run, targets, at, alert), subject, message);
    }
    case 'webhook':
      return messageOf(reads, run, [webhookRecipient(step.params, run.workflowId)], null, null);
    case 'openIncident':
      return incidentFor(step, await reads.alertOf(run));
    case 'page':
      return pageFor(step, await reads.alertOf(run));
    case 'assign':
      return assigneeFor(reads, run, step, at);
    case 'setSeverity':
      return change({ kind: 'setSeverity', severity: step.params.severity });
    case 'addLabels':
      return change({ kind: 'addLabels', labels: step.params.labels });
    case 'acknowledge':
    case 'resolve':
      return change({ kind: step.type });
  }
}

const change = (body: WorkflowCommandBody, onCall: OnCall | null = null): PreparedChange => ({
  kind: 'change',
  body,
  onCall,
});

const nothing = (outcome: StepResult['outcome'], reason: string, onCall: OnCall | null = null): NothingToDo => ({
  kind: 'nothing',
  result: stepResult(outcome, { reason }),
  onCall,
});

async function messageOf(
  reads: SubjectReads,
  run: Run,
  recipients: Recipient[],
  subject: string | null,
  message: string | null,
): Promise<PreparedMessage> {
  const record = await reads.recordOf(run);
  const about = record ?? (await reads.alertOf(run)) ?? (await reads.incidentOf(run));
  return {
    kind: 'message',
    recipients,
    subject: (subject === null ? null : rendered(subject, about)) ?? about?.title ?? run.workflowName,
    message: message === null ? (record?.text ?? null) : (rendered(message, about) ?? ''),
  };
}

function incidentFor({ params }: StepOf<'openIncident'>, alert: Alert | null): PreparedStep {
  if (!alert) return nothing('failed', 'there is no alert');
  const { groupBy, windowSeconds, autoResolve, title, severity } = params;
  return change({
    kind: 'openIncident',
    groupKey: groupKeyOf(groupBy, alert),
    windowSeconds,
    autoResolve,
    severity,
    title: ((title === null ? null : rendered(title, alert)) ?? alert.title).slice(0, 1024),
  });
}

/** Alerts whose labels name different teams are different groups. Labels name a team in upper or lower case. */
function pageFor({ params }: StepOf<'page'>, alert: Alert | null): PreparedStep {
  if (!alert) return nothing('failed', 'there is no alert');
  const { groupBy, windowSeconds, autoResolve, title, policy } = params;
  const fields = groupBy ?? [usualGroupBy(alert)];
  const teamFrom = policy && 'teamFrom' in policy ? policy.teamFrom : null;
  return change({
    kind: 'openIncident',
    groupKey: groupKeyOf(teamFrom === null ? fields : [...new Set([...fields, teamFrom])], alert),
    windowSeconds,
    autoResolve,
    severity: null,
    title: ((title === null ? null : rendered(title, alert)) ?? alert.title).slice(0, 1024),
    page:
      policy === null
        ? { catchAll: true }
        : 'id' in policy
          ? { policyId: policy.id }
          : { team: labelOf(alert, policy.teamFrom)?.toLowerCase() ?? null },
  });
}

const labelOf = ({ labels }: Alert, field: string): string | null => {
  const key = field.slice('labels.'.length);
  return Object.hasOwn(labels, key) ? (labels[key] ?? null) : null;
};

async function assigneeFor(
  reads: RecipientReads,
  run: Run,
  { params }: StepOf<'assign'>,
  at: string,
): Promise<PreparedStep> {
  if ('userId' in params) {
    const memberId = uuidOf('member', params.userId);
    return memberId === null ? nothing('skipped', 'the member does not exist') : change({ kind: 'assign', memberId });
  }
  // An alert has one assignee: of several members on call, the first.
  const [onCall] = (await reads.onCall(run, params.scheduleId, 'current', at)) ?? [];
  if (!onCall) return nothing('skipped', 'the schedule does not exist');
  if (!onCall.memberId) return nothing('skipped', `nobody is on call in ${onCall.scheduleName}`, onCall);
  return change({ kind: 'assign', memberId: onCall.memberId }, onCall);
}

export const commandOf = (run: Run, body: WorkflowCommandBody): WorkflowCommand => ({
  organizationId: run.organizationId,
  environment: run.environment,
  workflow: { id: run.workflowId, name: run.workflowName },
  runId: run.id,
  depth: run.depth + 1,
  rootEventId: run.rootEventId ?? run.eventId,
  alertId: run.alertId,
  incidentId: run.incidentId,
  body,
});

export function resultOfCommand(body: WorkflowCommandBody, reply: WorkflowCommandReply): StepResult {
  if (reply.kind === 'refused') return stepResult('failed', { reason: reply.reason });
  const { changed, incident, joined } = reply;
  return stepResult('done', {
    detail: { changed, ...(incident ? { incidentId: incident.id, joined } : {}) },
    incidentId: body.kind === 'openIncident' && incident ? uuidOf('incident', incident.id) : null,
    joined,
  });
}

/** The result of a step that notifies. It is skipped when none of its recipients can be notified. */
export function resultOfMessage(recipients: readonly Recipient[], detail: unknown): StepResult {
  const [first] = recipients;
  if (!first || recipients.some(({ unreachable }) => unreachable === null)) return stepResult('done', { detail });
  return stepResult('skipped', { reason: first.unreachable, detail });
}
