/**
 * What each type of step does. Changes of alerts and incidents are asked of the pipeline, which makes of two askings one;
 * messages become notifications, whose ids follow from run, step and target, and which are sent by jobs of their own.
 */
import {
  uuidOf,
  workflowCommandSubject,
  type Alert,
  type Incident,
  type WorkflowCommand,
  type WorkflowCommandBody,
  type WorkflowCommandReply,
} from '@ams/contracts';
import {
  alertColumns,
  alertFromRow,
  incidentColumns,
  incidentFromRow,
  type AlertRow,
  type IncidentRow,
} from '@ams/alerting';
import { type Tx } from '@ams/database';
import { groupKeyOf, rendered, type WorkflowStep } from '@ams/domain';
import { call, type NatsConnection } from '@ams/messaging';
import { Tokens } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { makeNotifications } from './make-notifications.js';
import { onCallOf, recipientsOf, webhookRecipient, type OnCallNow } from './recipients.js';
import { DatabasePart } from './parts.js';
import type { Run } from './run-record.js';

export interface StepResult {
  outcome: 'done' | 'skipped' | 'failed';
  reason?: string | null;
  /** What was done, for the record. */
  detail?: unknown;
  /** The incident that the run is about from now on. */
  incidentId?: string | null;
  joined?: boolean;
}

type Step<Type extends WorkflowStep['type']> = Extract<WorkflowStep, { type: Type }>;

/** Steps that are done in our own tables; the others ask the pipeline. */
type OurStep = Step<'notify'> | Step<'webhook'>;
type AskedStep = Exclude<WorkflowStep, OurStep>;
export const isOurs = (step: WorkflowStep): step is OurStep => step.type === 'notify' || step.type === 'webhook';

const askTimeoutMs = 10_000;

/** The record a run is about, as it is now. */
export interface Subject {
  alert: Alert | null;
  incident: Incident | null;
}

@Injectable()
export class Steps {
  constructor(
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
  ) {}

  /** Makes the notifications of a step; `now` is the database's, in milliseconds. */
  async tell(tx: Tx, run: Run, step: OurStep, now: number): Promise<StepResult> {
    const about = await subjectOf(tx, run);
    const words = about.alert ?? about.incident;
    const { subject, message } = step.type === 'notify' ? step.params : { subject: null, message: null };
    const recipients =
      step.type === 'notify'
        ? await recipientsOf(tx, run, step.params.targets, new Date(now).toISOString())
        : [webhookRecipient(step.params)];
    const made = await makeNotifications(tx, run, step, recipients, {
      subject: (subject === null ? null : rendered(subject, words)) ?? words?.title ?? run.workflow_name,
      message: message === null ? null : (rendered(message, words) ?? ''),
    });
    return { ...toldResult(made.map(({ reason }) => reason)), detail: { notifications: made } };
  }

  /** Has the pipeline do a step. Throws UNAVAILABLE when it does not answer. */
  async ask(run: Run, step: AskedStep, now: number): Promise<StepResult> {
    const { database } = this.databasePart;
    const asked = await askedOf(
      step,
      async () => (await subjectOf(database, run)).alert,
      (scheduleId) => database.asService((tx) => onCallOf(tx, run, scheduleId, 'current', new Date(now).toISOString())),
    );
    if ('outcome' in asked) return asked;
    const reply = await call<WorkflowCommandReply>(this.broker, workflowCommandSubject, commandOf(run, asked), {
      timeoutMs: askTimeoutMs,
      requestId: run.id,
    });
    return resultOf(asked, reply);
  }
}

// --- What steps ask, and what comes of it: for the runs, and for those that are only imagined ------------------------

/** What a step asks of the pipeline; or what came of it, when there is nothing to ask. */
export async function askedOf(
  step: AskedStep,
  alertNow: () => Promise<Alert | null>,
  onCallNow: (scheduleId: string) => Promise<OnCallNow | null>,
): Promise<WorkflowCommandBody | StepResult> {
  switch (step.type) {
    case 'openIncident':
      return incidentAsked(step, await alertNow());
    case 'assign':
      return assigneeAsked(step, onCallNow);
    case 'setSeverity':
      return { kind: 'setSeverity', severity: step.params.severity };
    case 'addLabels':
      return { kind: 'addLabels', labels: step.params.labels };
    case 'acknowledge':
    case 'resolve':
      return { kind: step.type };
  }
}

function incidentAsked({ params }: Step<'openIncident'>, alert: Alert | null): WorkflowCommandBody | StepResult {
  if (!alert) return { outcome: 'failed', reason: 'there is no alert' };
  const { groupBy, windowSeconds, autoResolve, title, severity } = params;
  return {
    kind: 'openIncident',
    groupKey: groupKeyOf(groupBy, alert),
    windowSeconds,
    autoResolve,
    severity,
    title: ((title === null ? null : rendered(title, alert)) ?? alert.title).slice(0, 1024),
  };
}

async function assigneeAsked(
  { params }: Step<'assign'>,
  onCallNow: (scheduleId: string) => Promise<OnCallNow | null>,
): Promise<WorkflowCommandBody | StepResult> {
  if ('userId' in params) {
    const memberId = uuidOf('member', params.userId);
    return memberId === null ? { outcome: 'skipped', reason: 'the member is not there' } : { kind: 'assign', memberId };
  }
  const onCall = await onCallNow(params.scheduleId);
  if (!onCall?.memberId)
    return {
      outcome: 'skipped',
      reason: onCall ? `nobody is on call in ${onCall.scheduleName}` : 'the schedule is not there',
    };
  return { kind: 'assign', memberId: onCall.memberId };
}

export const commandOf = (run: Run, body: WorkflowCommandBody): WorkflowCommand => ({
  organizationId: run.organization_id,
  environment: run.environment,
  workflow: { id: run.workflow_id, name: run.workflow_name },
  runId: run.id,
  depth: run.depth + 1,
  alertId: run.alert_id,
  incidentId: run.incident_id,
  body,
});

export function resultOf(body: WorkflowCommandBody, reply: WorkflowCommandReply): StepResult {
  if (reply.kind === 'refused') return { outcome: 'failed', reason: reply.reason };
  const incidentId = body.kind === 'openIncident' && reply.incident ? uuidOf('incident', reply.incident.id) : null;
  return {
    outcome: 'done',
    detail: {
      changed: reply.changed,
      ...(reply.incident ? { incidentId: reply.incident.id, joined: reply.joined } : {}),
    },
    incidentId,
    joined: reply.joined,
  };
}

/** Of a step that tells somebody, by why each recipient cannot be told; null for one that can. */
export function toldResult(unreachable: readonly (string | null)[]): StepResult {
  if (unreachable.length === 0 || unreachable.includes(null)) return { outcome: 'done' };
  return { outcome: 'skipped', reason: unreachable[0] ?? 'nobody can be told' };
}

/** As they are now, of the tenant of the run. */
async function subjectOf(queries: Pick<Tx, 'query'>, run: Run): Promise<Subject> {
  const tenant = [run.organization_id, run.environment];
  const [alert] = run.alert_id
    ? await queries.query<AlertRow>(
        `SELECT ${alertColumns} FROM alerts_views.alerts WHERE organization_id = $1 AND environment = $2 AND id = $3`,
        [...tenant, run.alert_id],
      )
    : [];
  const [incident] = run.incident_id
    ? await queries.query<IncidentRow>(
        `SELECT ${incidentColumns} FROM alerts_views.incidents WHERE organization_id = $1 AND environment = $2 AND id = $3`,
        [...tenant, run.incident_id],
      )
    : [];
  return { alert: alert ? alertFromRow(alert) : null, incident: incident ? incidentFromRow(incident) : null };
}
