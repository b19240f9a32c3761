/**
 * What each type of step does. Changes of alerts and incidents are asked of the pipeline, which makes of two askings one;
 * messages become deliveries, whose ids follow from run, step and target, and which are sent by jobs of their own.
 */
import {
  uuidOf, workflowCommandSubject,
  type Alert, type Incident, type WorkflowCommand, type WorkflowCommandBody, type WorkflowCommandReply,
} from '@ams/contracts';
import { alertColumns, alertFromRow, incidentColumns, incidentFromRow, type AlertRow, type IncidentRow, type Tx } from '@ams/database';
import { groupKeyOf, rendered, type WorkflowStep } from '@ams/domain';
import { call, type NatsConnection } from '@ams/messaging';
import { Tokens } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { makeDeliveries } from './make-deliveries.js';
import { onCallOf, recipientsOf, webhookRecipient } from './recipients.js';
import { DatabasePart } from './parts.js';
import type { Run } from './runs.js';

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

  /** Makes the deliveries of a step; `now` is the database's, in milliseconds. */
  async tell(tx: Tx, run: Run, step: OurStep, now: number): Promise<StepResult> {
    const about = await subjectOf(tx, run);
    const words = about.alert ?? about.incident;
    const { subject, message } = step.type === 'notify' ? step.params : { subject: null, message: null };
    const recipients = step.type === 'notify' ? await recipientsOf(tx, run, step.params.targets, new Date(now).toISOString()) : [webhookRecipient(step.params)];
    const made = await makeDeliveries(tx, run, step, recipients, {
      subject: (subject === null ? null : rendered(subject, words)) ?? words?.title ?? run.workflow_name,
      message: message === null ? null : (rendered(message, words) ?? ''),
    });
    const reached = made.filter(({ status }) => status !== 'skipped');
    if (reached.length > 0 || made.length === 0) return { outcome: 'done', detail: { deliveries: made } };
    return { outcome: 'skipped', reason: made[0]?.reason ?? 'nobody can be told', detail: { deliveries: made } };
  }

  /** Has the pipeline do a step. Throws UNAVAILABLE when it does not answer. */
  async ask(run: Run, step: Exclude<WorkflowStep, OurStep>, now: number): Promise<StepResult> {
    switch (step.type) {
      case 'openIncident':
        return this.openIncident(run, step);
      case 'assign':
        return this.assign(run, step, now);
      case 'setSeverity':
        return this.command(run, { kind: 'setSeverity', severity: step.params.severity });
      case 'addLabels':
        return this.command(run, { kind: 'addLabels', labels: step.params.labels });
      case 'acknowledge':
      case 'resolve':
        return this.command(run, { kind: step.type });
    }
  }

  private async openIncident(run: Run, step: Step<'openIncident'>): Promise<StepResult> {
    const { alert } = await subjectOf(this.databasePart.database, run);
    if (!alert) return { outcome: 'failed', reason: 'there is no alert' };
    const { groupBy, windowSeconds, autoResolve, title, severity } = step.params;
    return this.command(run, {
      kind: 'openIncident', groupKey: groupKeyOf(groupBy, alert), windowSeconds, autoResolve, severity,
      title: ((title === null ? null : rendered(title, alert)) ?? alert.title).slice(0, 1024),
    });
  }

  private async assign(run: Run, step: Step<'assign'>, now: number): Promise<StepResult> {
    if ('userId' in step.params) {
      const memberId = uuidOf('member', step.params.userId);
      return memberId === null ? { outcome: 'skipped', reason: 'the member is not there' } : this.command(run, { kind: 'assign', memberId });
    }
    const { scheduleId } = step.params;
    const onCall = await this.databasePart.database.asService((tx) => onCallOf(tx, run, scheduleId, 'current', new Date(now).toISOString()));
    if (!onCall?.memberId) return { outcome: 'skipped', reason: onCall ? `nobody is on call in ${onCall.scheduleName}` : 'the schedule is not there' };
    return this.command(run, { kind: 'assign', memberId: onCall.memberId });
  }

  private async command(run: Run, body: WorkflowCommandBody): Promise<StepResult> {
    const command: WorkflowCommand = {
      organizationId: run.organization_id, environment: run.environment, workflow: { id: run.workflow_id, name: run.workflow_name }, runId: run.id, depth: run.depth + 1,
      alertId: run.alert_id, incidentId: run.incident_id, body,
    };
    const reply = await call<WorkflowCommandReply>(this.broker, workflowCommandSubject, command, { timeoutMs: askTimeoutMs, requestId: run.id });
    if (reply.kind === 'refused') return { outcome: 'failed', reason: reply.reason };
    const incidentId = body.kind === 'openIncident' && reply.incident ? uuidOf('incident', reply.incident.id) : null;
    return { outcome: 'done', detail: { changed: reply.changed, ...(reply.incident ? { incidentId: reply.incident.id, joined: reply.joined } : {}) }, incidentId, joined: reply.joined };
  }
}

/** As they are now, of the tenant of the run. */
async function subjectOf(queries: Pick<Tx, 'query'>, run: Run): Promise<Subject> {
  const tenant = [run.organization_id, run.environment];
  const [alert] = run.alert_id
    ? await queries.query<AlertRow>(`SELECT ${alertColumns} FROM alerts.alerts WHERE organization_id = $1 AND environment = $2 AND id = $3`, [...tenant, run.alert_id])
    : [];
  const [incident] = run.incident_id
    ? await queries.query<IncidentRow>(`SELECT ${incidentColumns} FROM alerts.incidents WHERE organization_id = $1 AND environment = $2 AND id = $3`, [...tenant, run.incident_id])
    : [];
  return { alert: alert ? alertFromRow(alert) : null, incident: incident ? incidentFromRow(incident) : null };
}
