/**
 * The engine in this process, against a database and a broker of its own: tests kill and restart them. What is around it is
 * played here: alerts and incidents are rows written as the superuser, events are put into the stream as the pipeline's
 * relay does, and the pipeline and the notifier answer as the test says and remember what they were asked.
 */
import {
  alertEventsSubject,
  incidentEventsSubject,
  newUuid,
  publicId,
  sendSubject,
  subjectOf,
  uuidOf,
  workflowCommandSubject,
  type Answer,
  type Call,
  type Operation,
  type Page,
  type Principal,
  type SendReply,
  type SendRequest,
  type WorkflowCommand,
  type WorkflowCommandReply,
} from '@ams/contracts';
import {
  alertColumns,
  alertFromRow,
  incidentColumns,
  incidentFromRow,
  severityRank,
  type AlertRow,
  type IncidentRow,
} from '@ams/alerting';
import { migrate, serviceRoles, type DatabaseService } from '@ams/database';
import {
  normalizedWorkflow,
  validateWorkflow,
  type AlertStatus,
  type IncidentStatus,
  type Severity,
} from '@ams/domain';
import { call, connectNats, Subscriptions, type NatsConnection } from '@ams/messaging';
import { createLogger, readSettings, startLegacyService, type RunningService } from '@ams/service';
import { eventually, startTestInfrastructure, type TestInfrastructure } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { workflowEngine } from '../src/service.js';
import { WorkflowEngineSettings } from '../src/settings.js';
import type { KeptResult } from '../src/run-record.js';

const passwords: Record<DatabaseService, string> = {
  auth: 'a',
  'resource-api': 'r',
  'alert-pipeline': 'p',
  'workflow-engine': 'w',
};

/** Far longer than anything takes: what does not come by then does not come. */
export const patience = { timeoutMs: 30_000 };

/** An organization with a key and an integration, as far as the engine sees them. */
export interface Tenant {
  organizationId: string;
  environment: 'live' | 'test';
  integrationId: string;
  principal: Principal;
}

export interface AlertValues {
  title: string;
  severity: Severity;
  status: AlertStatus;
  fingerprint: string;
  labels: Record<string, string>;
  incidentId: string | null;
  environment: 'live' | 'test';
}

/** What tests read of a row of `workflows.runs`. */
export interface RunFound {
  id: string;
  workflow_id: string;
  event_type: string;
  depth: number;
  status: 'running' | 'waiting' | 'completed' | 'failed';
  next_step: number;
  results: KeptResult[];
  joined: boolean;
  due_at: Date | null;
  error: string | null;
  alert_id: string | null;
  incident_id: string | null;
  trace: { holds: boolean };
}

/** What tests read of a row of `workflows.notifications`. */
export interface NotificationFound {
  id: string;
  run_id: string | null;
  step_id: string | null;
  target: string;
  channel: string;
  status: string;
  reason: string | null;
  why: string;
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date;
  updated_at: Date;
  member_id: string | null;
}

export interface Considered {
  event_id: string;
  event_type: string;
  workflows: {
    workflowId: string;
    name: string;
    outcome: string;
    runId: string | null;
    trace: { holds: boolean; actual?: unknown };
  }[];
}

/** A reply, or a promise that the test settles, or never: nobody answers. */
type Reply<T> = T | Promise<T> | 'nobody';

export interface TestWorld {
  infrastructure: TestInfrastructure;
  /** As the superuser, past every policy. */
  admin: pg.Pool;
  broker: NatsConnection;
  /** What the pipeline was asked, and how it answers: by default it does what the engine relies on. */
  commands: WorkflowCommand[];
  answerCommands: (answer: ((command: WorkflowCommand) => Reply<WorkflowCommandReply | null>) | null) => void;
  /** What the notifier was asked with the time of it, and how it answers: by default all is sent. */
  sent: (SendRequest & { at: number })[];
  answerSends: (answer: ((request: SendRequest) => Reply<SendReply>) | null) => void;
  /** Without them nobody answers the engine. */
  stopNeighbours(): Promise<void>;
  startNeighbours(): void;
  /** How many jobs have failed and wait for another attempt. */
  failedJobs(): Promise<number>;
  startReplica(variables?: Record<string, string>): Promise<RunningService>;
  /** Stops every replica that runs. */
  stopReplicas(): Promise<void>;
  newTenant(of?: Partial<Pick<Tenant, 'organizationId' | 'environment'>>): Promise<Tenant>;
  /** The UUID of a member with this name, who is told by `<name>@example.com`. */
  newMember(tenant: Tenant, name?: string, status?: 'active' | 'invited' | 'disabled'): Promise<string>;
  /** The public id of a schedule in which these members (UUIDs) take turns of a day, the first one now; without members nobody is ever on call. */
  newSchedule(tenant: Tenant, members: string[], name?: string): Promise<string>;
  /** From a minute ago for an hour. */
  newOverride(tenant: Tenant, scheduleId: string, member: string): Promise<void>;
  /** The UUID of a workflow; what is left out is: on alert.created, always. */
  newWorkflow(
    tenant: Tenant,
    steps: object[],
    more?: { events?: string[]; conditions?: object | null; name?: string; enabled?: boolean },
  ): Promise<string>;
  /** The UUID of an alert. */
  newAlert(tenant: Tenant, values?: Partial<AlertValues>): Promise<string>;
  newIncident(
    tenant: Tenant,
    values?: { workflowId?: string | null; groupKey?: string | null; title?: string; status?: IncidentStatus },
  ): Promise<string>;
  setStatus(
    of: { alertId: string; status: AlertStatus } | { incidentId: string; status: IncidentStatus },
  ): Promise<void>;
  /** An event of the alert or incident as it is now. */
  eventOf(tenant: Tenant, type: string, id: string, more?: { depth?: number }): Promise<{ id: string }>;
  /** Puts events into the stream, in one message. */
  publish(...events: object[]): Promise<void>;
  /** Both: an event as it is now, into the stream. */
  tell(tenant: Tenant, type: string, id: string, more?: { depth?: number }): Promise<{ id: string }>;
  runsOf(tenant: Tenant): Promise<RunFound[]>;
  notificationsOf(tenant: Tenant): Promise<NotificationFound[]>;
  consideredOf(tenant: Tenant): Promise<Considered[]>;
  /** The run of the tenant (the oldest, when there are more), when it is in this state. */
  run(tenant: Tenant, status: RunFound['status']): Promise<RunFound>;
  /** What was sent for this tenant's notifications. */
  sentTo(tenant: Tenant): Promise<TestWorld['sent']>;
  ask(principal: Principal, operation: Operation, call?: Partial<Call>): Promise<Answer>;
  stop(): Promise<void>;
}

/** The object of a successful answer; fails with the answer when it is none. */
export function dataOf<R>(answer: Answer): R {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return (answer.body as { data: R }).data;
}

export function pageOf<R>(answer: Answer): Page<R> {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer.body as Page<R>;
}

/** As the gateway makes it of a header and a body. */
export const idempotent = (key: string, body: unknown) => ({
  key,
  fingerprint: createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('base64url'),
  sealKey: createHash('sha256').update('seal').digest('base64url'),
});

export const email = (address: string) => ({ type: 'email', address });
export const notify = (targets: object[], more: object = {}) => ({
  id: 'page',
  type: 'notify',
  params: { targets },
  ...more,
});

/** What came of the steps of a run, in short: `page done`, `escalate skipped acknowledged`. */
export const outcomes = (run: RunFound): string[] =>
  run.results.map(({ stepId, outcome, reason }) => [stepId, outcome, ...(reason ? [reason] : [])].join(' '));

/** `durable` for tests that kill the database. */
export async function startWorld({ durable = false } = {}): Promise<TestWorld> {
  const infrastructure = await startTestInfrastructure({ durable });
  await migrate(infrastructure.postgresUrl, passwords);
  const admin = new pg.Pool({ connectionString: infrastructure.postgresUrl });
  admin.on('error', () => undefined);
  const broker = await connectNats({ url: infrastructure.natsUrl, name: 'test' });
  const services: RunningService[] = [];
  const rows = async <R extends pg.QueryResultRow>(text: string, params: unknown[] = []): Promise<R[]> =>
    (await admin.query<R>(text, params)).rows;
  const quiet = createLogger('test', 'silent');

  const commands: WorkflowCommand[] = [];
  const sent: TestWorld['sent'] = [];
  let pipelineAnswer: ((command: WorkflowCommand) => Reply<WorkflowCommandReply | null>) | null = null;
  let notifierAnswer: ((request: SendRequest) => Reply<SendReply>) | null = null;
  let neighbours: Subscriptions;
  const startNeighbours = (): void => {
    neighbours = new Subscriptions(broker, 'test', quiet);
    neighbours.serve(workflowCommandSubject, async (message) => {
      const command = message.json<WorkflowCommand>();
      commands.push(command);
      const answer = (await pipelineAnswer?.(command)) ?? null;
      return answer === 'nobody' ? new Promise(() => undefined) : (answer ?? pipelineDoes(command));
    });
    neighbours.serve(sendSubject, async (message) => {
      const request = message.json<SendRequest>();
      sent.push({ ...request, at: Date.now() });
      const answer = (await notifierAnswer?.(request)) ?? { kind: 'sent', detail: '250 OK' };
      return answer === 'nobody' ? new Promise(() => undefined) : answer;
    });
  };
  startNeighbours();

  const alertNow = async (id: string) => {
    const [row] = await rows<AlertRow>(`SELECT ${alertColumns} FROM alerts.alerts WHERE id = $1`, [id]);
    return row ? alertFromRow(row) : null;
  };
  const incidentNow = async (id: string) => {
    const [row] = await rows<IncidentRow>(`SELECT ${incidentColumns} FROM alerts.incidents WHERE id = $1`, [id]);
    return row ? incidentFromRow(row) : null;
  };

  /** As the pipeline does it, as far as the engine relies on it: an alert joins the open incident of its group. */
  async function pipelineDoes({
    organizationId,
    environment,
    workflow,
    alertId,
    body,
  }: WorkflowCommand): Promise<WorkflowCommandReply> {
    if (body.kind === 'openIncident' && alertId) {
      const tenant = { organizationId, environment } as Tenant;
      const [own] = await rows<{ id: string; first: boolean }>(
        'SELECT i.id, i.opened_by = a.id AS first FROM alerts.alerts a JOIN alerts.incidents i ON i.id = a.incident_id WHERE a.id = $1',
        [alertId],
      );
      const [open] = await rows<{ id: string }>(
        `SELECT id FROM alerts.incidents WHERE workflow_id = $1 AND group_key = $2 AND status <> 'resolved'`,
        [workflow.id, body.groupKey],
      );
      const incidentId =
        own?.id ??
        open?.id ??
        (await world.newIncident(tenant, { workflowId: workflow.id, groupKey: body.groupKey, title: body.title }));
      if (!own && !open) await rows('UPDATE alerts.incidents SET opened_by = $2 WHERE id = $1', [incidentId, alertId]);
      await rows('UPDATE alerts.alerts SET incident_id = $2 WHERE id = $1', [alertId, incidentId]);
      return {
        kind: 'done',
        changed: !own,
        alert: await alertNow(alertId),
        incident: await incidentNow(incidentId),
        joined: own ? !own.first : Boolean(open),
      };
    }
    return {
      kind: 'done',
      changed: true,
      alert: alertId ? await alertNow(alertId) : null,
      incident: null,
      joined: false,
    };
  }

  const world: TestWorld = {
    infrastructure,
    admin,
    broker,
    commands,
    sent,
    startNeighbours,
    stopNeighbours: () => neighbours.drain(),
    answerCommands: (answer) => (pipelineAnswer = answer),
    answerSends: (answer) => (notifierAnswer = answer),

    async startReplica(variables = {}) {
      const settings = readSettings(WorkflowEngineSettings, {
        HTTP_HOST: '127.0.0.1',
        HTTP_PORT: '0',
        NATS_URL: infrastructure.natsUrl,
        DATABASE_URL: databaseUrl(infrastructure),
        LINK_SECRET: 'a secret of the links',
        ...variables,
      });
      const service = await startLegacyService(
        workflowEngine,
        settings,
        createLogger('workflow-engine', process.env['TEST_LOG'] ?? 'silent'),
      );
      services.push(service);
      return service;
    },
    async stopReplicas() {
      for (const service of services.splice(0)) await service.stop();
    },

    async newTenant({ organizationId = newUuid(), environment = 'live' } = {}) {
      const id = newUuid();
      await admin.query(
        `INSERT INTO auth.organizations (id, name, slug) VALUES ($1::uuid, 'Example', $1::text) ON CONFLICT DO NOTHING`,
        [organizationId],
      );
      await admin.query(
        `INSERT INTO auth.api_keys (id, organization_id, environment, name, scopes, key_prefix, key_hash, created_by) VALUES ($1::uuid, $2, $3, 'key', '{alerts:write}', 'svc_', $1::text, '{}')`,
        [id, organizationId, environment],
      );
      return {
        organizationId,
        environment,
        integrationId: newUuid(),
        principal: { type: 'api_key', id, name: 'key', organizationId, environment, scopes: [] },
      };
    },

    async newMember({ organizationId }, name = 'mira', status = 'active') {
      const id = newUuid();
      await admin.query(
        `INSERT INTO auth.members (id, organization_id, name, email, role, status) VALUES ($1, $2, $3, $3 || '@example.com', 'responder', $4)`,
        [id, organizationId, name, status],
      );
      return id;
    },

    async newSchedule({ organizationId, environment }, members, name = 'Primary') {
      const id = newUuid();
      const midnight = new Date();
      midnight.setUTCHours(0, 0, 0, 0);
      const layers =
        members.length === 0
          ? []
          : [
              {
                id: 'daily',
                name: 'Daily',
                members,
                rotation: { unit: 'day', interval: 1, handoffTime: '00:00', handoffDay: null },
                startsAt: midnight.toISOString(),
                endsAt: null,
                restrictions: [],
              },
            ];
      await admin.query(
        'INSERT INTO resources.schedules (id, organization_id, environment, name, timezone, layers) VALUES ($1, $2, $3, $4, $5, $6)',
        [id, organizationId, environment, name, 'UTC', JSON.stringify(layers)],
      );
      return publicId('schedule', id);
    },

    async newOverride({ organizationId, environment }, scheduleId, member) {
      await admin.query(
        `INSERT INTO resources.schedule_overrides (id, organization_id, environment, schedule_id, member_id, starts_at, ends_at, created_by)
         VALUES ($1, $2, $3, $4, $5, now() - interval '1 minute', now() + interval '1 hour', '{}')`,
        [newUuid(), organizationId, environment, uuidOf('schedule', scheduleId), member],
      );
    },

    async newWorkflow(
      { organizationId, environment },
      steps,
      { events = ['alert.created'], conditions = null, name = 'Page', enabled = true } = {},
    ) {
      const sentForm = { trigger: { events }, conditions, steps };
      expect(validateWorkflow(sentForm)).toEqual([]);
      const definition = normalizedWorkflow(sentForm);
      const id = newUuid();
      await admin.query(
        'INSERT INTO resources.workflows (id, organization_id, environment, name, enabled, events, conditions, steps) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
        [
          id,
          organizationId,
          environment,
          name,
          enabled,
          events,
          definition.conditions && JSON.stringify(definition.conditions),
          JSON.stringify(definition.steps),
        ],
      );
      return id;
    },

    async newAlert(
      tenant,
      {
        title = 'High CPU',
        severity = 'critical',
        status = 'firing',
        fingerprint = newUuid(),
        labels = {},
        incidentId = null,
        environment = tenant.environment,
      } = {},
    ) {
      const id = newUuid();
      await admin.query(
        `INSERT INTO alerts.alerts (id, organization_id, environment, integration_id, integration_name, dedup_scope, partition, fingerprint, fingerprint_source, title, severity, status,
           labels, annotations, incident_id, first_occurred_at, last_occurred_at, occurrence_count, created_at, updated_at, version, suppression, resolved_at)
         VALUES ($1, $2, $3, $4::uuid, 'sender', $4::text, 0, $5, 'explicit', $6, $7, $8, $9, '{}', $10, now(), now(), 1, now(), now(), 1, $11, $12)`,
        [
          id,
          tenant.organizationId,
          environment,
          tenant.integrationId,
          fingerprint,
          title,
          severityRank(severity),
          status,
          JSON.stringify(labels),
          incidentId,
          status === 'suppressed' ? '{}' : null,
          status === 'resolved' ? new Date() : null,
        ],
      );
      return id;
    },

    async newIncident(
      { organizationId, environment },
      { workflowId = null, groupKey = null, title = 'Outage', status = 'triggered' } = {},
    ) {
      const id = newUuid();
      await admin.query(
        `INSERT INTO alerts.incidents (id, organization_id, environment, number, title, severity, status, assignee_ids, workflow_id, group_key, auto_resolve, alert_count, open_alert_count,
           triggered_at, created_at, updated_at, version, resolved_at)
         VALUES ($1, $2, $3, (SELECT count(*) + 1 FROM alerts.incidents WHERE organization_id = $2), $4, 4, $5, '{}', $6, $7, false, 1, 1, now(), now(), now(), 1, $8)`,
        [
          id,
          organizationId,
          environment,
          title,
          status,
          workflowId,
          groupKey,
          status === 'resolved' ? new Date() : null,
        ],
      );
      return id;
    },

    async setStatus(of) {
      if ('alertId' in of) {
        await admin.query(
          `UPDATE alerts.alerts SET status = $2::text, suppression = CASE WHEN $2::text = 'suppressed' THEN '{}'::jsonb END, resolved_at = CASE WHEN $2::text = 'resolved' THEN now() END WHERE id = $1`,
          [of.alertId, of.status],
        );
      } else
        await admin.query(
          `UPDATE alerts.incidents SET status = $2::text, resolved_at = CASE WHEN $2::text = 'resolved' THEN now() END WHERE id = $1`,
          [of.incidentId, of.status],
        );
    },

    async eventOf({ organizationId, environment }, type, id, { depth = 0 } = {}) {
      const about = type.startsWith('alert.') ? { alert: await alertNow(id) } : { incident: await incidentNow(id) };
      return {
        id: publicId('timelineEntry', newUuid()),
        organizationId,
        environment,
        type,
        occurredAt: new Date().toISOString(),
        actor: { type: 'integration', id: null, name: 'sender' },
        cause: { type: 'event', id: null },
        changes: [],
        depth,
        ...about,
      };
    },

    async publish(...events) {
      const incidents = (events[0] as { type?: string } | undefined)?.type?.startsWith('incident.');
      await jetstream(broker).publish(
        incidents ? incidentEventsSubject : alertEventsSubject(0),
        JSON.stringify({ events }),
      );
    },

    async tell(tenant, type, id, more) {
      const event = await world.eventOf(tenant, type, id, more);
      await world.publish(event);
      return event;
    },

    failedJobs: async () => (await rows('SELECT FROM workflow_jobs._private_jobs WHERE last_error IS NOT NULL')).length,

    runsOf: ({ organizationId }) =>
      rows<RunFound>('SELECT * FROM workflows.runs WHERE organization_id = $1 ORDER BY created_at, id', [
        organizationId,
      ]),
    notificationsOf: ({ organizationId }) =>
      rows<NotificationFound>(
        'SELECT * FROM workflows.notifications WHERE organization_id = $1 ORDER BY created_at, target, id',
        [organizationId],
      ),
    consideredOf: ({ organizationId }) =>
      rows<Considered>('SELECT * FROM workflows.considered WHERE organization_id = $1 ORDER BY event_id', [
        organizationId,
      ]),

    run: (tenant, status) =>
      eventually(async () => {
        const [found] = await world.runsOf(tenant);
        expect(found).toMatchObject({ status });
        return found as RunFound;
      }, patience),

    async sentTo(tenant) {
      const ids = new Set((await world.notificationsOf(tenant)).map(({ id }) => publicId('notification', id)));
      return sent.filter(({ notificationId }) => ids.has(notificationId));
    },

    ask(principal, operation, values = {}) {
      const request: Call = {
        requestId: 'r',
        principal,
        params: {},
        query: {},
        body: undefined,
        ifMatch: null,
        idempotency: null,
        ip: null,
        userAgent: null,
        ...values,
      };
      return call<Answer>(broker, subjectOf(operation), request, { timeoutMs: 20_000, requestId: 'r' });
    },

    async stop() {
      await world.stopReplicas();
      await broker.close();
      await admin.end();
      await infrastructure.stop();
    },
  };
  return world;
}

export function databaseUrl({ postgresUrl }: TestInfrastructure): string {
  const url = new URL(postgresUrl);
  url.username = serviceRoles['workflow-engine'];
  url.password = passwords['workflow-engine'];
  return url.href;
}
