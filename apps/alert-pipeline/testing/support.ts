/**
 * The pipeline in this process. Events are published in the same way as by the ingest gateway, operations are called in
 * the same way as by the API gateway, and rows of other services (clients, members, suppression windows) are written as
 * the superuser.
 */
import {
  alertEventsStream,
  ingestSubject,
  newUuid,
  publicId,
  type AlertEvent,
  type Answer,
  type Call,
  type IncidentEvent,
  type IngestEvent,
  type Operation,
  type Principal,
} from '@ams/contracts';
import { partitionOf, type AlertStatus, type FieldChange, type IncidentStatus } from '@ams/domain';
import { brokerDefaults, connectNats, keepBroker, type NatsConnection } from '@ams/messaging';
import { createLogger, startService, type RunningService } from '@ams/service';
import {
  callOperation,
  createTestDatabase,
  eventually,
  insertApiKey,
  insertClient,
  insertMember,
  startTestNats,
  type TestInfrastructure,
  streamManager,
} from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import type pg from 'pg';
import { alertPipeline } from '../src/service.js';
import { PipelineSettings } from '../src/settings.js';
import { testWindows, type TestWindows } from './windows.js';

export { dataOf } from '@ams/testing';

export const partitions = 4;

/** An organization with a key and an integration: the values that the pipeline reads. */
export interface Sender {
  organizationId: string;
  environment: 'live' | 'test';
  integrationId: string;
  principal: Principal;
}

/** The columns of `alerts.alerts` that tests read. */
export interface AlertFound {
  id: string;
  status: AlertStatus;
  title: string;
  severity: number;
  occurrence_count: number;
  version: number;
  previous_alert_id: string | null;
  partition: number;
  resolve_reason: string | null;
  resolved_by: { type: string; name: string } | null;
  acknowledged_by: { type: string; name: string } | null;
  fingerprint: string;
  client_id: string | null;
  incident_id: string | null;
  assignee_id: string | null;
  suppression: { windowId: string; until: string; priorStatus: string } | null;
}

/** The columns of `alerts.incidents` that tests read. */
export interface IncidentFound {
  id: string;
  number: number;
  status: IncidentStatus;
  alert_count: number;
  open_alert_count: number;
  version: number;
  client_id: string | null;
}

/** An entry of a timeline, of an alert or of an incident. */
export interface EntryFound {
  type: string;
  version: number;
  actor: { type: string; id: string | null; name: string };
  cause: { type: string; id: string | null };
  changes: FieldChange[];
  note: string | null;
}

export interface TestPipeline {
  /** The HTTP port of the first replica. */
  port: number;
  /** A connection of the superuser, to which row-level security does not apply. */
  admin: pg.Pool;
  nats: NatsConnection;
  /** The URLs by which the service reaches its servers. */
  urls: { nats: string; database: string };
  databaseName: string;
  /** Starts one more replica. */
  startReplica(settings?: Partial<PipelineSettings>): Promise<RunningService>;
  /** Stops every running replica. */
  stopReplicas(): Promise<void>;
  /** Creates a sender in the given organization, or in a new one. */
  newSender(of?: Partial<Pick<Sender, 'organizationId' | 'environment'>>): Promise<Sender>;
  /** Creates a client with this slug and these names. Returns its UUID. */
  newClient(sender: Sender, slug: string, names?: string[]): Promise<string>;
  /** Creates a member. Returns its public id. */
  newMember(sender: Sender, status?: 'active' | 'invited' | 'disabled'): Promise<string>;
  /** Publishes events to the ingest stream, one after another. */
  store(...events: IngestEvent[]): Promise<void>;
  /** Settles when this many events of the organization have been applied in all. */
  applied(sender: Sender, count: number): Promise<void>;
  /** Stores events and waits until they have been applied. */
  send(...events: IngestEvent[]): Promise<void>;
  /** The suppression windows. */
  windows: TestWindows;
  alertsOf(sender: Sender): Promise<AlertFound[]>;
  /** The open alert of this fingerprint, else the one that was opened last. */
  alertOf(sender: Sender, fingerprint?: string): Promise<AlertFound>;
  incidentsOf(sender: Sender): Promise<IncidentFound[]>;
  timelineOf(alertId: string): Promise<EntryFound[]>;
  incidentTimelineOf(incidentId: string): Promise<EntryFound[]>;
  /** Settles when another connection waits for a lock that this connection holds. */
  lockAwaited(holder: pg.PoolClient): Promise<void>;
  call(sender: Sender, operation: Operation, call?: Partial<Call>): Promise<Answer>;
  /** The published events of the organization, in the order of the stream. Waits until all changes are published. */
  published(sender: Sender): Promise<(AlertEvent | IncidentEvent)[]>;
  /** Expects that `alerts.counts` agrees with the rows of alerts. */
  expectCorrectCounts(sender: Sender): Promise<void>;
  /** Expects that the versions in each alert's timeline are 1, 2, 3, … up to the alert's version. */
  expectWholeTimeline(sender: Sender): Promise<void>;
  /** Expects that the counts of incidents agree with their alerts, and that their timelines are complete. */
  expectCorrectIncidents(sender: Sender): Promise<void>;
  stop(): Promise<void>;
}

export function eventOf(sender: Sender, values: Partial<IngestEvent> = {}): IngestEvent {
  return {
    id: newUuid(),
    organizationId: sender.organizationId,
    environment: sender.environment,
    integrationId: sender.integrationId,
    integrationName: 'sender',
    receivedAt: new Date().toISOString(),
    dedupScope: 'integration',
    autoResolveAfterSeconds: null,
    clientId: null,
    title: 'High CPU',
    severity: 'high',
    status: 'firing',
    source: 'test',
    description: null,
    fingerprint: 'cpu',
    fingerprintSource: 'explicit',
    labels: {},
    annotations: {},
    ...values,
  };
}

/** An event that resolves the alert of `eventOf`. */
export const resolveOf = (sender: Sender, values: Partial<IngestEvent> = {}): IngestEvent =>
  eventOf(sender, { status: 'resolved', severity: null, ...values });

/** The value that the gateway makes from a header and a body. */
export const idempotent = (key: string, fingerprint = 'a') => ({
  key,
  fingerprint,
  sealKey: Buffer.alloc(32, 1).toString('base64url'),
});

export interface TestPipelineOptions {
  /** Own servers, for a test that restarts them. */
  infrastructure?: TestInfrastructure;
}

export async function startPipeline({ infrastructure }: TestPipelineOptions = {}): Promise<TestPipeline> {
  const server = infrastructure ? { url: infrastructure.natsUrl, stop: infrastructure.stop } : await startTestNats();
  const database = await createTestDatabase(infrastructure && { postgresUrl: infrastructure.postgresUrl });
  const { admin } = database;
  const nats = await connectNats({ url: server.url, name: 'test' });
  await keepBroker(nats, { ...brokerDefaults, partitions }, { everyMs: 1000 });
  const services: RunningService[] = [];

  const startReplica = async (values: Partial<PipelineSettings> = {}): Promise<RunningService> => {
    const settings = Object.assign(new PipelineSettings(), {
      httpHost: '127.0.0.1',
      httpPort: 0,
      natsUrl: server.url,
      databaseUrl: database.urls['alert-pipeline'],
      ingestPartitions: partitions,
      leaseSeconds: 1,
      // The machine may be busy. Tests that disturb the connection check the usual limits.
      ...(values.databaseUrl === undefined ? { databaseTimeoutMs: 15_000, databaseConnectTimeoutMs: 30_000 } : {}),
      ...values,
    });
    const log = createLogger('alert-pipeline', process.env['TEST_LOG'] ?? 'silent');
    const service = await startService(alertPipeline, settings, log);
    services.push(service);
    return service;
  };
  const stopReplicas = async (): Promise<void> => {
    for (const service of services.splice(0)) await service.stop();
  };
  const rows = async <R extends pg.QueryResultRow>(text: string, params: unknown[] = []): Promise<R[]> =>
    (await admin.query<R>(text, params)).rows;

  const store = async (...events: IngestEvent[]): Promise<void> => {
    const js = jetstream(nats);
    for (const event of events) {
      await js.publish(
        ingestSubject(partitionOf(event.organizationId, event.environment, event.fingerprint, partitions)),
        JSON.stringify({ events: [event] }),
      );
    }
  };
  const alertsOf = (sender: Sender): Promise<AlertFound[]> =>
    rows<AlertFound>('SELECT * FROM alerts.alerts WHERE organization_id = $1 ORDER BY created_at, fingerprint, id', [
      sender.organizationId,
    ]);

  const { port } = await startReplica();
  return {
    port,
    admin,
    nats,
    urls: { nats: server.url, database: database.urls['alert-pipeline'] },
    databaseName: database.name,
    startReplica,
    stopReplicas,
    store,
    windows: testWindows(admin),
    alertsOf,

    async newSender({ organizationId = newUuid(), environment = 'live' } = {}) {
      const { principal } = await insertApiKey(admin, { name: 'key', organizationId, environment });
      return { organizationId, environment, integrationId: newUuid(), principal };
    },

    newClient: (sender, slug, names = []) => insertClient(admin, sender, { slug, aliases: names }),

    newMember: async (sender, status = 'active') =>
      publicId('member', await insertMember(admin, sender, { name: 'member', status })),

    applied: (sender, count) =>
      eventually(async () =>
        expect(
          await rows('SELECT count(*)::int AS n FROM alerts.events WHERE organization_id = $1', [
            sender.organizationId,
          ]),
        ).toEqual([{ n: count }]),
      ),

    async send(...events) {
      await store(...events);
      const ids = events.map(({ id }) => id);
      await eventually(async () =>
        expect(await rows('SELECT count(*)::int AS n FROM alerts.events WHERE id = ANY($1::uuid[])', [ids])).toEqual([
          { n: ids.length },
        ]),
      );
    },

    async alertOf(sender, fingerprint = 'cpu') {
      const found = (await alertsOf(sender)).filter((alert) => alert.fingerprint === fingerprint);
      const alert = found.find(({ status }) => status !== 'resolved') ?? found.at(-1);
      if (!alert) throw new Error(`there is no alert ${fingerprint}`);
      return alert;
    },

    incidentsOf: (sender) =>
      rows<IncidentFound>('SELECT * FROM alerts.incidents WHERE organization_id = $1 ORDER BY number', [
        sender.organizationId,
      ]),

    timelineOf: (alertId) =>
      rows<EntryFound>(
        `SELECT type, alert_version AS version, actor, cause, changes, note
         FROM alerts.timeline WHERE alert_id = $1 ORDER BY alert_version, id`,
        [alertId],
      ),
    incidentTimelineOf: (incidentId) =>
      rows<EntryFound>(
        `SELECT type, incident_version AS version, actor, cause, changes, note
         FROM alerts.incident_timeline WHERE incident_id = $1 ORDER BY incident_version, id`,
        [incidentId],
      ),

    async lockAwaited(holder) {
      const {
        rows: [backend],
      } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await eventually(async () =>
        expect(
          (await rows('SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [backend?.pid])).length,
        ).toBeGreaterThan(0),
      );
    },

    call: (sender, operation, values = {}) =>
      callOperation(nats, sender.principal, operation, { requestId: 'r', ip: null, userAgent: null, ...values }),

    async published(sender) {
      await eventually(async () => expect(await rows('SELECT 1 FROM alerts.outbox LIMIT 1')).toEqual([]));
      const manager = await streamManager(nats);
      const { state } = await manager.streams.info(alertEventsStream);
      const events: (AlertEvent | IncidentEvent)[] = [];
      for (let seq = state.first_seq; seq <= state.last_seq; seq++)
        events.push(
          ...((await manager.streams.getMessage(alertEventsStream, { seq }))?.json<{ events: AlertEvent[] }>().events ??
            []),
        );
      return events.filter((event) => event.organizationId === sender.organizationId);
    },

    async expectCorrectCounts(sender) {
      const wrong = await rows(
        `WITH stored AS (SELECT environment::text, status, severity, sum(n)::int AS n FROM alerts.counts
             WHERE organization_id = $1 GROUP BY 1, 2, 3 HAVING sum(n) <> 0),
           counted AS (SELECT environment::text, status, severity, count(*)::int AS n FROM alerts.alerts
             WHERE organization_id = $1 GROUP BY 1, 2, 3)
         (TABLE stored EXCEPT TABLE counted) UNION ALL (TABLE counted EXCEPT TABLE stored)`,
        [sender.organizationId],
      );
      expect(wrong).toEqual([]);
    },

    async expectWholeTimeline(sender) {
      expect(await rows(brokenTimelines('alerts.alerts', 'alerts.timeline', 'alert'), [sender.organizationId])).toEqual(
        [],
      );
    },

    async expectCorrectIncidents(sender) {
      expect(
        await rows(brokenTimelines('alerts.incidents', 'alerts.incident_timeline', 'incident'), [
          sender.organizationId,
        ]),
      ).toEqual([]);
      const wrong = await rows(
        `SELECT i.number, i.alert_count, i.open_alert_count, count(a.id)::int AS alerts,
           count(a.id) FILTER (WHERE a.status <> 'resolved')::int AS open
         FROM alerts.incidents i LEFT JOIN alerts.alerts a ON a.incident_id = i.id WHERE i.organization_id = $1
         GROUP BY i.id HAVING i.alert_count <> count(a.id)
           OR i.open_alert_count <> count(a.id) FILTER (WHERE a.status <> 'resolved')`,
        [sender.organizationId],
      );
      expect(wrong).toEqual([]);
    },

    async stop() {
      await stopReplicas();
      await nats.close();
      await database.drop();
      await server.stop();
    },
  };
}

/** Records whose timeline lacks an entry, has one twice, or does not end at the record's version. */
const brokenTimelines = (table: string, timeline: string, noun: string): string =>
  `SELECT r.id, r.version, count(*)::int AS entries
   FROM ${table} r LEFT JOIN ${timeline} t ON t.${noun}_id = r.id WHERE r.organization_id = $1
   GROUP BY r.id, r.version HAVING count(*) <> r.version
     OR count(DISTINCT t.${noun}_version) <> r.version OR max(t.${noun}_version) <> r.version`;
