/** What people ask of incidents: open one, change one. Acknowledging and resolving reach its alerts, in the same transaction. */
import {
  createIncident,
  Fault,
  newUuid,
  publicId,
  updateIncident,
  uuidOf,
  type FieldFault,
  type Incident,
  type Input,
  type Noun,
  type PostIncident,
  type PutIncident,
  type Tenant,
} from '@ams/contracts';
import { incidentOfRecord, type AlertRecord, type IncidentRecord, type IncidentChange } from '@ams/alerting';
import { actorOf, auditMessage, withIdempotency, requireVersion, type Tx } from '@ams/database';
import { decideAlerts, decideCommand, decideIncident, noted, type ActorRef } from '@ams/domain';
import { Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { AlertChanges } from './alert-changes.js';
import { IncidentChanges, lockIncidents } from './incident-changes.js';
import { nextNumber } from './incident-number.js';
import { lockAlerts, lockOpenAlerts } from './locked-alerts.js';
import { DatabasePart } from './parts.js';
import { Relay } from './relay.js';

type None = Record<string, never>;
type By = Pick<Input<unknown, unknown>, 'principal' | 'requestId' | 'ip' | 'userAgent'>;

const missing = (id: string): Fault => new Fault('NOT_FOUND', { resource: 'incident', id });

@Injectable()
export class Incidents implements Part {
  private subscriptions: Subscriptions | null = null;

  constructor(
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
    @Inject(Relay) private readonly relay: Relay,
  ) {}

  async start(): Promise<void> {
    this.subscriptions = new Subscriptions(this.broker, 'alert-pipeline', this.log);
    this.subscriptions.handle(createIncident, (input) => this.create(input));
    this.subscriptions.handle(updateIncident, (input) => this.update(input));
  }

  async drain(): Promise<void> {
    await this.subscriptions?.drain();
  }

  private async create(input: Input<None, PostIncident>): Promise<Incident> {
    const { principal, body } = input;
    const incident = await this.databasePart.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'alert-pipeline', principal, input.idempotency, async () => {
        const clientId = body.clientId ?? null;
        const assigneeIds = body.assigneeIds ?? [];
        const alertIds = body.alertIds ?? [];
        const alerts = await lockAlerts(tx, principal, uuidsOf('alert', alertIds));
        throwFaults([
          ...(await clientFaults(tx, input, clientId)),
          ...(await assigneeFaults(tx, input, assigneeIds)),
          ...unknownOf('alertIds', 'alert', alertIds, new Set(alerts.map(({ id }) => publicId('alert', id)))),
        ]);
        const now = new Date();
        const at = now.toISOString();
        const actor = actorOf(principal);
        const cause = { type: 'request' as const, id: input.requestId };
        const changes = new IncidentChanges();
        await leaveIncidents(tx, principal, changes, alerts, { actor, cause, at });
        const record: IncidentRecord = {
          id: newUuid(now.getTime()),
          organizationId: principal.organizationId,
          environment: principal.environment,
          number: await nextNumber(tx, principal.organizationId),
          clientId: clientId === null ? null : uuidOf('client', clientId),
          workflowId: null,
          groupKey: null,
          lastAlertAt: alerts.length > 0 ? at : null,
          openedBy: null,
          createdAt: at,
          updatedAt: at,
          state: {
            status: 'triggered',
            severity: body.severity,
            title: body.title,
            summary: body.summary ?? null,
            assigneeIds,
            autoResolve: false,
            alertCount: alerts.length,
            openAlertCount: alerts.filter(({ state }) => state.status !== 'resolved').length,
            triggeredAt: at,
            acknowledgedAt: null,
            acknowledgedBy: null,
            resolvedAt: null,
            resolvedBy: null,
            version: 1,
          },
        };
        changes.open(record, {
          type: 'incident.created',
          changes: [{ field: 'status', before: null, after: 'triggered' }],
          actor,
          cause,
          at,
          note: body.note ?? null,
        });
        await changes.write(tx);
        const ofAlerts = new AlertChanges(at);
        for (const alert of alerts) {
          const before = publicId('incident', alert.incidentId);
          alert.incidentId = record.id;
          const decision = noted(alert.state, 'alert.addedToIncident', [
            { field: 'incidentId', before, after: publicId('incident', record.id) },
          ]);
          ofAlerts.change(alert, decision.alert, { type: decision.type, changes: decision.changes, actor, cause, at });
        }
        const created = incidentOfRecord(record);
        ofAlerts.also(
          auditMessage(input, {
            type: 'incident.created',
            resource: { type: 'incident', id: created.id },
            changes: [{ field: 'title', before: null, after: created.title }],
            at: now,
          }),
        );
        await ofAlerts.write(tx);
        return created;
      }),
    );
    this.relay.kick();
    return incident;
  }

  private async update(input: Input<None, PutIncident>): Promise<Incident> {
    const { principal, body } = input;
    const id = input.params.id ?? '';
    const uuid = uuidOf('incident', id);
    const incident = await this.databasePart.database.writeAs(principal, async (tx) => {
      if (uuid === null || !(await isThere(tx, input, uuid))) throw missing(id);
      const reaches = body.status === 'acknowledged' || (body.status === 'resolved' && body.resolveAlerts === true);
      const alerts = reaches ? await lockOpenAlerts(tx, principal, uuid) : [];
      const [record] = await lockIncidents(tx, principal, [uuid]);
      if (!record) throw missing(id);
      requireVersion(input.ifMatch, record.state.version);
      if (body.assigneeIds)
        throwFaults(
          await assigneeFaults(
            tx,
            input,
            body.assigneeIds.filter((assignee) => !record.state.assigneeIds.includes(assignee)),
          ),
        );
      const now = new Date();
      const at = now.toISOString();
      const actor = actorOf(principal);
      const decision = decideIncident(record.state, body, body.note ?? null, at, actor);
      if (decision.kind === 'refused')
        throw new Fault('INVALID_STATE_TRANSITION', {
          from: decision.from,
          to: decision.to,
          allowed: [...decision.allowed],
        });
      const changes = new IncidentChanges();
      const ofAlerts = new AlertChanges(at);
      if (decision.kind === 'changed') {
        const { type } = decision;
        changes.change(record, decision.incident, {
          type,
          changes: decision.changes,
          actor,
          cause: { type: 'request', id: input.requestId },
          at,
          note: body.note ?? null,
        });
        ofAlerts.also(
          auditMessage(input, { type, resource: { type: 'incident', id }, changes: decision.changes, at: now }),
        );
      }
      await changes.write(tx).catch(refuseSecondOfGroup);
      for (const alert of alerts)
        reach(ofAlerts, alert, body.status === 'resolved' ? 'resolve' : 'acknowledge', id, actor, at);
      await ofAlerts.write(tx);
      const [after] = alerts.length > 0 ? await lockIncidents(tx, principal, [uuid]) : [record];
      return incidentOfRecord(after ?? record);
    });
    this.relay.kick();
    return incident;
  }
}

/** A workflow may have opened another incident of the group while this one was resolved. */
function refuseSecondOfGroup(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'incidents_open_group') throw error;
  throw new Fault('CONFLICT', null, 'The workflow has another incident of the same group open.');
}

/** What becomes of an alert with its incident. One that is suppressed is not acknowledged with it: it does not fire. */
function reach(
  changes: AlertChanges,
  alert: AlertRecord,
  action: 'acknowledge' | 'resolve',
  incidentId: string,
  actor: ActorRef,
  at: string,
): void {
  if (action === 'acknowledge' && alert.state.status !== 'firing') return;
  const decision = decideCommand(
    alert.state,
    action === 'resolve' ? { action, reason: 'incident' } : { action },
    at,
    actor,
  );
  if (decision.kind === 'changed')
    changes.change(alert, decision.alert, {
      type: decision.type,
      changes: decision.changes,
      actor,
      cause: { type: 'incident', id: incidentId },
      at,
    });
}

/** Alerts may only leave an incident that is over. */
async function leaveIncidents(
  tx: Tx,
  tenant: Tenant,
  changes: IncidentChanges,
  alerts: AlertRecord[],
  why: Pick<IncidentChange, 'actor' | 'cause' | 'at'>,
): Promise<void> {
  const left = await lockIncidents(tx, tenant, [
    ...new Set(alerts.map(({ incidentId }) => incidentId).filter((id) => id !== null)),
  ]);
  const open = left.find(({ state }) => state.status !== 'resolved');
  if (open)
    throw new Fault(
      'CONFLICT',
      null,
      `An alert belongs to incident ${publicId('incident', open.id)} already, which is ${open.state.status}.`,
    );
  for (const record of left) {
    const moved = alerts.filter(({ incidentId }) => incidentId === record.id);
    const decision = decideAlerts(
      record.state,
      { moved: moved.length, movedOpen: moved.filter(({ state }) => state.status !== 'resolved').length },
      why.at,
      why.actor,
    );
    changes.change(record, decision.incident, { type: decision.type, changes: decision.changes, ...why });
  }
}

async function isThere(tx: Tx, { principal }: By, uuid: string): Promise<boolean> {
  const found = await tx.query(
    'SELECT 1 FROM alerts.incidents WHERE organization_id = $1 AND environment = $2 AND id = $3',
    [principal.organizationId, principal.environment, uuid],
  );
  return found.length > 0;
}

const uuidsOf = (noun: Noun, ids: string[]): string[] =>
  ids.map((id) => uuidOf(noun, id)).filter((uuid) => uuid !== null);

function throwFaults(fields: FieldFault[]): void {
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields });
}

const unknownOf = (path: string, what: string, ids: string[], known: ReadonlySet<string>): FieldFault[] =>
  ids.flatMap((id, i) =>
    known.has(id) ? [] : [{ path: `${path}[${i}]`, rule: 'exists', message: `there is no ${what} with the id ${id}` }],
  );

async function clientFaults(tx: Tx, { principal }: By, clientId: string | null): Promise<FieldFault[]> {
  if (clientId === null) return [];
  const found = await tx.query(
    'SELECT 1 FROM resources_views.clients WHERE organization_id = $1 AND environment = $2 AND id = $3 AND deleted_at IS NULL',
    [principal.organizationId, principal.environment, uuidOf('client', clientId)],
  );
  return found.length > 0
    ? []
    : [{ path: 'clientId', rule: 'exists', message: `there is no client with the id ${clientId}` }];
}

/** Who is disabled cannot be given work. */
async function assigneeFaults(tx: Tx, { principal }: By, assigneeIds: string[]): Promise<FieldFault[]> {
  if (assigneeIds.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM auth_views.members WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND status <> 'disabled'`,
    [principal.organizationId, uuidsOf('member', assigneeIds)],
  );
  return unknownOf('assigneeIds', 'member', assigneeIds, new Set(rows.map(({ id }) => publicId('member', id))));
}
