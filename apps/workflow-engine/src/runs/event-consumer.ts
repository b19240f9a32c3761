/**
 * Takes the events of alerts and incidents from the broker and begins the runs that they trigger. What was looked at, what
 * was decided and the runs are written in one transaction, then the message is acknowledged: one that comes twice finds
 * everything there already.
 */
import { alertEventsStream, newUuid, uuidOf } from '@ams/contracts';
import type { Tx } from '@ams/database';
import {
  considerWorkflow,
  type Condition,
  type RanBefore,
  type TraceNode,
  type WorkflowConsidered,
  type WorkflowEvent,
  type WorkflowStep,
} from '@ams/domain';
import { asFault, ensureStream, StreamReader, streams, type NatsConnection } from '@ams/messaging';
import { Metrics, Tokens, type Logger, type Part } from '@ams/service';
import type { JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { alertOf, factsOf, incidentOf, lookAround, type Around, type DomainEvent } from './facts.js';
import { addJobs } from './jobs.js';
import { DatabasePart } from './parts.js';
import type { WorkflowEngineSettings } from './settings.js';

/** What a replica that died had taken comes to another one after this time. */
const ackWaitMs = 5000;
const retryMs = 500;
/** How often NATS delivers a message of which an event fails, a second and more between the times. */
const maxDeliveries = 30;

export interface WorkflowRow {
  id: string;
  organization_id: string;
  environment: string;
  name: string;
  version: number;
  events: WorkflowEvent[];
  conditions: Condition | null;
  steps: WorkflowStep[];
}

/** What was decided of one workflow for one event, as it is kept. */
export interface Considered extends WorkflowConsidered {
  workflowId: string;
  name: string;
  version: number;
  runId: string | null;
}

@Injectable()
export class Trigger implements Part {
  private reader: StreamReader | null = null;
  private readonly decisions;

  constructor(
    @Inject(Tokens.settings) private readonly settings: WorkflowEngineSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
  ) {
    this.decisions = metrics.counter(
      'ams_workflow_decisions_total',
      'What was decided of workflows that an event could trigger.',
      ['outcome'],
    );
  }

  async start(): Promise<void> {
    this.reader = new StreamReader(this.broker, {
      stream: alertEventsStream,
      durable: 'workflow-engine',
      consumer: { max_ack_pending: 256, ack_wait: nanos(ackWaitMs) },
      consume: { max_messages: 8, expires: 5000, idle_heartbeat: 1000 },
      prepare: () => ensureStream(this.broker, streams.alertEvents(), { replicas: this.settings.natsReplicas }),
      what: 'the events of alerts',
      log: this.log,
      take: (message) => this.take(message),
    });
    this.reader.start();
  }

  async drain(): Promise<void> {
    await this.reader?.drain();
  }

  /** An event that fails costs the others of its message nothing but a second look, and is tried for a while itself. */
  private async take(message: JsMsg): Promise<void> {
    const events = this.read(message);
    const failed = (await this.isConsidered(message, events)) ? [] : await this.oneByOne(message, events);
    if (failed.length === 0) message.ack();
    else if (message.info.deliveryCount < maxDeliveries) message.nak(retryMs * 2);
    else {
      this.log.error(
        { sequence: message.seq, events: failed.map(({ id }) => id) },
        'events cannot be looked at; they trigger no workflow',
      );
      message.term();
    }
  }

  private async oneByOne(message: JsMsg, events: DomainEvent[]): Promise<DomainEvent[]> {
    const failed: DomainEvent[] = [];
    for (const event of events) if (!(await this.isConsidered(message, [event]))) failed.push(event);
    return failed;
  }

  /** Whether the events were looked at; not when something about them is wrong. Waits for a database that is away. */
  private async isConsidered(message: JsMsg, events: DomainEvent[]): Promise<boolean> {
    for (;;) {
      try {
        const decided = await this.databasePart.database.asService((tx) => consider(tx, events));
        for (const { outcome } of decided) this.decisions.inc({ outcome });
        return true;
      } catch (error) {
        if (asFault(error, '').code !== 'UNAVAILABLE') {
          this.log.warn({ err: error, sequence: message.seq, events: events.length }, 'events could not be looked at');
          return false;
        }
        if (this.reader?.isStopped) {
          message.nak();
          throw error;
        }
        this.log.warn({ err: error }, 'the database is away; the events wait');
        message.working();
        await pause(retryMs);
      }
    }
  }

  private read(message: JsMsg): DomainEvent[] {
    try {
      const { events } = message.json<{ events?: DomainEvent[] }>();
      if (Array.isArray(events)) return events.filter((event) => uuidOf('timelineEntry', event.id) !== null);
    } catch {
      // told below
    }
    this.log.error({ sequence: message.seq }, 'a message holds no events');
    return [];
  }
}

/** What was decided for one event, and the runs that it begins. */
export interface Decided {
  event: DomainEvent;
  eventId: string;
  alertId: string | null;
  incidentId: string | null;
  considered: Considered[];
  runs: { id: string; workflow: WorkflowRow; trace: TraceNode }[];
}

export const tenantOf = ({ organizationId, environment }: DomainEvent): string => `${organizationId} ${environment}`;
const timelineId = (event: DomainEvent): string => uuidOf('timelineEntry', event.id) as string;
const wholeIds = (ids: (string | null)[]): string[] => ids.filter((id) => id !== null);

/** Looks at the workflows of each event, keeps what was decided, and begins the runs. */
export async function consider(tx: Tx, events: readonly DomainEvent[]): Promise<Considered[]> {
  await wakeWaiting(tx, events);
  const workflows = await workflowsOf(tx, events);
  const concerned = await unconsidered(
    tx,
    events.filter((event) => workflows.has(tenantOf(event))),
  );
  if (concerned.length === 0) return [];
  const around = await lookAround(tx, concerned);
  const ran = await ranBefore(tx, concerned);
  const [clock] = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const { now } = clock as { now: Date };
  const decided = concerned
    .map((event) => decide(event, workflows.get(tenantOf(event)) ?? [], ran, around, now))
    .filter(({ considered }) => considered.length > 0);
  await record(tx, decided);
  await begin(tx, decided, now);
  return decided.flatMap(({ considered }) => considered);
}

export const ranKey = (workflowId: string, alertId: string | null): string => `${workflowId} ${alertId ?? ''}`;

/** `ran` learns of the runs that begin here. */
export function decide(
  event: DomainEvent,
  workflows: readonly WorkflowRow[],
  ran: Map<string, RanBefore>,
  around: Around,
  now: Date,
): Decided {
  const alert = alertOf(event);
  const incident = incidentOf(event);
  const alertId = uuidOf('alert', alert?.id ?? '');
  const decided: Decided = {
    event,
    eventId: timelineId(event),
    alertId,
    incidentId: uuidOf('incident', incident?.id ?? alert?.incidentId ?? ''),
    considered: [],
    runs: [],
  };
  const facts = factsOf(alert, incident, around, now.toISOString());
  for (const workflow of workflows) {
    const key = ranKey(workflow.id, alertId);
    const considered = considerWorkflow(
      workflow,
      { type: event.type, alertStatus: alert?.status ?? null, depth: event.depth },
      facts,
      ran.get(key) ?? 'never',
    );
    if (!considered) continue;
    const runId = considered.outcome === 'run' ? newUuid(now.getTime()) : null;
    decided.considered.push({
      workflowId: workflow.id,
      name: workflow.name,
      version: workflow.version,
      ...considered,
      runId,
    });
    if (runId === null) continue;
    decided.runs.push({ id: runId, workflow, trace: considered.trace });
    ran.set(key, 'waiting');
  }
  return decided;
}

/** Those of which nothing is kept yet: a message may come again, after workflows have changed. */
async function unconsidered(tx: Tx, events: readonly DomainEvent[]): Promise<DomainEvent[]> {
  if (events.length === 0) return [];
  const rows = await tx.query<{ event_id: string }>(
    'SELECT event_id FROM workflows.considered WHERE event_id = ANY($1::uuid[])',
    [events.map(timelineId)],
  );
  const present = new Set(rows.map(({ event_id: id }) => id));
  return events.filter((event) => !present.has(timelineId(event)));
}

/** Before the runs: of two replicas that have the same message, one waits here for the other, and then writes none. */
async function record(tx: Tx, decided: readonly Decided[]): Promise<void> {
  const rows = decided.map(({ event, eventId, alertId, incidentId, considered }) => ({
    event_id: eventId,
    organization_id: event.organizationId,
    environment: event.environment,
    event_type: event.type,
    alert_id: alertId,
    incident_id: incidentId,
    occurred_at: event.occurredAt,
    workflows: considered,
  }));
  await tx.query(
    `INSERT INTO workflows.considered (event_id, organization_id, environment, event_type, alert_id, incident_id, occurred_at, workflows)
     SELECT event_id, organization_id, environment, event_type, alert_id, incident_id, occurred_at, workflows FROM json_to_recordset($1::json)
       AS d(event_id uuid, organization_id uuid, environment text, event_type text, alert_id uuid, incident_id uuid, occurred_at timestamptz, workflows jsonb)
     ORDER BY event_id ON CONFLICT (event_id) DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

/** Begins the runs, but for those that their event has begun already. */
async function begin(tx: Tx, decided: readonly Decided[], now: Date): Promise<void> {
  const rows = decided.flatMap(({ event, eventId, alertId, incidentId, runs }) =>
    runs.map(({ id, workflow, trace }) => ({
      id,
      organization_id: event.organizationId,
      environment: event.environment,
      workflow_id: workflow.id,
      workflow_name: workflow.name,
      workflow_version: workflow.version,
      event_id: eventId,
      event_type: event.type,
      occurred_at: event.occurredAt,
      depth: event.depth,
      alert_id: alertId,
      incident_id: incidentId,
      trace,
      steps: workflow.steps,
    })),
  );
  if (rows.length === 0) return;
  const columns =
    'id, organization_id, environment, workflow_id, workflow_name, workflow_version, event_id, event_type, occurred_at, depth, alert_id, incident_id, trace, steps';
  const begun = await tx.query<{ id: string }>(
    `INSERT INTO workflows.runs (${columns}, status, previous_done_at, created_at)
     SELECT ${columns}, 'running', $2, $2 FROM json_to_recordset($1::json)
       AS r(id uuid, organization_id uuid, environment text, workflow_id uuid, workflow_name text, workflow_version int, event_id uuid, event_type text, occurred_at timestamptz,
         depth smallint, alert_id uuid, incident_id uuid, trace jsonb, steps jsonb)
     ON CONFLICT (workflow_id, event_id) DO NOTHING RETURNING id`,
    [JSON.stringify(rows), now],
  );
  await addJobs(
    tx,
    'advance',
    begun.map(({ id }) => ({ runId: id })),
  );
}

/** Whether a run about the same may have something else to do now than to wait. */
export const wakesRuns = ({ type }: DomainEvent): boolean => /\.(acknowledged|resolved|resumed)$/.test(type);

/**
 * Runs that wait for their next step look at once whether it is still wanted: an acknowledgement stops what is pending, and
 * an alert that resumes is what a page was held back for. So do messages that wait for another attempt. The lock waits for
 * runs that are just deciding to wait (see `Runs`): they have seen the change, or are woken.
 */
async function wakeWaiting(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const telling = events.filter(wakesRuns);
  if (telling.length === 0) return;
  const about = [
    wholeIds(telling.map((event) => uuidOf('alert', alertOf(event)?.id ?? ''))),
    wholeIds(telling.map((event) => uuidOf('incident', incidentOf(event)?.id ?? ''))),
  ];
  const runs = await tx.query<{ id: string }>(
    `SELECT id FROM workflows.runs WHERE status IN ('running', 'waiting') AND (alert_id = ANY($1::uuid[]) OR incident_id = ANY($2::uuid[])) ORDER BY id FOR UPDATE`,
    about,
  );
  await addJobs(
    tx,
    'advance',
    runs.map(({ id }) => ({ runId: id })),
  );
  const messages = await tx.query<{ id: string }>(
    `SELECT d.id FROM workflows.notifications d WHERE d.status = 'queued' AND (d.alert_id = ANY($1::uuid[]) OR d.incident_id = ANY($2::uuid[]))
       AND ((SELECT a.status FROM alerts_views.alerts a WHERE a.id = d.alert_id) = ANY(d.stop_when) OR (SELECT i.status FROM alerts_views.incidents i WHERE i.id = d.incident_id) = ANY(d.stop_when))`,
    about,
  );
  await addJobs(
    tx,
    'sendNotification',
    messages.map(({ id }) => ({ notificationId: id })),
  );
}

/** Those that could be triggered, by `tenantOf`. */
export async function workflowsOf(tx: Tx, events: readonly DomainEvent[]): Promise<Map<string, WorkflowRow[]>> {
  const tenants = [...new Map(events.map(({ organizationId: o, environment: e }) => [`${o} ${e}`, { o, e }])).values()];
  const types = new Set(events.map(({ type }) => type as string));
  if (types.has('alert.resumed')) types.add('alert.created');
  const rows = await tx.query<WorkflowRow>(
    `SELECT w.id, w.organization_id, w.environment, w.name, w.version, w.events, w.conditions, w.steps
     FROM json_to_recordset($1::json) AS k(o uuid, e text) JOIN resources_views.workflows w ON w.organization_id = k.o AND w.environment = k.e
     WHERE w.enabled AND w.events && $2::text[] ORDER BY w.created_at, w.id`,
    [JSON.stringify(tenants), [...types]],
  );
  const found = new Map<string, WorkflowRow[]>();
  for (const row of rows) {
    const tenant = `${row.organization_id} ${row.environment}`;
    found.set(tenant, [...(found.get(tenant) ?? []), row]);
  }
  return found;
}

/** What came of earlier runs for the alerts that resume, by `<workflow> <alert>`. */
export async function ranBefore(tx: Tx, events: readonly DomainEvent[]): Promise<Map<string, RanBefore>> {
  const alertIds = wholeIds(
    events.filter(({ type }) => type === 'alert.resumed').map((event) => uuidOf('alert', alertOf(event)?.id ?? '')),
  );
  return ranBeforeFor(tx, alertIds);
}

async function ranBeforeFor(tx: Tx, alertIds: string[]): Promise<Map<string, RanBefore>> {
  if (alertIds.length === 0) return new Map();
  const rows = await tx.query<{ workflow_id: string; alert_id: string; waits: boolean }>(
    `SELECT workflow_id, alert_id, bool_or(status IN ('running', 'waiting')) AS waits FROM workflows.runs WHERE alert_id = ANY($1::uuid[]) GROUP BY workflow_id, alert_id`,
    [alertIds],
  );
  return new Map(rows.map((row) => [ranKey(row.workflow_id, row.alert_id), row.waits ? 'waiting' : 'done']));
}

/** The same of one workflow and one alert. */
export async function ranBeforeOf(tx: Tx, workflowId: string, alertId: string): Promise<RanBefore> {
  return (await ranBeforeFor(tx, [alertId])).get(ranKey(workflowId, alertId)) ?? 'never';
}
