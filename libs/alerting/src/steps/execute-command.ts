/**
 * Executes a command of a workflow on alerts and incidents. The engine may send a command twice, because it cannot know
 * whether a lost reply was sent. A command whose result exists already changes nothing.
 */
import {
  publicId,
  uuidOf,
  type Actor,
  type Cause,
  type WorkflowCommand,
  type WorkflowCommandBody,
  type WorkflowCommandReply,
} from '@ams/contracts';
import {
  begun,
  changedIncident,
  decideAlerts,
  decideCommand,
  decideIncident,
  newPaging,
  noted,
  shareOf,
  withLabels,
  withSeverity,
  type AlertState,
  type IncidentChanged,
  type IncidentDecision,
  type IncidentRequest,
  type Share,
} from '@ams/domain';
import { ownSpan, within, type Span } from '@ams/tracing';
import type { AlertingRecords } from '../alerting-records.js';
import { alertOfRecord, type AlertRecord } from '../alerts/alert-record.js';
import { changeWithIncident } from '../incidents/change-with-incident.js';
import { tellDue } from '../incidents/escalate.js';
import type { IncidentGroup } from '../incidents/incident-group.js';
import { incidentOfRecord, type IncidentRecord } from '../incidents/incident-record.js';
import { newIncident } from '../incidents/new-incident.js';
import { chosenPolicy, incidentContext } from '../incidents/paging-reads.js';

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
  const context = contextOf(records, command, at);
  if (command.alertId) return ofAlert(context, command.alertId);
  return command.incidentId ? ofIncident(context, command.incidentId) : refused('there is nothing that it is about');
}

/** Whose work the command is. */
export function shareOfCommand({ organizationId, environment, workflow, body }: WorkflowCommand): Share {
  const page = body.kind === 'openIncident' ? body.page : null;
  return shareOf({ organizationId, environment }, page ?? { workflowId: workflow?.id ?? null });
}

/** Commands with the same value may be executed together (`executeTogether`); null: the command is executed alone. */
export function batchOfCommand(command: WorkflowCommand): string | null {
  if (command.body.kind !== 'openIncident' || !command.alertId) return null;
  const { organization, team } = shareOfCommand(command);
  return `${organization} ${team}`;
}

/** Executes commands of one tenant and team (`batchOfCommand`). The replies are in the order of the commands. */
export async function executeTogether(
  records: AlertingRecords,
  commands: readonly WorkflowCommand[],
  at: string,
): Promise<WorkflowCommandReply[]> {
  const replies: (WorkflowCommandReply | null)[] = commands.map(() => null);
  const openings: (Opening & { index: number })[] = [];
  for (const [index, command] of commands.entries()) {
    const alert = command.alertId ? await records.alert(command.alertId) : undefined;
    if (command.body.kind !== 'openIncident' || !alert)
      replies[index] = await within(ownSpan(command), () => executeCommand(records, command, at));
    else openings.push({ index, context: contextOf(records, command, at), alert, body: command.body });
  }
  const opened = await openIncidents(openings);
  return replies.map((reply, index) => {
    if (reply) return reply;
    return opened[openings.findIndex((opening) => opening.index === index)] as WorkflowCommandReply;
  });
}

function contextOf(records: AlertingRecords, command: WorkflowCommand, at: string): CommandContext {
  const { workflow } = command;
  const id = workflow && publicId('workflow', workflow.id);
  return {
    records,
    command,
    at,
    actor: workflow ? { type: 'workflow', id, name: workflow.name } : { type: 'service', id: null, name: 'catch-all' },
    cause: { type: 'workflow', id },
  };
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
  if (body.kind === 'openIncident') {
    const [reply] = await openIncidents([{ context, alert, body }]);
    return reply as WorkflowCommandReply;
  }
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
    rootEventId: command.rootEventId,
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
    rootEventId: command.rootEventId,
  });
  return done(true, alert);
}

/** Why an incident is not opened for an alert. */
export const alertIsResolved = 'the alert is resolved already';

/** A command that opens an incident, with its alert, which is locked. */
interface Opening {
  context: CommandContext;
  alert: AlertRecord;
  body: OpenIncident;
}

/** What a command changes belongs to its own trace. */
const spanOfOpening = ({ context: { command } }: Opening): Span | undefined => ownSpan(command);

/** The incident of an alert, and how the alert came to it. */
interface Placed {
  incident: IncidentRecord;
  how: 'kept' | 'joined' | 'reopened' | 'opened';
}

/**
 * The alert's open incident, the open one of its group, one of its group that was resolved recently, or a new one. Many
 * alerts are placed together: an incident has one entry for all that join it.
 */
async function openIncidents(openings: readonly Opening[]): Promise<WorkflowCommandReply[]> {
  await prepare(openings);
  const joined = new Map<IncidentRecord, Opening[]>();
  const placed: (Placed | string)[] = [];
  for (const opening of openings) {
    const result = await within(spanOfOpening(opening), () => place(opening));
    placed.push(result);
    if (typeof result !== 'string' && (result.how === 'joined' || result.how === 'reopened'))
      joined.set(result.incident, [...(joined.get(result.incident) ?? []), opening]);
  }
  for (const [incident, added] of joined) within(spanOfOpening(added[0] as Opening), () => addAlerts(incident, added));
  const begun = new Set(placed.flatMap((result) => (typeof result === 'string' ? [] : [result.incident])));
  for (const incident of begun) {
    const opening = openings[placed.findIndex((result) => typeof result !== 'string' && result.incident === incident)];
    const { context } = opening as Opening;
    await within(spanOfOpening(opening as Opening), () =>
      tellDue(context.records, context.records.paging, incident, timeFor(incident, context.at)),
    );
  }
  return openings.map(({ alert }, index) => {
    const result = placed[index] as Placed | string;
    if (typeof result === 'string') return refused(result);
    const { incident, how } = result;
    const isJoined = how === 'joined' || (how === 'kept' && incident.openedBy !== alert.id);
    return done(how !== 'kept', alert, incident, isJoined);
  });
}

async function prepare(openings: readonly Opening[]): Promise<void> {
  const unresolved = openings.filter(({ alert }) => alert.state.status !== 'resolved');
  const groups: IncidentGroup[] = [];
  for (const { context, alert, body } of unresolved) groups.push(await groupOf(context, alert, body));
  const own = openings.map(({ alert }) => alert.incidentId).filter((id) => id !== null);
  const [{ context } = {}] = openings;
  await context?.records.prepareGroups(groups, [...new Set(own)], context.at);
}

/** Times of an incident are in the order of its changes, whatever the clocks of the replicas say. */
const timeFor = ({ updatedAt }: IncidentRecord, at: string): string => (at > updatedAt ? at : updatedAt);

async function place({ context, alert, body }: Opening): Promise<Placed | string> {
  const { records } = context;
  const own = alert.incidentId ? await records.incident(alert.incidentId) : undefined;
  if (own && (own.state.status !== 'resolved' || alert.state.status === 'resolved')) {
    await ensurePaging(context, own, body);
    return { incident: own, how: 'kept' };
  }
  if (alert.state.status === 'resolved') return alertIsResolved;
  const found = await incidentFor(context, alert, body);
  if (!found) return { incident: await open(context, alert, own ?? null, body), how: 'opened' };
  const isResolved = found.state.status === 'resolved';
  leave(context, alert, own ?? null);
  if (isResolved) await reopen(context, found, alert);
  await ensurePaging(context, found, body);
  enter(context, alert, found);
  return { incident: found, how: isResolved ? 'reopened' : 'joined' };
}

async function groupOf(
  { records, command }: CommandContext,
  { clientId }: AlertRecord,
  { groupKey, windowSeconds }: OpenIncident,
): Promise<IncidentGroup> {
  const { organizationId, environment, workflow } = command;
  return {
    organizationId,
    environment,
    workflowId: workflow?.id ?? null,
    groupKey,
    clientId,
    windowSeconds: windowSeconds ?? (await records.paging.settings(command)).defaultWindowSeconds,
  };
}

/** The incident of the group that takes the alert. It may have been resolved or merged before it was locked. */
async function incidentFor(
  context: CommandContext,
  alert: AlertRecord,
  body: OpenIncident,
): Promise<IncidentRecord | undefined> {
  const { records, at } = context;
  const group = await groupOf(context, alert, body);
  const { windowSeconds } = group;
  let found = await records.incidentOfGroup(group, at);
  while (found?.state.mergedInto) found = await records.incident(uuidOf('incident', found.state.mergedInto) ?? '');
  const resolvedAt = found?.state.resolvedAt ?? null;
  const isOver = resolvedAt !== null && Date.parse(resolvedAt) + windowSeconds * 1000 < Date.parse(at);
  return isOver || (resolvedAt !== null && windowSeconds === 0) ? undefined : found;
}

async function reopen(context: CommandContext, incident: IncidentRecord, alert: AlertRecord): Promise<void> {
  const decision = await decideFor(context, incident, { status: 'triggered' });
  incident.openedBy = alert.id;
  if (decision.kind === 'changed') change(context, incident, decision);
}

/** An alert asks for somebody, but its incident was opened by a step or a person that pages nobody. */
async function ensurePaging(context: CommandContext, incident: IncidentRecord, { page }: OpenIncident): Promise<void> {
  const { state } = incident;
  if (!page || state.paging !== null || state.status === 'resolved') return;
  const { policyId } = await chosenPolicy(context.records.paging, context.command, page);
  const paging = { ...state, policyId, paging: newPaging };
  const values = state.status === 'triggered' ? begun(paging, timeFor(incident, context.at)) : {};
  change(context, incident, changedIncident(state, 'incident.updated', { policyId, paging: newPaging, ...values }));
}

function addAlerts(incident: IncidentRecord, added: readonly Opening[]): void {
  const [{ context }] = added as [Opening];
  const open = added.filter(({ alert }) => alert.state.status !== 'resolved').length;
  change(context, incident, decideAlerts(incident.state, { added: added.length, open }));
  incident.lastAlertAt = timeFor(incident, context.at);
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
    workflowId: command.workflow?.id ?? null,
    groupKey: body.groupKey,
    openedBy: alert.id,
    at,
    settings: await records.paging.settings(command),
    page: body.page ? await chosenPolicy(records.paging, command, body.page) : null,
    state: {
      severity: body.severity ?? alert.state.severity,
      severityBy: body.severity === null ? 'alerts' : 'person',
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
    rootEventId: command.rootEventId,
  });
  enter(context, alert, record);
  return record;
}

async function decideFor(
  { records, at, actor }: CommandContext,
  incident: IncidentRecord,
  request: IncidentRequest,
): Promise<IncidentDecision> {
  const context = await incidentContext(records.paging, incident, incident.state.policyId);
  return decideIncident(incident.state, request, null, timeFor(incident, at), actor, context);
}

function change(
  { records, command, actor, cause, at }: CommandContext,
  incident: IncidentRecord,
  decision: Pick<IncidentChanged, 'incident' | 'type' | 'changes'>,
): void {
  records.changeIncident(incident, decision.incident, {
    type: decision.type,
    changes: decision.changes,
    actor,
    cause,
    at: timeFor(incident, at),
    depth: command.depth,
    rootEventId: command.rootEventId,
  });
}

/** Removes the alert from a resolved incident. The alert keeps firing. */
function leave(context: CommandContext, alert: AlertRecord, left: IncidentRecord | null): void {
  const movedOpen = alert.state.status === 'resolved' ? 0 : 1;
  if (left) change(context, left, decideAlerts(left.state, { moved: 1, movedOpen }));
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
    rootEventId: command.rootEventId,
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
    const assigneeIds = [...new Set([...incident.state.assigneeIds, member])];
    const decision = await decideFor(context, incident, { assigneeIds });
    if (decision.kind === 'changed') change(context, incident, decision);
    return done(decision.kind === 'changed', null, incident);
  }
  if (!reaches) return refused('it needs an alert');
  const status = body.kind === 'resolve' ? 'resolved' : 'acknowledged';
  const decision = await decideFor(context, incident, { status });
  if (decision.kind === 'refused') return refused(`what is ${decision.from} cannot become ${decision.to}`);
  if (decision.kind === 'changed') change(context, incident, decision);
  const action = body.kind === 'resolve' ? 'resolve' : 'acknowledge';
  changeWithIncident(records, incidentId, alerts, action, {
    actor,
    at,
    depth: command.depth,
    rootEventId: command.rootEventId,
  });
  return done(decision.kind === 'changed', null, incident);
}
