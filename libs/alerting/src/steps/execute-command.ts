/**
 * Executes a command of a workflow on alerts and incidents. The engine may send a command twice, because it cannot know
 * whether a lost reply was sent. A command whose result exists already changes nothing.
 */
import {
  publicId,
  type Actor,
  type Cause,
  type WorkflowCommand,
  type WorkflowCommandBody,
  type WorkflowCommandReply,
} from '@ams/contracts';
import {
  decideAlerts,
  decideCommand,
  decideIncident,
  noted,
  withLabels,
  withSeverity,
  type AlertState,
  type IncidentChangeType,
  type IncidentState,
} from '@ams/domain';
import type { AlertingRecords } from '../alerting-records.js';
import { alertOfRecord, type AlertRecord } from '../alerts/alert-record.js';
import { changeWithIncident } from '../incidents/change-with-incident.js';
import type { IncidentChange } from '../incidents/incident-change.js';
import { incidentOfRecord, type IncidentRecord } from '../incidents/incident-record.js';
import { newIncident } from '../incidents/new-incident.js';

/** The values of a command that the functions below need. */
interface CommandContext {
  records: AlertingRecords;
  command: WorkflowCommand;
  at: string;
  actor: Actor;
  cause: Cause;
}

type OpenIncident = Extract<WorkflowCommandBody, { kind: 'openIncident' }>;

export async function executeCommand(
  records: AlertingRecords,
  command: WorkflowCommand,
  at: string,
): Promise<WorkflowCommandReply> {
  const id = publicId('workflow', command.workflow.id);
  const context: CommandContext = {
    records,
    command,
    at,
    actor: { type: 'workflow', id, name: command.workflow.name },
    cause: { type: 'workflow', id },
  };
  if (command.alertId) return ofAlert(context, command.alertId);
  return command.incidentId ? ofIncident(context, command.incidentId) : refused('there is nothing that it is about');
}

const refused = (reason: string): WorkflowCommandReply => ({ kind: 'refused', reason });
const done = (
  changed: boolean,
  alert: AlertRecord | null,
  incident: IncidentRecord | null = null,
  joined = false,
): WorkflowCommandReply => ({
  kind: 'done',
  changed,
  alert: alert && alertOfRecord(alert),
  incident: incident && incidentOfRecord(incident),
  joined,
});

async function ofAlert(context: CommandContext, alertId: string): Promise<WorkflowCommandReply> {
  const { records, command, at, actor, cause } = context;
  const alert = await records.alert(alertId);
  if (!alert) return refused('the alert does not exist');
  const { body } = command;
  if (body.kind === 'openIncident') return openIncident(context, alert, body);
  if (body.kind === 'assign') return assign(context, alert, body.memberId);
  const decision = await decide(context, alert, body);
  if (decision.kind === 'refused') return refused(`what is ${decision.from} cannot become ${decision.to}`);
  if (decision.kind === 'unchanged') return done(false, alert);
  records.changeAlert(alert, decision.alert, {
    type: decision.type,
    changes: decision.changes,
    actor,
    cause,
    at,
    depth: command.depth,
  });
  return done(true, alert);
}

async function decide(
  { records, at, actor }: CommandContext,
  alert: AlertRecord,
  body: Exclude<WorkflowCommandBody, { kind: 'openIncident' | 'assign' }>,
) {
  switch (body.kind) {
    case 'acknowledge':
      return decideCommand(alert.state, { action: 'acknowledge' }, at, actor);
    case 'resolve':
      return decideCommand(alert.state, { action: 'resolve', reason: 'workflow' }, at, actor);
    case 'setSeverity':
    case 'addLabels': {
      const windows = await records.windowsFor([alert], at);
      const suppressingWindowOf = (state: AlertState) => windows.suppressingWindowOf(alert, state);
      return body.kind === 'setSeverity'
        ? withSeverity(alert.state, body.severity, suppressingWindowOf)
        : withLabels(alert.state, body.labels, suppressingWindowOf);
    }
  }
}

function assign(
  { records, command, at, actor, cause }: CommandContext,
  alert: AlertRecord,
  memberId: string,
): WorkflowCommandReply {
  if (alert.assigneeId === memberId) return done(false, alert);
  const changes = [
    { field: 'assigneeId', before: publicId('member', alert.assigneeId), after: publicId('member', memberId) },
  ];
  alert.assigneeId = memberId;
  records.changeAlert(alert, noted(alert.state, 'alert.assigned', changes).alert, {
    type: 'alert.assigned',
    changes,
    actor,
    cause,
    at,
    depth: command.depth,
  });
  return done(true, alert);
}

/** The alert's open incident, the open one of its group, one of its group that was resolved recently, or a new one. */
async function openIncident(
  context: CommandContext,
  alert: AlertRecord,
  body: OpenIncident,
): Promise<WorkflowCommandReply> {
  const { records, command, at } = context;
  const own = alert.incidentId ? await records.incident(alert.incidentId) : undefined;
  if (own && (own.state.status !== 'resolved' || alert.state.status === 'resolved'))
    return done(false, alert, own, own.openedBy !== alert.id);
  if (alert.state.status === 'resolved') return refused('the alert is resolved already');
  const { organizationId, environment, workflow } = command;
  const found = await records.incidentOfGroup(
    {
      organizationId,
      environment,
      workflowId: workflow.id,
      groupKey: body.groupKey,
      windowSeconds: body.windowSeconds,
    },
    at,
  );
  if (found) {
    const joined = found.state.status !== 'resolved';
    join(context, found, alert, own ?? null);
    return done(true, alert, found, joined);
  }
  return done(true, alert, await open(context, alert, own ?? null, body));
}

function join(
  context: CommandContext,
  incident: IncidentRecord,
  alert: AlertRecord,
  left: IncidentRecord | null,
): void {
  if (incident.state.status === 'resolved') {
    const decision = decideIncident(incident.state, { status: 'triggered' }, null, context.at, context.actor);
    if (decision.kind === 'changed') change(context, incident, decision);
    incident.openedBy = alert.id;
  }
  leave(context, alert, left);
  change(context, incident, decideAlerts(incident.state, { added: 1, open: 1 }, context.at, context.actor));
  incident.lastAlertAt = context.at;
  enter(context, alert, incident);
}

async function open(
  context: CommandContext,
  alert: AlertRecord,
  left: IncidentRecord | null,
  body: OpenIncident,
): Promise<IncidentRecord> {
  const { records, command, at, actor, cause } = context;
  leave(context, alert, left);
  const record = newIncident({
    organizationId: alert.organizationId,
    environment: alert.environment,
    number: await records.nextIncidentNumber(),
    clientId: alert.clientId,
    workflowId: command.workflow.id,
    groupKey: body.groupKey,
    openedBy: alert.id,
    at,
    state: {
      severity: body.severity ?? alert.state.severity,
      title: body.title,
      summary: alert.state.description,
      autoResolve: body.autoResolve,
      alertCount: 1,
      openAlertCount: 1,
    },
  });
  records.openIncident(record, {
    type: 'incident.created',
    changes: [{ field: 'status', before: null, after: 'triggered' }],
    actor,
    cause,
    at,
    depth: command.depth,
  });
  enter(context, alert, record);
  return record;
}

function change(
  { records, command, actor, cause, at }: CommandContext,
  incident: IncidentRecord,
  decision: { incident: IncidentState; type: IncidentChangeType; changes: IncidentChange['changes'] },
): void {
  records.changeIncident(incident, decision.incident, {
    type: decision.type,
    changes: decision.changes,
    actor,
    cause,
    at,
    depth: command.depth,
  });
}

/** Removes the alert from a resolved incident. The alert keeps firing. */
function leave(context: CommandContext, alert: AlertRecord, left: IncidentRecord | null): void {
  if (left)
    change(
      context,
      left,
      decideAlerts(
        left.state,
        { moved: 1, movedOpen: alert.state.status === 'resolved' ? 0 : 1 },
        context.at,
        context.actor,
      ),
    );
}

function enter(
  { records, command, actor, cause, at }: CommandContext,
  alert: AlertRecord,
  incident: IncidentRecord,
): void {
  const changes = [
    { field: 'incidentId', before: publicId('incident', alert.incidentId), after: publicId('incident', incident.id) },
  ];
  alert.incidentId = incident.id;
  records.changeAlert(alert, noted(alert.state, 'alert.addedToIncident', changes).alert, {
    type: 'alert.addedToIncident',
    changes,
    actor,
    cause,
    at,
    depth: command.depth,
  });
}

/** For workflows that incidents trigger. Acknowledge, resolve and assign change the incident; others need an alert. */
async function ofIncident(context: CommandContext, incidentId: string): Promise<WorkflowCommandReply> {
  const { records, command, at, actor } = context;
  const { body } = command;
  const reaches = body.kind === 'acknowledge' || body.kind === 'resolve';
  // Alerts are locked before their incident, as in every transaction that locks both.
  const alerts = reaches ? await records.openAlertsOf(incidentId) : [];
  const incident = await records.incident(incidentId);
  if (!incident) return refused('the incident does not exist');
  if (body.kind === 'assign') {
    const member = publicId('member', body.memberId);
    const decision = decideIncident(
      incident.state,
      { assigneeIds: [...new Set([...incident.state.assigneeIds, member])] },
      null,
      at,
      actor,
    );
    if (decision.kind === 'changed') change(context, incident, decision);
    return done(decision.kind === 'changed', null, incident);
  }
  if (!reaches) return refused('it needs an alert');
  const decision = decideIncident(
    incident.state,
    { status: body.kind === 'resolve' ? 'resolved' : 'acknowledged' },
    null,
    at,
    actor,
  );
  if (decision.kind === 'refused') return refused(`what is ${decision.from} cannot become ${decision.to}`);
  if (decision.kind === 'changed') change(context, incident, decision);
  const action = body.kind === 'resolve' ? 'resolve' : 'acknowledge';
  changeWithIncident(records, incidentId, alerts, action, { actor, at, depth: command.depth });
  return done(decision.kind === 'changed', null, incident);
}
