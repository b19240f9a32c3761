/**
 * The engine in this process, with its own database and NATS server. Other services are replaced: alerts and
 * incidents are rows that the superuser writes, events are published like those of the outbox of the pipeline, and the
 * pipeline and the notifier reply as the test says.
 */
import {
  alertEventsSubject,
  incidentEventsSubject,
  newUuid,
  publicId,
  uuidOf,
  type Answer,
  type Call,
  type Operation,
  type Principal,
} from '@ams/contracts';
import {
  normalizedWorkflow,
  validateWorkflow,
  type AlertStatus,
  type IncidentStatus,
  type Severity,
} from '@ams/domain';
import { brokerDefaults, connectNats, keepBroker, type NatsConnection } from '@ams/messaging';
import { createLogger, readSettings, startService, type RunningService } from '@ams/service';
import {
  callOperation,
  createTestDatabase,
  eventually,
  insertAlert,
  insertApiKey,
  insertIncident,
  insertMember,
  insertOrganization,
  insertSchedule,
  insertScheduleOverride,
  insertWorkflow,
  startTestInfrastructure,
  startTestNats,
  type TestInfrastructure,
} from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import type pg from 'pg';
import type { KeptResult } from '../src/runs/workflow-run.entity.js';
import { workflowEngine } from '../src/service.js';
import { WorkflowEngineSettings } from '../src/settings.js';
import { alertNow, incidentNow, Neighbours } from './neighbours.js';

export { dataOf, idempotencyOf, pageOf } from '@ams/testing';

/** An organization with a key and an integration: the values that the engine reads. */
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
  dedupScope: string;
  incidentId: string | null;
  environment: 'live' | 'test';
}

/** The columns of `workflows.runs` that tests read. */
export interface RunFound {
  id: string;
  workflow_id: string;
  event_type: string;
  depth: number;
  root_event_id: string | null;
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

/** The columns of `workflows.notifications` that tests read. */
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

export interface TestWorld {
  /** The servers of this test world. Only for `durable`: tests kill and restart them. */
  servers: TestInfrastructure | null;
  /** The URL by which the service reaches the database. */
  databaseUrl: string;
  natsUrl: string;
  /** The superuser, for whom row-level security does not apply. */
  admin: pg.Pool;
  nats: NatsConnection;
  /** The commands that the pipeline received. */
  commands: Neighbours['commands'];
  answerCommands: Neighbours['answerCommands'];
  /** The requests that the notifier received, with their times. */
  sent: Neighbours['sent'];
  answerSends: Neighbours['answerSends'];
  /** Stops the pipeline and the notifier: nobody replies to the engine. */
  stopNeighbours(): Promise<void>;
  startNeighbours(): void;
  /** How many jobs have failed and wait for another attempt. */
  failedJobs(): Promise<number>;
  startReplica(variables?: Record<string, string>): Promise<RunningService>;
  /** Stops every running replica. */
  stopReplicas(): Promise<void>;
  newTenant(of?: Partial<Pick<Tenant, 'organizationId' | 'environment'>>): Promise<Tenant>;
  /** Creates a member with this name and the address `<name>@example.com`. Returns its UUID. */
  newMember(tenant: Tenant, name?: string, status?: 'active' | 'invited' | 'disabled'): Promise<string>;
  /**
   * Creates a schedule in which these members (UUIDs) take turns of a day, the first one now. Without members nobody is
   * ever on call. Returns its public id.
   */
  newSchedule(tenant: Tenant, members: string[], name?: string): Promise<string>;
  /** Creates an override from a minute ago for an hour. */
  newOverride(tenant: Tenant, scheduleId: string, member: string): Promise<void>;
  /** Creates a workflow, by default for alert.created without conditions. Returns its UUID. */
  newWorkflow(
    tenant: Tenant,
    steps: object[],
    more?: { events?: string[]; conditions?: object | null; name?: string; enabled?: boolean },
  ): Promise<string>;
  /** Creates an alert. Returns its UUID. */
  newAlert(tenant: Tenant, values?: Partial<AlertValues>): Promise<string>;
  newIncident(
    tenant: Tenant,
    values?: { workflowId?: string | null; groupKey?: string | null; title?: string; status?: IncidentStatus },
  ): Promise<string>;
  setStatus(
    of: { alertId: string; status: AlertStatus } | { incidentId: string; status: IncidentStatus },
  ): Promise<void>;
  /** Returns an event of the alert or incident as it is now. */
  eventOf(
    tenant: Tenant,
    type: string,
    id: string,
    more?: { depth?: number; rootEventId?: string | undefined },
  ): Promise<{ id: string }>;
  /** Publishes events to the stream, in one message. */
  publish(...events: object[]): Promise<void>;
  /** Publishes an event of the alert or incident as it is now. */
  publishEvent(
    tenant: Tenant,
    type: string,
    id: string,
    more?: { depth?: number; rootEventId?: string | undefined },
  ): Promise<{ id: string }>;
  runsOf(tenant: Tenant): Promise<RunFound[]>;
  notificationsOf(tenant: Tenant): Promise<NotificationFound[]>;
  consideredOf(tenant: Tenant): Promise<Considered[]>;
  /** The run of the tenant (the oldest, when there are more), when it is in this state. */
  run(tenant: Tenant, status: RunFound['status']): Promise<RunFound>;
  /** The requests that were sent for this tenant's notifications. */
  sentTo(tenant: Tenant): Promise<TestWorld['sent']>;
  ask(principal: Principal, operation: Operation, call?: Partial<Call>): Promise<Answer>;
  stop(): Promise<void>;
}

export const email = (address: string) => ({ type: 'email', address });
export const notify = (targets: object[], more: object = {}) => ({
  id: 'page',
  type: 'notify',
  params: { targets },
  ...more,
});

/** The outcomes of the steps of a run, in short: `page done`, `escalate skipped acknowledged`. */
export const outcomes = (run: RunFound): string[] =>
  run.results.map(({ stepId, outcome, reason }) => [stepId, outcome, ...(reason ? [reason] : [])].join(' '));

/** `durable`: with its own servers, for tests that kill and restart them. */
export async function startWorld({ durable = false } = {}): Promise<TestWorld> {
  const servers = durable ? await startTestInfrastructure({ durable }) : null;
  const database = await createTestDatabase(servers ? { postgresUrl: servers.postgresUrl } : {});
  const natsServer = servers ? servers.nats : await startTestNats();
  const { admin } = database;
  const nats = await connectNats({ url: natsServer.url, name: 'test' });
  await keepBroker(nats, brokerDefaults, { everyMs: 1000 });
  const neighbours = new Neighbours(nats, admin);
  neighbours.start();
  const services: RunningService[] = [];
  const rows = async <R extends pg.QueryResultRow>(text: string, params: unknown[] = []): Promise<R[]> =>
    (await admin.query<R>(text, params)).rows;

  const world: TestWorld = {
    servers,
    databaseUrl: database.urls['workflow-engine'],
    natsUrl: natsServer.url,
    admin,
    nats,
    commands: neighbours.commands,
    sent: neighbours.sent,
    startNeighbours: () => neighbours.start(),
    stopNeighbours: () => neighbours.stop(),
    answerCommands: (answer) => neighbours.answerCommands(answer),
    answerSends: (answer) => neighbours.answerSends(answer),

    async startReplica(variables = {}) {
      const settings = readSettings(WorkflowEngineSettings, {
        HTTP_HOST: '127.0.0.1',
        HTTP_PORT: '0',
        NATS_URL: natsServer.url,
        DATABASE_URL: world.databaseUrl,
        LINK_SECRET: 'a secret of the links',
        ...variables,
      });
      const log = createLogger('workflow-engine', process.env['TEST_LOG'] ?? 'silent');
      const service = await startService(workflowEngine, settings, log);
      services.push(service);
      return service;
    },
    async stopReplicas() {
      for (const service of services.splice(0)) await service.stop();
    },

    async newTenant({ organizationId = newUuid(), environment = 'live' } = {}) {
      await insertOrganization(admin, { id: organizationId, name: 'Example' });
      const { principal } = await insertApiKey(admin, { organizationId, environment, name: 'key' });
      return { organizationId, environment, integrationId: newUuid(), principal };
    },

    newMember: (tenant, name = 'mira', status = 'active') =>
      insertMember(admin, tenant, { name, email: `${name}@example.com`, status }),

    async newSchedule(tenant, members, name = 'Primary') {
      const midnight = new Date();
      midnight.setUTCHours(0, 0, 0, 0);
      const daily = {
        id: 'daily',
        name: 'Daily',
        members,
        rotation: { unit: 'day', interval: 1, handoffTime: '00:00', handoffDay: null },
        startsAt: midnight.toISOString(),
        endsAt: null,
        restrictions: [],
      };
      return publicId('schedule', await insertSchedule(admin, tenant, { name, layers: members.length ? [daily] : [] }));
    },

    async newOverride(tenant, scheduleId, memberId) {
      await insertScheduleOverride(admin, tenant, { scheduleId: uuidOf('schedule', scheduleId) as string, memberId });
    },

    newWorkflow(tenant, steps, { events = ['alert.created'], conditions = null, name = 'Page', enabled = true } = {}) {
      const sentForm = { trigger: { events }, conditions, steps };
      expect(validateWorkflow(sentForm)).toEqual([]);
      const definition = normalizedWorkflow(sentForm);
      return insertWorkflow(admin, tenant, {
        name,
        enabled,
        events,
        conditions: definition.conditions,
        steps: definition.steps,
      });
    },

    newAlert: (tenant, { environment = tenant.environment, ...values } = {}) =>
      insertAlert(
        admin,
        { ...tenant, environment },
        { integrationId: tenant.integrationId, integrationName: 'sender', severity: 'critical', ...values },
      ),

    newIncident: (tenant, { workflowId = null, groupKey = null, title = 'Outage', status = 'triggered' } = {}) =>
      insertIncident(admin, tenant, {
        workflowId,
        groupKey,
        title,
        status,
        severity: 'critical',
        alertCount: 1,
        openAlertCount: 1,
      }),

    async setStatus(of) {
      if ('alertId' in of) {
        await admin.query(
          `UPDATE alerts.alerts SET status = $2::text,
             suppression = CASE WHEN $2::text = 'suppressed' THEN '{}'::jsonb END,
             resolved_at = CASE WHEN $2::text = 'resolved' THEN now() END
           WHERE id = $1`,
          [of.alertId, of.status],
        );
      } else
        await admin.query(
          `UPDATE alerts.incidents SET status = $2::text,
             resolved_at = CASE WHEN $2::text = 'resolved' THEN now() END
           WHERE id = $1`,
          [of.incidentId, of.status],
        );
    },

    async eventOf({ organizationId, environment }, type, id, { depth = 0, rootEventId } = {}) {
      const about = type.startsWith('alert.')
        ? { alert: await alertNow(admin, id) }
        : { incident: await incidentNow(admin, id) };
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
        rootEventId,
        ...about,
      };
    },

    async publish(...events) {
      const incidents = (events[0] as { type?: string } | undefined)?.type?.startsWith('incident.');
      await jetstream(nats).publish(
        incidents ? incidentEventsSubject : alertEventsSubject(0),
        JSON.stringify({ events }),
      );
    },

    async publishEvent(tenant, type, id, more) {
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
      }),

    async sentTo(tenant) {
      const ids = new Set((await world.notificationsOf(tenant)).map(({ id }) => publicId('notification', id)));
      return neighbours.sent.filter(({ notificationId }) => ids.has(notificationId));
    },

    ask: (principal, operation, values = {}) => callOperation(nats, principal, operation, values),

    async stop() {
      await world.stopReplicas();
      await nats.close();
      await database.drop();
      await (servers ? servers.stop() : natsServer.stop());
    },
  };
  return world;
}
