/** The dry run of a workflow: the decisions of the real path, in a transaction that cannot write. */
import {
  Fault,
  invalid,
  mayRead,
  uuidOf,
  withAddressesFor,
  type ImaginedAlert,
  type Input,
  type Principal,
  type TestWorkflow,
  type WorkflowTest,
} from '@ams/contracts';
import {
  alertOfRecord,
  applyEvents,
  incidentOfRecord,
  type AlertRecord,
  type AppliedEvent,
  type IncidentRecord,
  type WindowRecord,
} from '@ams/alerting';
import { Database, withIdempotency, type Tx } from '@ams/database';
import {
  compileMapping,
  considerWorkflow,
  decideEvent,
  explainCondition,
  mapPayloadInParts,
  maxCausedRuns,
  namesAlertsOfIncident,
  workflowEvents,
  type WorkflowConsidered,
  type WorkflowEvent,
} from '@ams/domain';
import { evaluationTurns } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { factsOf, relatedRecordsOf } from '../runs/condition-facts.js';
import { ranBeforeFor, workflowColumns, type Workflow } from '../runs/workflows.js';
import { ImaginedRecords } from './imagined-records.js';
import { imaginedIntegration, integrationOf } from './payload-integration.js';
import { eventOf, imaginedAlertOf, onlyReading, type Mapped } from './simulations.service.js';
import { WorkflowSimulation } from './workflow-simulation.js';

type NoQuery = Record<string, never>;

interface TestedWorkflow extends Workflow {
  enabled: boolean;
}

/** The records and the event for a dry run of a workflow. */
interface Subject {
  alert: AlertRecord | null;
  incident: IncidentRecord | null;
  /** The event that a payload makes, null when it makes none; undefined without a payload. */
  event: WorkflowEvent | null | undefined;
  shown: ImaginedAlert | null;
  windows: WindowRecord[];
}

@Injectable()
export class WorkflowTestsService {
  constructor(private readonly database: Database) {}

  test(input: Input<NoQuery, TestWorkflow>): Promise<WorkflowTest> {
    const { principal, idempotency } = input;
    const { database } = this;
    if (!idempotency) return database.readAs(principal, (tx) => dryRun(tx, input));
    return database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'workflow-engine', principal, idempotency, () => onlyReading(tx, () => dryRun(tx, input))),
    );
  }
}

async function dryRun(tx: Tx, { principal, params, body }: Input<NoQuery, TestWorkflow>): Promise<WorkflowTest> {
  const workflow = await workflowOf(tx, principal, params['id'] ?? '');
  const at = new Date(body.at ?? Date.now());
  const records = new ImaginedRecords(tx, principal);
  const subject = await subjectOf(tx, principal, records, body, at);
  const noun = subject.alert ? 'alert.' : 'incident.';
  const first = workflow.events.find((name) => name.startsWith(noun)) ?? null;
  const event = body.event ?? (subject.event === undefined ? first : subject.event);
  const { reason, trace } = await decided(
    tx,
    workflow,
    records,
    subject,
    event?.startsWith(noun) ? event : null,
    at.toISOString(),
  );
  const simulation = new WorkflowSimulation(tx, principal, records, at.getTime());
  const steps = await simulation.tryWorkflow(workflow, {
    eventType: event ?? first ?? workflowEvents[0],
    alertId: subject.alert?.id ?? null,
    incidentId: subject.incident?.id ?? subject.alert?.incidentId ?? null,
  });
  return {
    runs: reason === null,
    reason,
    trace,
    steps: withAddressesFor(principal, steps),
    event,
    alert: subject.shown,
    windows: mayRead(principal, 'suppression:read') ? subject.windows : [],
  };
}

/** Why the workflow would not run (null when it would), and the result of each node of its conditions. */
async function decided(
  tx: Tx,
  workflow: TestedWorkflow,
  records: ImaginedRecords,
  { alert: record, incident: incidentRecord }: Subject,
  event: WorkflowEvent | null,
  at: string,
): Promise<{ reason: string | null; trace: WorkflowConsidered['trace'] }> {
  const alert = record && alertOfRecord(record);
  const incident = incidentRecord && incidentOfRecord(incidentRecord);
  const alerts =
    incident && incidentRecord && namesAlertsOfIncident(workflow.conditions)
      ? new Map([[incident.id, await records.comparedAlertsOf(incidentRecord.id)]])
      : undefined;
  const about = alert ? { alert } : { incident: incident as NonNullable<typeof incident> };
  const related = await relatedRecordsOf(tx, [about], alerts);
  const facts = factsOf(alert, incident, related, at);
  const ran = record && event === 'alert.resumed' ? await ranBeforeFor(tx, record, workflow.id, record.id) : 'never';
  const considered =
    event &&
    considerWorkflow(
      workflow,
      { type: event, alertStatus: alert?.status ?? null, depth: 0, causedRunsLeft: maxCausedRuns },
      facts,
      ran,
    );
  if (!considered) return { reason: 'trigger', trace: explainCondition(workflow.conditions, facts).trace };
  const { outcome, trace } = considered;
  return { reason: workflow.enabled ? (outcome === 'run' ? null : outcome) : 'disabled', trace };
}

async function workflowOf(tx: Tx, { organizationId, environment }: Principal, id: string): Promise<TestedWorkflow> {
  const uuid = uuidOf('workflow', id);
  const [row] =
    uuid === null
      ? []
      : await tx.query<TestedWorkflow>(
          `SELECT ${workflowColumns}, w.enabled FROM resources_views.workflows w
           WHERE w.organization_id = $1 AND w.environment = $2 AND w.id = $3`,
          [organizationId, environment, uuid],
        );
  if (!row) throw new Fault('NOT_FOUND', { resource: 'workflow', id });
  return row;
}

async function subjectOf(
  tx: Tx,
  principal: Principal,
  records: ImaginedRecords,
  body: TestWorkflow,
  at: Date,
): Promise<Subject> {
  const there = { event: undefined, shown: null, windows: [] };
  if (body.alertId !== undefined) {
    const uuid = uuidOf('alert', body.alertId);
    const alert = uuid === null ? undefined : await records.alert(uuid);
    if (!alert) throw invalid('alertId', 'exists', `there is no alert with the id ${body.alertId}`);
    return { ...there, alert, incident: null };
  }
  if (body.incidentId !== undefined) {
    const uuid = uuidOf('incident', body.incidentId);
    const incident = uuid === null ? undefined : await records.incident(uuid);
    if (!incident) throw invalid('incidentId', 'exists', `there is no incident with the id ${body.incidentId}`);
    return { ...there, alert: null, incident };
  }
  const applied = await appliedPayload(tx, principal, records, body, at);
  const [event] = records.takeEvents();
  return {
    alert: applied.alert ?? opensAndResolves(applied, records),
    incident: null,
    event: (event?.type as WorkflowEvent | undefined) ?? null,
    shown: imaginedAlertOf(applied, records),
    windows: applied.windows,
  };
}

/** The first alert of the payload, applied. Throws VALIDATION_ERROR when the payload contains none. */
async function appliedPayload(
  tx: Tx,
  principal: Principal,
  records: ImaginedRecords,
  body: TestWorkflow,
  at: Date,
): Promise<AppliedEvent> {
  const integration = body.integrationId ? await integrationOf(tx, principal, body.integrationId) : imaginedIntegration;
  const mapped = await evaluationTurns.run(
    { organizationId: principal.organizationId, record: 'workflow test' },
    mapPayloadInParts(compileMapping(integration.settings), body.payload),
  );
  const items = mapped.kind === 'items' ? mapped.items : [];
  const item = items.find((one): one is Mapped => one.kind === 'event');
  if (item) {
    const event = eventOf(principal, integration, item, at);
    const [applied] = await applyEvents(tx, records, [event], { partition: 0, now: at });
    return applied as AppliedEvent;
  }
  const faulty = items.find((one) => one.kind === 'faulty');
  if (faulty)
    throw new Fault('VALIDATION_ERROR', {
      fields: faulty.faults.map(({ path, rule, message }) => ({ path: `payload.${path}`, rule, message })),
    });
  throw invalid('payload', 'event', 'the payload holds no alert: this integration ignores it');
}

/**
 * A resolve without an open alert: conditions and steps use an imagined alert with the same values, which was open
 * until this event.
 */
function opensAndResolves({ event, subject, sender }: AppliedEvent, records: ImaginedRecords): AlertRecord {
  const applied = { ...event, appliedAt: event.receivedAt };
  const opened = decideEvent(null, { ...applied, status: 'firing' }, sender, () => null);
  const resolved = opened.kind === 'opened' ? decideEvent(opened.alert, applied, sender, () => null) : opened;
  if (resolved.kind !== 'changed') throw new Error('a firing event opens an alert, and a resolve resolves it');
  const record = { ...subject, state: resolved.alert };
  records.adopt(record);
  return record;
}
