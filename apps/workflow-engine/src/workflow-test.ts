/** The dry run of a workflow: the decisions of the real path, on reads only. */
import {
  Fault, invalid, publicId, uuidOf,
  type Alert, type Incident, type Input, type Principal, type TestWorkflow, type WorkflowTest,
} from '@ams/contracts';
import { alertColumns, alertFromRow, incidentColumns, incidentFromRow, once, type AlertRow, type IncidentRow, type Tx } from '@ams/database';
import {
  compileMapping, decideTrigger, explainCondition, mapPayload,
  type Condition, type MappedEvent, type WorkflowEvent, type WorkflowStep,
} from '@ams/domain';
import { Inject, Injectable } from '@nestjs/common';
import { factsOf, lookAround } from './facts.js';
import { DatabasePart } from './parts.js';
import { planSteps, type PlannedSubject } from './plan.js';
import { senderOf, standardSettings } from './sender.js';

type None = Record<string, never>;

interface WorkflowRow {
  name: string;
  enabled: boolean;
  events: WorkflowEvent[];
  conditions: Condition | null;
  steps: WorkflowStep[];
}

@Injectable()
export class WorkflowTests {
  constructor(@Inject(DatabasePart) private readonly databasePart: DatabasePart) {}

  /** With an Idempotency-Key the answer is kept, which is all that is written. */
  test(input: Input<None, TestWorkflow>): Promise<WorkflowTest> {
    const { principal, idempotency } = input;
    const { database } = this.databasePart;
    if (!idempotency) return database.readAs(principal, (tx) => dryRun(tx, input));
    return database.writeAs(principal, (tx) => once(tx, 'workflow-engine', principal, idempotency, () => dryRun(tx, input)));
  }
}

async function dryRun(tx: Tx, { principal, params, body }: Input<None, TestWorkflow>): Promise<WorkflowTest> {
  const workflow = await workflowOf(tx, principal, params['id'] ?? '');
  const at = body.at ?? new Date().toISOString();
  const about = await subjectOf(tx, principal, body, at);
  const noun = about.alert ? 'alert.' : 'incident.';
  const event = body.event ?? workflow.events.find((name) => name.startsWith(noun));
  const around = await lookAround(tx, [about.alert ? { alert: about.alert } : { incident: about.incident as Incident }]);
  const { holds, trace } = explainCondition(workflow.conditions, factsOf(about.alert, about.incident, around, at));
  const steps = await planSteps(tx, { organization_id: principal.organizationId, environment: principal.environment, workflow_name: workflow.name }, workflow.steps, about, at);
  const reason = reasonNotTo(workflow, event?.startsWith(noun) ? event : undefined, about, holds);
  return { runs: reason === null, reason, trace, steps };
}

/** Why the workflow would not run; null when it would. */
function reasonNotTo({ enabled, events }: WorkflowRow, event: WorkflowEvent | undefined, { alert }: PlannedSubject, holds: boolean): string | null {
  if (!event || !events.includes(event)) return 'trigger';
  if (!enabled) return 'disabled';
  const decision = decideTrigger({ type: event, alertStatus: alert?.status ?? null, depth: 0 }, holds);
  return decision.kind === 'run' ? null : decision.why;
}

async function workflowOf(tx: Tx, { organizationId, environment }: Principal, id: string): Promise<WorkflowRow> {
  const uuid = uuidOf('workflow', id);
  const [row] = uuid === null ? [] : await tx.query<WorkflowRow>(
    'SELECT name, enabled, events, conditions, steps FROM resources.workflows WHERE organization_id = $1 AND environment = $2 AND id = $3', [organizationId, environment, uuid],
  );
  if (!row) throw new Fault('NOT_FOUND', { resource: 'workflow', id });
  return row;
}

async function subjectOf(tx: Tx, principal: Principal, body: TestWorkflow, at: string): Promise<PlannedSubject> {
  const tenant = [principal.organizationId, principal.environment];
  if (body.alertId !== undefined) {
    const [row] = await tx.query<AlertRow>(`SELECT ${alertColumns} FROM alerts.alerts WHERE organization_id = $1 AND environment = $2 AND id = $3`, [...tenant, uuidOf('alert', body.alertId)]);
    if (!row) throw invalid('alertId', 'exists', `there is no alert with the id ${body.alertId}`);
    return { alert: alertFromRow(row), incident: null };
  }
  if (body.incidentId !== undefined) {
    const [row] = await tx.query<IncidentRow>(`SELECT ${incidentColumns} FROM alerts.incidents WHERE organization_id = $1 AND environment = $2 AND id = $3`, [...tenant, uuidOf('incident', body.incidentId)]);
    if (!row) throw invalid('incidentId', 'exists', `there is no incident with the id ${body.incidentId}`);
    return { alert: null, incident: incidentFromRow(row) };
  }
  return { alert: await alertOfPayload(tx, principal, body, at), incident: null };
}

/** The first alert that the payload holds, as if it opened now. Throws VALIDATION_ERROR when it holds none. */
async function alertOfPayload(tx: Tx, principal: Principal, body: TestWorkflow, at: string): Promise<Alert> {
  const sender = body.integrationId ? await senderOf(tx, principal, body.integrationId) : null;
  const mapped = mapPayload(compileMapping(sender?.settings ?? standardSettings), body.payload);
  const items = mapped.kind === 'items' ? mapped.items : [];
  const event = items.find((item) => item.kind === 'event')?.event;
  if (event) return imagined(event, sender?.id ?? null, sender?.clientId ?? (await clientNamed(tx, principal, event.labels['client'])), at);
  const faulty = items.find((item) => item.kind === 'faulty');
  if (faulty) throw new Fault('VALIDATION_ERROR', { fields: faulty.faults.map(({ path, rule, message }) => ({ path: `payload.${path}`, rule, message })) });
  throw invalid('payload', 'event', 'the payload holds no alert: this integration ignores it');
}

/** The client that the label names, as the pipeline looks it up. */
async function clientNamed(tx: Tx, { organizationId, environment }: Principal, name: string | undefined): Promise<string | null> {
  if (name === undefined) return null;
  const [row] = await tx.query<{ client_id: string }>('SELECT client_id FROM resources.client_names WHERE organization_id = $1 AND environment = $2 AND name = $3', [
    organizationId, environment, name.toLowerCase(),
  ]);
  return row?.client_id ?? null;
}

const imagined = (event: MappedEvent, integrationId: string | null, clientId: string | null, at: string): Alert => ({
  id: '', title: event.title, description: event.description, severity: event.severity ?? 'info', status: event.status, source: event.source, fingerprint: event.fingerprint,
  fingerprintSource: event.fingerprintSource, labels: event.labels, annotations: event.annotations, clientId: publicId('client', clientId),
  integrationId: integrationId === null ? '' : publicId('integration', integrationId), incidentId: null, assigneeId: null, firstOccurredAt: at, lastOccurredAt: at, occurrenceCount: 1,
  previousAlertId: null, acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, resolvedBy: null, resolveReason: null, suppression: null, createdAt: at, updatedAt: at, version: 1,
});
