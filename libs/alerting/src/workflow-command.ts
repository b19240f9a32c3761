/**
 * What a command of a workflow does to alerts and incidents. The pipeline has it work on rows that it locks and then writes;
 * a simulation on records in memory. The engine may ask twice (it cannot know whether an answer that did not come was given),
 * so every command leaves what is already as it asks.
 */
import {
  newUuid,
  publicId,
  type Actor,
  type Cause,
  type Tenant,
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
import { alertOfRecord, type AlertRecord } from './alert-record.js';
import type { WhyAlert, WhyIncident } from './changes.js';
import type { Tx } from '@ams/database';
import { incidentOfRecord, type IncidentRecord } from './incident-record.js';
import type { Windows } from './suppression-windows.js';

/** The incidents that a workflow opens for alerts that belong together. */
export interface IncidentGroup extends Tenant {
  workflowId: string;
  groupKey: string;
  /** How long after its last alert one that is resolved still takes another. */
  windowSeconds: number;
}

/** Where commands find records, by UUIDs, and leave what they change; a record that is changed is the one that was found. */
export interface CommandRecords {
  /** Of the tenant of the command. */
  alert(id: string): Promise<AlertRecord | undefined>;
  openAlertsOf(incidentId: string): Promise<AlertRecord[]>;
  /** Of any tenant. */
  incident(id: string): Promise<IncidentRecord | undefined>;
  /** The one that takes an alert which comes at this time. */
  incidentOf(group: IncidentGroup, at: string): Promise<IncidentRecord | undefined>;
  windowsFor(alert: AlertRecord, at: string): Promise<Windows>;
  nextNumber(organizationId: string): Promise<number>;
  changeAlert(record: AlertRecord, next: AlertState, why: WhyAlert): void;
  openIncident(record: IncidentRecord, why: WhyIncident): void;
  changeIncident(record: IncidentRecord, next: IncidentState, why: WhyIncident): void;
}

/** What a command is done with. */
interface Doing {
  records: CommandRecords;
  command: WorkflowCommand;
  at: string;
  actor: Actor;
  cause: Cause;
}

type OpenIncident = Extract<WorkflowCommandBody, { kind: 'openIncident' }>;

export async function executeCommand(
  records: CommandRecords,
  command: WorkflowCommand,
  at: string,
): Promise<WorkflowCommandReply> {
  const id = publicId('workflow', command.workflow.id);
  const doing: Doing = {
    records,
    command,
    at,
    actor: { type: 'workflow', id, name: command.workflow.name },
    cause: { type: 'workflow', id },
  };
  if (command.alertId) return ofAlert(doing, command.alertId);
  return command.incidentId ? ofIncident(doing, command.incidentId) : refused('there is nothing that it is about');
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

async function ofAlert(doing: Doing, alertId: string): Promise<WorkflowCommandReply> {
  const { records, command, at, actor, cause } = doing;
  const alert = await records.alert(alertId);
  if (!alert) return refused('the alert is not there');
  const { body } = command;
  if (body.kind === 'openIncident') return openIncident(doing, alert, body);
  if (body.kind === 'assign') return assign(doing, alert, body.memberId);
  const decision = await decide(doing, alert, body);
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
  { records, at, actor }: Doing,
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
      const windows = await records.windowsFor(alert, at);
      const hidingOf = (state: AlertState) => windows.hidingOf(alert, state);
      return body.kind === 'setSeverity'
        ? withSeverity(alert.state, body.severity, hidingOf)
        : withLabels(alert.state, body.labels, hidingOf);
    }
  }
}

function assign(
  { records, command, at, actor, cause }: Doing,
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

/** The alert's open incident, that of its group, one of its group that was resolved a short while ago, or a new one. */
async function openIncident(doing: Doing, alert: AlertRecord, body: OpenIncident): Promise<WorkflowCommandReply> {
  const { records, command, at } = doing;
  const own = alert.incidentId ? await records.incident(alert.incidentId) : undefined;
  if (own && (own.state.status !== 'resolved' || alert.state.status === 'resolved'))
    return done(false, alert, own, own.openedBy !== alert.id);
  if (alert.state.status === 'resolved') return refused('the alert is resolved already');
  const { organizationId, environment, workflow } = command;
  const found = await records.incidentOf(
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
    join(doing, found, alert, own ?? null);
    return done(true, alert, found, joined);
  }
  return done(true, alert, await open(doing, alert, own ?? null, body));
}

function join(doing: Doing, incident: IncidentRecord, alert: AlertRecord, left: IncidentRecord | null): void {
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

async function open(
  doing: Doing,
  alert: AlertRecord,
  left: IncidentRecord | null,
  body: OpenIncident,
): Promise<IncidentRecord> {
  const { records, command, at, actor, cause } = doing;
  leave(doing, alert, left);
  const record: IncidentRecord = {
    id: newUuid(Date.parse(at)),
    organizationId: alert.organizationId,
    environment: alert.environment,
    number: await records.nextNumber(alert.organizationId),
    clientId: alert.clientId,
    workflowId: command.workflow.id,
    groupKey: body.groupKey,
    lastAlertAt: at,
    openedBy: alert.id,
    createdAt: at,
    updatedAt: at,
    state: {
      status: 'triggered',
      severity: body.severity ?? alert.state.severity,
      title: body.title,
      summary: alert.state.description,
      assigneeIds: [],
      autoResolve: body.autoResolve,
      alertCount: 1,
      openAlertCount: 1,
      triggeredAt: at,
      acknowledgedAt: null,
      acknowledgedBy: null,
      resolvedAt: null,
      resolvedBy: null,
      version: 1,
    },
  };
  records.openIncident(record, {
    type: 'incident.created',
    changes: [{ field: 'status', before: null, after: 'triggered' }],
    actor,
    cause,
    at,
    depth: command.depth,
  });
  enter(doing, alert, record);
  return record;
}

function change(
  { records, command, actor, cause, at }: Doing,
  incident: IncidentRecord,
  decision: { incident: IncidentState; type: IncidentChangeType; changes: WhyIncident['changes'] },
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

/** From an incident that is resolved: the alert fires on without it. */
function leave(doing: Doing, alert: AlertRecord, left: IncidentRecord | null): void {
  if (left)
    change(
      doing,
      left,
      decideAlerts(
        left.state,
        { moved: 1, movedOpen: alert.state.status === 'resolved' ? 0 : 1 },
        doing.at,
        doing.actor,
      ),
    );
}

function enter({ records, command, actor, cause, at }: Doing, alert: AlertRecord, incident: IncidentRecord): void {
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

/** Workflows that incidents trigger: acknowledge, resolve and assign are of the incident, the rest needs an alert. */
async function ofIncident(doing: Doing, incidentId: string): Promise<WorkflowCommandReply> {
  const { records, command, at, actor } = doing;
  const { body } = command;
  const reaches = body.kind === 'acknowledge' || body.kind === 'resolve';
  // Alerts before their incident: so do all who lock both.
  const alerts = reaches ? await records.openAlertsOf(incidentId) : [];
  const incident = await records.incident(incidentId);
  if (!incident || incident.organizationId !== command.organizationId || incident.environment !== command.environment)
    return refused('the incident is not there');
  if (body.kind === 'assign') {
    const member = publicId('member', body.memberId);
    const decision = decideIncident(
      incident.state,
      { assigneeIds: [...new Set([...incident.state.assigneeIds, member])] },
      null,
      at,
      actor,
    );
    if (decision.kind === 'changed') change(doing, incident, decision);
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
  if (decision.kind === 'changed') change(doing, incident, decision);
  const cause: Cause = { type: 'incident', id: publicId('incident', incidentId) };
  for (const alert of alerts) {
    if (body.kind === 'acknowledge' && alert.state.status !== 'firing') continue;
    const ofAlert = decideCommand(
      alert.state,
      body.kind === 'resolve' ? { action: 'resolve', reason: 'incident' } : { action: 'acknowledge' },
      at,
      actor,
    );
    if (ofAlert.kind === 'changed')
      records.changeAlert(alert, ofAlert.alert, {
        type: ofAlert.type,
        changes: ofAlert.changes,
        actor,
        cause,
        at,
        depth: command.depth,
      });
  }
  return done(decision.kind === 'changed', null, incident);
}

// --- The incident of a group ----------------------------------------------------------------------------------------

/** The UUID of the incident that takes an alert of the group at this time, of all but these: the open one, else the newest that was resolved a short while ago. */
export async function findIncidentOf(
  tx: Tx,
  { organizationId, environment, workflowId, groupKey, windowSeconds }: IncidentGroup,
  at: string,
  but: readonly string[] = [],
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `SELECT id FROM alerts_views.incidents WHERE workflow_id = $1 AND group_key = $2 AND organization_id = $3 AND environment = $4
       AND (status <> 'resolved' OR last_alert_at > $5::timestamptz - $6::int * interval '1 s') AND id <> ALL($7::uuid[])
     ORDER BY status = 'resolved', created_at DESC LIMIT 1`,
    [workflowId, groupKey, organizationId, environment, at, windowSeconds, but],
  );
  return row?.id ?? null;
}

/** The same choice among records. */
export function incidentOfGroup(
  records: readonly IncidentRecord[],
  group: IncidentGroup,
  at: string,
): IncidentRecord | undefined {
  const since = Date.parse(at) - group.windowSeconds * 1000;
  const isOver = ({ state }: IncidentRecord): boolean => state.status === 'resolved';
  const takes = (record: IncidentRecord): boolean =>
    record.workflowId === group.workflowId &&
    record.groupKey === group.groupKey &&
    record.organizationId === group.organizationId &&
    record.environment === group.environment &&
    (!isOver(record) || (record.lastAlertAt !== null && Date.parse(record.lastAlertAt) > since));
  return records
    .filter(takes)
    .sort((a, b) => Number(isOver(a)) - Number(isOver(b)) || Date.parse(b.createdAt) - Date.parse(a.createdAt))[0];
}
