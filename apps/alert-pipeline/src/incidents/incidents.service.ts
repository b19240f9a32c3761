/** Opens and changes incidents. To acknowledge or resolve one also changes its alerts, in the same transaction. */
import {
  Fault,
  outsideNarrowing,
  publicId,
  uuidOf,
  type Actor,
  type FieldFault,
  type EscalateIncident,
  type Incident,
  type Input,
  type MergeIncidents,
  type NoQuery,
  type PostIncident,
  type Principal,
  type PutIncident,
  type Tenant,
} from '@ams/contracts';
import {
  actingFor,
  changeWithIncident,
  incidentContext,
  incidentOfRecord,
  newIncident,
  tellDue,
  tellNotice,
  Windows,
  type AlertRecord,
  type IncidentAlertAction,
  type IncidentRecord,
} from '@ams/alerting';
import { actorOf, auditMessage, Database, requireVersion, withIdempotency, type Tx } from '@ams/database';
import { decideAlerts, decideIncident, isWithin, noticeOfRequest, type IncidentStatus } from '@ams/domain';
import { Outbox } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { AlertChanges } from '../alerts/alert-changes.js';
import { lockAlerts, lockOpenAlerts } from '../alerts/locked-alerts.js';
import { assignableMembers } from '../members/assignable-members.js';
import { timeUnderLock } from '../time-under-lock.js';
import { followAgain, pagingReadsOf } from './follow-incidents.js';
import { IncidentChanges, lockIncidents } from './incident-changes.js';
import { escalate } from './escalate-incident.js';
import { IncidentNumbers } from './incident-number.js';
import {
  addToIncident,
  incidentOfPath,
  missingIncident,
  presentIncident,
  throwFaults,
  unknownOf,
  uuidsOf,
  type Why,
} from './incident-requests.js';
import { merge } from './merge-incidents.js';

@Injectable()
export class IncidentsService {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async create(input: Input<NoQuery, PostIncident>): Promise<Incident> {
    const { principal, idempotency } = input;
    const incident = await this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'alert-pipeline', principal, idempotency, async () =>
        create(tx, await actingFor(tx, input, input.body.onBehalfOf)),
      ),
    );
    this.outbox.publishNow();
    return incident;
  }

  async update(input: Input<NoQuery, PutIncident>): Promise<Incident> {
    const incident = await this.database.writeAs(input.principal, async (tx) =>
      update(tx, await actingFor(tx, input, input.body.onBehalfOf)),
    );
    this.outbox.publishNow();
    return incident;
  }

  merge(input: Input<NoQuery, MergeIncidents>): Promise<Incident> {
    return this.act(input, merge);
  }

  escalate(input: Input<NoQuery, EscalateIncident>): Promise<Incident> {
    return this.act(input, escalate);
  }

  private async act<Body extends { onBehalfOf?: string | null }>(
    input: Input<NoQuery, Body>,
    work: (tx: Tx, input: Input<NoQuery, Body>) => Promise<Incident>,
  ): Promise<Incident> {
    const { principal, idempotency } = input;
    const incident = await this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'alert-pipeline', principal, idempotency, async () =>
        work(tx, await actingFor(tx, input, input.body.onBehalfOf)),
      ),
    );
    this.outbox.publishNow();
    return incident;
  }
}

async function create(tx: Tx, input: Input<NoQuery, PostIncident>): Promise<Incident> {
  const { principal, body } = input;
  const alerts = await alertsFor(tx, principal, body);
  const clientId = uuidOf('client', body.clientId ?? '') ?? clientOfAlerts(alerts);
  if (!isWithin(principal.restrictedTo, { clientId })) throw outsideNarrowing();
  const now = new Date();
  const at = now.toISOString();
  const why = { actor: actorOf(principal), cause: { type: 'request' as const, id: input.requestId }, at };
  const changes = new IncidentChanges();
  await leaveIncidents(tx, principal, changes, alerts, why);
  const { organizationId, environment } = principal;
  const reads = pagingReadsOf(tx);
  const policyId = body.policyId ?? null;
  const record = newIncident({
    organizationId,
    environment,
    number: await new IncidentNumbers(tx, organizationId).next(),
    clientId,
    at,
    settings: await reads.settings(principal),
    page: policyId === null ? null : { policyId },
    state: {
      severity: body.severity,
      severityBy: 'person',
      title: body.title,
      summary: body.summary ?? null,
      assigneeIds: body.assigneeIds ?? [],
      alertCount: alerts.length,
      openAlertCount: alerts.filter(({ state }) => state.status !== 'resolved').length,
    },
  });
  const triggered = [{ field: 'status', before: null, after: 'triggered' }];
  changes.open(record, { type: 'incident.created', changes: triggered, ...why, note: body.note ?? null });
  await tx.beyondNarrowing(async () => {
    await tellDue(changes.effects, reads, record, at);
    await changes.write(tx);
  });
  const alertChanges = new AlertChanges(at);
  for (const alert of alerts) addToIncident(alertChanges, alert, record, why);
  const created = incidentOfRecord(record);
  alertChanges.also(
    auditMessage(input, {
      type: 'incident.created',
      resource: { type: 'incident', id: created.id },
      changes: [{ field: 'title', before: null, after: created.title }],
      at: now,
    }),
  );
  await alertChanges.write(tx);
  return presentIncident(tx, principal, record);
}

/** The client of all alerts. */
const clientOfAlerts = (alerts: readonly AlertRecord[]): string | null =>
  alerts.find(({ clientId }) => clientId !== null)?.clientId ?? null;

/** The alerts of the new incident, locked. Throws VALIDATION_ERROR for ids of the body that do not exist. */
async function alertsFor(tx: Tx, principal: Principal, body: PostIncident): Promise<AlertRecord[]> {
  const { clientId = null, assigneeIds = [], alertIds = [] } = body;
  const alerts = await lockAlerts(tx, principal, uuidsOf('alert', alertIds));
  const found = new Set(alerts.map(({ id }) => publicId('alert', id)));
  throwFaults([
    ...(await clientFaults(tx, principal, clientId)),
    ...(await policyFaults(tx, principal, body.policyId ?? null)),
    ...mixedClientFaults(alerts, clientId),
    ...(await assigneeFaults(tx, principal, assigneeIds)),
    ...unknownOf('alertIds', 'alert', alertIds, found),
  ]);
  return alerts;
}

async function update(tx: Tx, input: Input<NoQuery, PutIncident>): Promise<Incident> {
  const { principal, body } = input;
  const uuid = await incidentOfPath(tx, input);
  throwFaults(snoozeFaults(body));
  const changesAlerts = body.status !== undefined || body.snoozedUntil !== undefined || body.severity !== undefined;
  const alerts = changesAlerts ? await lockOpenAlerts(tx, principal, uuid) : [];
  const [record] = await lockIncidents(tx, principal, [uuid]);
  if (!record) throw missingIncident(input.params['id'] ?? '');
  requireVersion(input.ifMatch, record.state.version);
  const added = (body.assigneeIds ?? []).filter((assignee) => !record.state.assigneeIds.includes(assignee));
  throwFaults(await assigneeFaults(tx, principal, added));
  const now = timeUnderLock([record]);
  const at = now.toISOString();
  const actor = actorOf(principal);
  const { status: before, version } = record.state;
  const alertChanges = new AlertChanges(at);
  await changeIncident(tx, input, record, alertChanges, { actor, now });
  const changeAlert = alertChanges.change.bind(alertChanges);
  const isTriggered = record.state.version > version && record.state.triggeredAt === at;
  const action = alertActionOf(body, isTriggered ? 'acknowledged' : before, record.state.status);
  if (action) {
    const windows = action === 'fire' ? await Windows.of(tx, [principal]) : undefined;
    changeWithIncident({ changeAlert }, uuid, alerts, action, { actor, at, windows });
  }
  await alertChanges.write(tx);
  await followAgain(tx, record, actor, at);
  return presentIncident(tx, principal, record);
}

/** What a change of the incident does with its alerts. To repeat a request also changes the alerts that joined since. */
function alertActionOf(
  { status, resolveAlerts, snoozedUntil }: PutIncident,
  before: IncidentStatus,
  after: IncidentStatus,
): IncidentAlertAction | null {
  if (after === 'resolved') return status === 'resolved' && resolveAlerts !== false ? 'resolve' : null;
  if (after === 'acknowledged') return status === 'acknowledged' || snoozedUntil ? 'acknowledge' : null;
  return before === 'acknowledged' ? 'fire' : null;
}

const maxSnoozeMs = 30 * 86_400_000;

function snoozeFaults({ snoozedUntil, status }: PutIncident): FieldFault[] {
  if (snoozedUntil === undefined) return [];
  const fault = (rule: string, message: string): FieldFault[] => [{ path: 'snoozedUntil', rule, message }];
  if (snoozedUntil === null) return [];
  if (status !== undefined && status !== 'acknowledged')
    return fault('status', 'snoozedUntil is allowed only with the status acknowledged');
  const ms = Date.parse(snoozedUntil) - Date.now();
  return ms > 0 && ms <= maxSnoozeMs ? [] : fault('range', 'snoozedUntil must be a time within the next 30 days');
}

async function changeIncident(
  tx: Tx,
  input: Input<NoQuery, PutIncident>,
  record: IncidentRecord,
  alertChanges: AlertChanges,
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  const { body, requestId } = input;
  const at = now.toISOString();
  const note = body.note ?? null;
  const reads = pagingReadsOf(tx);
  const context = await incidentContext(reads, record, record.state.policyId);
  const snoozedUntil = body.snoozedUntil ? new Date(body.snoozedUntil).toISOString() : body.snoozedUntil;
  const decision = decideIncident(record.state, { ...body, snoozedUntil }, note, at, actor, context);
  if (decision.kind === 'refused') {
    const { from, to, allowed } = decision;
    const { mergedInto } = record.state;
    const merged = mergedInto ? `It was merged into incident ${mergedInto}, which has its alerts.` : undefined;
    throw new Fault('INVALID_STATE_TRANSITION', { from, to, allowed: [...allowed] }, merged);
  }
  if (decision.kind === 'unchanged') return;
  const { type, changes } = decision;
  const incidentChanges = new IncidentChanges();
  const cause = { type: 'request' as const, id: requestId };
  const notice = noticeOfRequest(record.state, decision.incident);
  incidentChanges.change(record, decision.incident, { type, changes, actor, cause, at, note });
  if (notice) await tellNotice(incidentChanges.effects, reads, record, notice, at);
  await incidentChanges.write(tx).catch(refuseSecondOfGroup);
  const resource = { type: 'incident', id: publicId('incident', record.id) };
  alertChanges.also(auditMessage(input, { type, resource, changes, at: now }));
}

/** A workflow may have opened another incident of the group while this one was resolved. */
function refuseSecondOfGroup(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'incidents_open_group') throw error;
  throw new Fault('CONFLICT', null, 'The workflow has another incident of the same group open.');
}

/** An alert may leave its incident only when that is resolved. */
async function leaveIncidents(
  tx: Tx,
  tenant: Tenant,
  changes: IncidentChanges,
  alerts: AlertRecord[],
  why: Why,
): Promise<void> {
  const ids = new Set(alerts.map(({ incidentId }) => incidentId).filter((id) => id !== null));
  const left = await tx.beyondNarrowing(() => lockIncidents(tx, tenant, [...ids]));
  const open = left.find(({ state }) => state.status !== 'resolved');
  if (open)
    throw new Fault(
      'CONFLICT',
      null,
      `An alert belongs to incident ${publicId('incident', open.id)} already, which is ${open.state.status}.`,
    );
  for (const record of left) {
    const moved = alerts.filter(({ incidentId }) => incidentId === record.id);
    const movedOpen = moved.filter(({ state }) => state.status !== 'resolved').length;
    const decision = decideAlerts(record.state, { moved: moved.length, movedOpen });
    changes.change(record, decision.incident, { type: decision.type, changes: decision.changes, ...why });
  }
}

async function clientFaults(
  tx: Tx,
  { organizationId, environment }: Tenant,
  clientId: string | null,
): Promise<FieldFault[]> {
  if (clientId === null) return [];
  const found = await tx.query(
    `SELECT 1 FROM resources_views.clients
     WHERE organization_id = $1 AND environment = $2 AND id = $3 AND deleted_at IS NULL`,
    [organizationId, environment, uuidOf('client', clientId)],
  );
  return found.length > 0
    ? []
    : [{ path: 'clientId', rule: 'exists', message: `there is no client with the id ${clientId}` }];
}

async function policyFaults(
  tx: Tx,
  { organizationId, environment }: Tenant,
  policyId: string | null,
): Promise<FieldFault[]> {
  if (policyId === null) return [];
  const found = await tx.query(
    `SELECT 1 FROM resources_views.escalation_policies WHERE organization_id = $1 AND environment = $2 AND id = $3`,
    [organizationId, environment, uuidOf('escalationPolicy', policyId)],
  );
  return found.length > 0
    ? []
    : [{ path: 'policyId', rule: 'exists', message: `there is no escalation policy with the id ${policyId}` }];
}

/** An incident is about one client. Alerts without a client may be added to any. */
function mixedClientFaults(alerts: readonly AlertRecord[], clientId: string | null): FieldFault[] {
  const clients = new Set([...alerts.map((alert) => alert.clientId), uuidOf('client', clientId ?? '')]);
  clients.delete(null);
  return clients.size > 1
    ? [{ path: 'alertIds', rule: 'client', message: 'the alerts and the incident must be about the same client' }]
    : [];
}

/** A disabled member cannot be assigned. */
const assigneeFaults = async (tx: Tx, principal: Principal, assigneeIds: string[]): Promise<FieldFault[]> =>
  unknownOf('assigneeIds', 'member', assigneeIds, await assignableMembers(tx, principal, assigneeIds));
