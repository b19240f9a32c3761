/** The dry run of a workflow: the decisions of the real path, in a transaction that cannot write. */
import {
  Fault,
  invalid,
  uuidOf,
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
import { withIdempotency, type Tx } from '@ams/database';
import {
  compileMapping,
  considerWorkflow,
  decideEvent,
  explainCondition,
  mapPayload,
  workflowEvents,
  type WorkflowConsidered,
  type WorkflowEvent,
} from '@ams/domain';
import { Inject, Injectable } from '@nestjs/common';
import { Course } from './course.js';
import { factsOf, lookAround } from './facts.js';
import { ImaginedRecords } from './imagined-records.js';
import { DatabasePart } from './parts.js';
import { nobody, senderOf } from './sender.js';
import { eventOf, imaginedAlertOf, onlyReading, type Mapped } from './simulate.js';
import { ranBeforeOf, type WorkflowRow } from './trigger.js';

type None = Record<string, never>;

interface TestedWorkflow extends WorkflowRow {
  enabled: boolean;
}

/** What a workflow is tried with. */
interface Subject {
  alert: AlertRecord | null;
  incident: IncidentRecord | null;
  /** What has happened to it, if anybody would hear of it; undefined when nobody said. */
  event: WorkflowEvent | null | undefined;
  shown: ImaginedAlert | null;
  windows: WindowRecord[];
}

@Injectable()
export class WorkflowTests {
  constructor(@Inject(DatabasePart) private readonly databasePart: DatabasePart) {}

  /** With an Idempotency-Key the answer is kept, which is all that is written. */
  test(input: Input<None, TestWorkflow>): Promise<WorkflowTest> {
    const { principal, idempotency } = input;
    const { database } = this.databasePart;
    if (!idempotency) return database.readAs(principal, (tx) => dryRun(tx, input));
    return database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'workflow-engine', principal, idempotency, () => onlyReading(tx, () => dryRun(tx, input))),
    );
  }
}

async function dryRun(tx: Tx, { principal, params, body }: Input<None, TestWorkflow>): Promise<WorkflowTest> {
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
    subject,
    event?.startsWith(noun) ? event : null,
    at.toISOString(),
  );
  const alertId = subject.alert?.id ?? null;
  const about = {
    type: event ?? first ?? workflowEvents[0],
    alertId,
    incidentId: subject.incident?.id ?? subject.alert?.incidentId ?? null,
  };
  const steps = await new Course(tx, principal, records, at.getTime()).tryOut(workflow, about);
  return { runs: reason === null, reason, trace, steps, event, alert: subject.shown, windows: subject.windows };
}

/** Why the workflow would not run (null when it would), and what each node of its conditions says. */
async function decided(
  tx: Tx,
  workflow: TestedWorkflow,
  { alert: record, incident: incidentRecord }: Subject,
  event: WorkflowEvent | null,
  at: string,
): Promise<{ reason: string | null; trace: WorkflowConsidered['trace'] }> {
  const alert = record && alertOfRecord(record);
  const incident = incidentRecord && incidentOfRecord(incidentRecord);
  const around = await lookAround(tx, [alert ? { alert } : { incident: incident as NonNullable<typeof incident> }]);
  const facts = factsOf(alert, incident, around, at);
  const ran = record && event === 'alert.resumed' ? await ranBeforeOf(tx, workflow.id, record.id) : 'never';
  const considered =
    event && considerWorkflow(workflow, { type: event, alertStatus: alert?.status ?? null, depth: 0 }, facts, ran);
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
          `SELECT id, organization_id, environment, name, version, enabled, events, conditions, steps FROM resources_views.workflows WHERE organization_id = $1 AND environment = $2 AND id = $3`,
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

/** The first alert that the payload holds, as it would come. Throws VALIDATION_ERROR when it holds none. */
async function appliedPayload(
  tx: Tx,
  principal: Principal,
  records: ImaginedRecords,
  body: TestWorkflow,
  at: Date,
): Promise<AppliedEvent> {
  const sender = body.integrationId ? await senderOf(tx, principal, body.integrationId) : nobody;
  const mapped = mapPayload(compileMapping(sender.settings), body.payload);
  const items = mapped.kind === 'items' ? mapped.items : [];
  const item = items.find((one): one is Mapped => one.kind === 'event');
  if (item) {
    const event = eventOf(principal, sender, item, at);
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

/** What conditions and steps are tried on when a resolve meets no open alert: one with the same words that has just been open. */
function opensAndResolves({ event, subject, sender }: AppliedEvent, records: ImaginedRecords): AlertRecord {
  const opened = decideEvent(null, { ...event, status: 'firing' }, sender, () => null);
  const resolved = opened.kind === 'opened' ? decideEvent(opened.alert, event, sender, () => null) : opened;
  if (resolved.kind !== 'changed') throw new Error('a firing event opens an alert, and a resolve resolves it');
  const record = { ...subject, state: resolved.alert };
  records.adopt(record);
  return record;
}
