/**
 * What workflows do to alerts and incidents. The engine may ask twice (it cannot know whether an answer that did not come
 * was given), so every command leaves what is already as it asks. The same locks and decisions as for people and events.
 */
import {
  newUuid, publicId, workflowCommandSubject,
  type Actor, type Cause, type WorkflowCommand, type WorkflowCommandBody, type WorkflowCommandReply,
} from '@ams/contracts';
import { alertOfRecord, alertRecordOf, storedAlertColumns, Windows, type AlertRecord, type StoredAlert, type Tx } from '@ams/database';
import { decideAlerts, decideCommand, decideIncident, noted, withLabels, withSeverity, type IncidentChangeType } from '@ams/domain';
import { asFault, Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { AlertChanges } from './alert-changes.js';
import { IncidentChanges, lockIncidents } from './incident-changes.js';
import { incidentOf, type IncidentRecord } from './incident-record.js';
import { nextNumber } from './incidents.js';
import { DatabasePart } from './parts.js';
import { Relay } from './relay.js';

/** What a command is done with. */
interface Doing {
  tx: Tx;
  command: WorkflowCommand;
  at: string;
  actor: Actor;
  cause: Cause;
  alerts: AlertChanges;
  incidents: IncidentChanges;
}

@Injectable()
export class WorkflowCommands implements Part {
  private subscriptions: Subscriptions | null = null;

  constructor(
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
    @Inject(Relay) private readonly relay: Relay,
  ) {}

  async start(): Promise<void> {
    this.subscriptions = new Subscriptions(this.broker, 'alert-pipeline', this.log);
    this.subscriptions.serve(workflowCommandSubject, async (message) => {
      const command = message.json<WorkflowCommand>();
      try {
        const reply = await this.databasePart.database.asService((tx) => execute(tx, command));
        this.relay.kick();
        return reply;
      } catch (error) {
        // Without an answer it is asked again, which makes sense as long as the database is away.
        if (asFault(error, command.runId).code === 'UNAVAILABLE') throw error;
        this.log.error({ runId: command.runId, command: command.body.kind, err: error }, 'a command of a workflow failed');
        return refused('something went wrong in the service');
      }
    });
  }

  async drain(): Promise<void> {
    await this.subscriptions?.drain();
  }
}

export async function execute(tx: Tx, command: WorkflowCommand): Promise<WorkflowCommandReply> {
  const at = new Date().toISOString();
  const id = publicId('workflow', command.workflow.id);
  const doing: Doing = {
    tx, command, at, actor: { type: 'workflow', id, name: command.workflow.name }, cause: { type: 'workflow', id }, alerts: new AlertChanges(at), incidents: new IncidentChanges(),
  };
  const reply = command.alertId ? await ofAlert(doing, command.alertId) : command.incidentId ? await ofIncident(doing, command.incidentId) : refused('there is nothing that it is about');
  await doing.incidents.write(tx);
  await doing.alerts.write(tx);
  return reply;
}

const refused = (reason: string): WorkflowCommandReply => ({ kind: 'refused', reason });
const done = (changed: boolean, alert: AlertRecord | null, incident: IncidentRecord | null = null, joined = false): WorkflowCommandReply => ({
  kind: 'done', changed, alert: alert && alertOfRecord(alert), incident: incident && incidentOf(incident), joined,
});

async function ofAlert(doing: Doing, alertId: string): Promise<WorkflowCommandReply> {
  const { tx, command, at, actor, cause } = doing;
  const [row] = await tx.query<StoredAlert>(
    `SELECT ${storedAlertColumns} FROM alerts.alerts WHERE organization_id = $1 AND environment = $2 AND id = $3 FOR UPDATE`,
    [command.organizationId, command.environment, alertId],
  );
  if (!row) return refused('the alert is not there');
  const alert = alertRecordOf(row);
  const { body } = command;
  if (body.kind === 'openIncident') return openIncident(doing, alert, body);
  if (body.kind === 'assign') return assign(doing, alert, body.memberId);
  const decision = await decide(doing, alert, body);
  if (decision.kind === 'refused') return refused(`what is ${decision.from} cannot become ${decision.to}`);
  if (decision.kind === 'unchanged') return done(false, alert);
  doing.alerts.change(alert, decision.alert, { type: decision.type, changes: decision.changes, actor, cause, at, depth: command.depth });
  return done(true, alert);
}

async function decide({ tx, at, actor }: Doing, alert: AlertRecord, body: Exclude<WorkflowCommandBody, { kind: 'openIncident' | 'assign' }>) {
  switch (body.kind) {
    case 'acknowledge':
      return decideCommand(alert.state, { action: 'acknowledge' }, at, actor);
    case 'resolve':
      return decideCommand(alert.state, { action: 'resolve', reason: 'workflow' }, at, actor);
    case 'setSeverity':
    case 'addLabels': {
      const windows = await Windows.of(tx, [alert]);
      const hidingOf = (state: AlertRecord['state']) => windows.hidingOf(alert, state);
      return body.kind === 'setSeverity' ? withSeverity(alert.state, body.severity, hidingOf) : withLabels(alert.state, body.labels, hidingOf);
    }
  }
}

function assign({ command, at, actor, cause, alerts }: Doing, alert: AlertRecord, memberId: string): WorkflowCommandReply {
  if (alert.assigneeId === memberId) return done(false, alert);
  const changes = [{ field: 'assigneeId', before: publicId('member', alert.assigneeId), after: publicId('member', memberId) }];
  alert.assigneeId = memberId;
  alerts.change(alert, noted(alert.state, 'alert.assigned', changes).alert, { type: 'alert.assigned', changes, actor, cause, at, depth: command.depth });
  return done(true, alert);
}

/** The alert's open incident, that of its group, one of its group that was resolved a short while ago, or a new one. */
async function openIncident(doing: Doing, alert: AlertRecord, body: Extract<WorkflowCommandBody, { kind: 'openIncident' }>): Promise<WorkflowCommandReply> {
  const { tx, command, at } = doing;
  const [own] = alert.incidentId ? await lockIncidents(tx, [alert.incidentId]) : [];
  if (own && (own.state.status !== 'resolved' || alert.state.status === 'resolved')) return done(false, alert, own, own.openedBy !== alert.id);
  if (alert.state.status === 'resolved') return refused('the alert is resolved already');
  // Of those that open one for the same group at once, one goes first; the others then find it.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${command.workflow.id} ${body.groupKey}`]);
  const [candidate] = await tx.query<{ id: string }>(
    `SELECT id FROM alerts.incidents WHERE workflow_id = $1 AND group_key = $2 AND organization_id = $3 AND environment = $4
       AND (status <> 'resolved' OR last_alert_at > $5::timestamptz - $6::int * interval '1 s')
     ORDER BY status = 'resolved', created_at DESC LIMIT 1`,
    [command.workflow.id, body.groupKey, command.organizationId, command.environment, at, body.windowSeconds],
  );
  const [found] = candidate ? await lockIncidents(tx, [candidate.id]) : [];
  if (found) {
    const joined = found.state.status !== 'resolved';
    await join(doing, found, alert, own ?? null);
    return done(true, alert, found, joined);
  }
  const opened = await open(doing, alert, own ?? null, body);
  return done(true, alert, opened);
}

async function join(doing: Doing, incident: IncidentRecord, alert: AlertRecord, left: IncidentRecord | null): Promise<void> {
  if (incident.state.status === 'resolved') {
    const decision = decideIncident(incident.state, { status: 'triggered' }, null, doing.at, doing.actor);
    if (decision.kind === 'changed') change(doing, incident, decision);
    incident.openedBy = alert.id;
  }
  leave(doing, alert, left);
  change(doing, incident, decideAlerts(incident.state, { added: 1, open: 1 }, doing.at, doing.actor));
  incident.lastAlertAt = doing.at;
  enter(doing, alert, incident);
}

async function open(doing: Doing, alert: AlertRecord, left: IncidentRecord | null, body: Extract<WorkflowCommandBody, { kind: 'openIncident' }>): Promise<IncidentRecord> {
  const { tx, command, at, actor, cause } = doing;
  leave(doing, alert, left);
  const record: IncidentRecord = {
    id: newUuid(Date.parse(at)), organizationId: alert.organizationId, environment: alert.environment, number: await nextNumber(tx, alert.organizationId), clientId: alert.clientId,
    workflowId: command.workflow.id, groupKey: body.groupKey, lastAlertAt: at, openedBy: alert.id, createdAt: at, updatedAt: at,
    state: {
      status: 'triggered', severity: body.severity ?? alert.state.severity, title: body.title, summary: alert.state.description, assigneeIds: [], autoResolve: body.autoResolve,
      alertCount: 1, openAlertCount: 1, triggeredAt: at, acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, resolvedBy: null, version: 1,
    },
  };
  doing.incidents.open(record, { type: 'incident.created', changes: [{ field: 'status', before: null, after: 'triggered' }], actor, cause, at, depth: command.depth });
  enter(doing, alert, record);
  return record;
}

function change({ incidents, command, actor, cause, at }: Doing, incident: IncidentRecord, decision: { incident: IncidentRecord['state']; type: IncidentChangeType; changes: { field: string; before: unknown; after: unknown }[] }): void {
  incidents.change(incident, decision.incident, { type: decision.type, changes: decision.changes, actor, cause, at, depth: command.depth });
}

/** From an incident that is resolved: the alert fires on without it. */
function leave(doing: Doing, alert: AlertRecord, left: IncidentRecord | null): void {
  if (left) change(doing, left, decideAlerts(left.state, { moved: 1, movedOpen: alert.state.status === 'resolved' ? 0 : 1 }, doing.at, doing.actor));
}

function enter({ alerts, command, actor, cause, at }: Doing, alert: AlertRecord, incident: IncidentRecord): void {
  const changes = [{ field: 'incidentId', before: publicId('incident', alert.incidentId), after: publicId('incident', incident.id) }];
  alert.incidentId = incident.id;
  alerts.change(alert, noted(alert.state, 'alert.addedToIncident', changes).alert, { type: 'alert.addedToIncident', changes, actor, cause, at, depth: command.depth });
}

/** Workflows that incidents trigger: acknowledge, resolve and assign are of the incident, the rest needs an alert. */
async function ofIncident(doing: Doing, incidentId: string): Promise<WorkflowCommandReply> {
  const { tx, command, at, actor } = doing;
  const { body } = command;
  const reaches = body.kind === 'acknowledge' || body.kind === 'resolve';
  const rows = reaches
    ? await tx.query<StoredAlert>(
        `SELECT ${storedAlertColumns} FROM alerts.alerts WHERE organization_id = $1 AND environment = $2 AND incident_id = $3 AND status <> 'resolved' ORDER BY id FOR UPDATE`,
        [command.organizationId, command.environment, incidentId],
      )
    : [];
  const [incident] = await lockIncidents(tx, [incidentId]);
  if (!incident || incident.organizationId !== command.organizationId || incident.environment !== command.environment) return refused('the incident is not there');
  if (body.kind === 'assign') {
    const member = publicId('member', body.memberId);
    const decision = decideIncident(incident.state, { assigneeIds: [...new Set([...incident.state.assigneeIds, member])] }, null, at, actor);
    if (decision.kind === 'changed') change(doing, incident, decision);
    return done(decision.kind === 'changed', null, incident);
  }
  if (!reaches) return refused('it needs an alert');
  const decision = decideIncident(incident.state, { status: body.kind === 'resolve' ? 'resolved' : 'acknowledged' }, null, at, actor);
  if (decision.kind === 'refused') return refused(`what is ${decision.from} cannot become ${decision.to}`);
  if (decision.kind === 'changed') change(doing, incident, decision);
  const cause: Cause = { type: 'incident', id: publicId('incident', incidentId) };
  for (const alert of rows.map(alertRecordOf)) {
    if (body.kind === 'acknowledge' && alert.state.status !== 'firing') continue;
    const ofAlert = decideCommand(alert.state, body.kind === 'resolve' ? { action: 'resolve', reason: 'incident' } : { action: 'acknowledge' }, at, actor);
    if (ofAlert.kind === 'changed') doing.alerts.change(alert, ofAlert.alert, { type: ofAlert.type, changes: ofAlert.changes, actor, cause, at, depth: command.depth });
  }
  return done(decision.kind === 'changed', null, incident);
}
