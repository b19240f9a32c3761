/**
 * The requests of senders and their results: read from the stream that the ingest gateways write, stored once each, and
 * listed.
 *
 * All replicas together process one message at a time (`max_ack_pending: 1`). The position is written in the
 * transaction that applies a message: a message that is delivered again is skipped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  requestLogStream,
  requestOutcomes,
  Fault,
  publicId,
  uuidOf,
  type RequestLogBatch,
  type RequestRecord,
  type IntegrationRequest,
  type Input,
  type LimitedRecord,
  type Page,
  type PageQuery,
} from '@ams/contracts';
import { Database, page, Where, type Tx } from '@ams/database';
import { opsgenieOperations, receivingApis, storableValue, type Received } from '@ams/domain';
import { asFault, ensureStream, StreamReader, streams, NatsConnection } from '@ams/messaging';
import { Housekeeping } from '@ams/persistence';
import { Logger, Metrics } from '@ams/service';
import type { JsMsg, StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { ResourceApiSettings } from '../settings.js';

const consumerName = 'resource-api';
const keptPerIntegration = 100;
const ackWaitMs = 30_000;
/** How often requests beyond `keptPerIntegration` are deleted; the list does not show them in the meantime. */
const trimEveryMs = 15_000;
const hourMs = 3_600_000;

type LoggedRequest = Omit<RequestRecord, 'items' | keyof Received> & Received & { items: unknown };

/** As the ingest gateway of an earlier release writes it. */
interface FormerBatch {
  deliveries: RequestRecord[];
}

@Injectable()
export class RequestsService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly reader: StreamReader;
  /** Integrations that may have more than `keptPerIntegration`. */
  private grown = new Set<string>();
  private readonly applied;
  private readonly refused;

  constructor(
    private readonly settings: ResourceApiSettings,
    private readonly log: Logger,
    metrics: Metrics,
    private readonly nats: NatsConnection,
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    this.applied = metrics.counter(
      'ams_request_log_applied_total',
      'Records of requests to the webhook that were taken from the stream.',
    );
    this.refused = metrics.counter(
      'ams_request_log_refused_total',
      'Records of requests to the webhook that could not be read or stored.',
    );
    this.reader = new StreamReader(nats, {
      stream: requestLogStream,
      durable: consumerName,
      consumer: { max_ack_pending: 1, ack_wait: nanos(ackWaitMs) },
      consume: { max_messages: 1, expires: 5000, idle_heartbeat: 1000 },
      prepare: () => this.ensureStream(),
      what: 'the request log',
      log,
      take: async (message, prepared) => {
        await this.take(message, String((prepared as StreamInfo).created));
        message.ack();
      },
    });
    housekeeping.add({ name: 'requests beyond the last ones', everyMs: trimEveryMs, run: () => this.trim() });
    housekeeping.add({ name: 'old requests', everyMs: hourMs, run: () => this.deleteOld() });
  }

  async onModuleInit(): Promise<void> {
    await this.ensureStream();
  }

  onApplicationBootstrap(): void {
    this.reader.start();
  }

  private ensureStream() {
    return ensureStream(this.nats, streams.requestLog(), { replicas: this.settings.natsReplicas });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.reader.drain();
  }

  // --- Taking them in --------------------------------------------------------------------------------------------

  /** Applies a message, and tries again while the database is unavailable: no other message is processed meanwhile. */
  private async take(message: JsMsg, streamCreated: string): Promise<void> {
    const { requests, limited } = this.read(message);
    for (;;) {
      try {
        await this.apply(message.seq, streamCreated, requests, limited);
        this.applied.inc(requests.length);
        for (const { integrationId } of requests) this.grown.add(integrationId);
        return;
      } catch (error) {
        if (asFault(error, '').code !== 'UNAVAILABLE')
          return await this.takeOneByOne(message.seq, streamCreated, requests, limited, error);
        if (this.reader.isStopped) throw error;
        this.log.warn({ err: error }, 'the requests could not be stored; trying again');
        message.working();
        await sleep(500);
      }
    }
  }

  /** A record cannot be stored although it passed the checks: the others are stored one by one. */
  private async takeOneByOne(
    sequence: number,
    streamCreated: string,
    requests: LoggedRequest[],
    limited: LimitedRecord[],
    error: unknown,
  ): Promise<void> {
    this.log.error({ err: error, sequence }, 'some requests cannot be stored');
    await this.database.asService(async (tx) => {
      if (!(await advance(tx, sequence, streamCreated))) return;
      const alone = async (work: () => Promise<void>): Promise<void> => {
        await tx.query('SAVEPOINT one');
        try {
          await work();
        } catch (failure) {
          if (asFault(failure, '').code === 'UNAVAILABLE') throw failure;
          await tx.query('ROLLBACK TO SAVEPOINT one');
          this.refused.inc();
        }
      };
      for (const request of requests) await alone(() => store(tx, [request], []));
      for (const record of limited) await alone(() => store(tx, [], [record]));
    });
  }

  private apply(
    sequence: number,
    streamCreated: string,
    requests: LoggedRequest[],
    limited: LimitedRecord[],
  ): Promise<void> {
    return this.database.asService(async (tx) => {
      if (await advance(tx, sequence, streamCreated)) await store(tx, requests, limited);
    });
  }

  /** The valid records of a message; others are left out and counted. */
  private read(message: JsMsg): { requests: LoggedRequest[]; limited: LimitedRecord[] } {
    let batch: Partial<RequestLogBatch & FormerBatch> | null = null;
    try {
      batch = message.json<Partial<RequestLogBatch & FormerBatch> | null>();
    } catch (error) {
      this.log.error({ err: error, sequence: message.seq }, 'a message of the request log cannot be read');
      this.refused.inc();
    }
    const all = <T>(list: T[] | undefined, isOne: (record: T) => boolean): T[] => {
      const found = Array.isArray(list) ? list : [];
      const good = found
        .filter((record) => typeof record === 'object' && record !== null && isOne(record))
        .map(storableValue);
      this.refused.inc(found.length - good.length);
      return good;
    };
    return {
      requests: all<RequestRecord>(batch?.requests ?? batch?.deliveries, isRequest).map((record) => ({
        ...record,
        ...receivedOf(record),
      })),
      limited: all<LimitedRecord>(batch?.limited, isLimited),
    };
  }

  /** Deletes all but the newest requests of each integration that received some. */
  private async trim(): Promise<void> {
    const grown = [...this.grown];
    if (grown.length === 0) return;
    this.grown = new Set();
    try {
      await this.database.query(
        `DELETE FROM resources.requests d USING (
           SELECT x.id, (SELECT k.id FROM resources.requests k WHERE k.integration_id = x.id ORDER BY k.id DESC OFFSET ${keptPerIntegration - 1} LIMIT 1) AS last
           FROM unnest($1::uuid[]) AS x(id)
         ) AS kept WHERE d.integration_id = kept.id AND d.id < kept.last`,
        [grown],
      );
    } catch (error) {
      for (const id of grown) this.grown.add(id);
      throw error;
    }
  }

  /** Deletes requests that are older than `REQUEST_LOG_DAYS`. */
  private async deleteOld(): Promise<void> {
    await this.database.query(
      `DELETE FROM resources.requests WHERE id < public.uuid_at(now() - make_interval(days => $1))`,
      [this.settings.requestLogDays],
    );
  }

  // --- Listing them ----------------------------------------------------------------------------------------------

  list(input: Input<PageQuery, undefined>): Promise<Page<IntegrationRequest>> {
    const id = input.params['id'] ?? '';
    const uuid = uuidOf('integration', id);
    const { principal, query } = input;
    return this.database.readAs(principal, async (tx) => {
      const tenant = [principal.organizationId, principal.environment, uuid];
      const [integration] =
        uuid === null
          ? []
          : await tx.query(
              `SELECT 1 FROM resources.integrations WHERE organization_id = $1 AND environment = $2 AND id = $3 AND deleted_at IS NULL`,
              tenant,
            );
      if (!integration) throw new Fault('NOT_FOUND', { resource: 'integration', id });
      const where = new Where()
        .and('organization_id = ?', tenant[0])
        .and('environment = ?', tenant[1])
        .and('integration_id = ?', uuid)
        .and(
          `id >= coalesce((SELECT k.id FROM resources.requests k WHERE k.integration_id = ? ORDER BY k.id DESC OFFSET ${keptPerIntegration - 1} LIMIT 1), '00000000-0000-0000-0000-000000000000')`,
          uuid,
        );
      return page<Row, IntegrationRequest>(tx, {
        select: 'id, received_at, api, outcome, status, content_type, payload, items, note, request_id',
        from: 'resources.requests',
        where,
        sort: { column: 'id', type: 'id', descending: true },
        id: 'id',
        limit: query.limit,
        cursor: query.cursor,
        boundTo: ['requests', uuid],
        total: async () => {
          const [row] = await tx.query<{ n: number }>(
            `SELECT count(*)::int AS n FROM resources.requests WHERE ${where.toString()}`,
            where.params,
          );
          return row?.n ?? 0;
        },
        item: requestOf,
      });
    });
  }
}

interface Row {
  id: string;
  received_at: Date;
  api: IntegrationRequest['api'];
  outcome: IntegrationRequest['outcome'];
  status: number;
  content_type: string | null;
  payload: string | null;
  items: unknown[];
  note: string | null;
  request_id: string;
}

const requestOf = (row: Row): IntegrationRequest => ({
  id: publicId('request', row.id),
  receivedAt: row.received_at.toISOString(),
  api: row.api,
  outcome: row.outcome,
  status: row.status,
  contentType: row.content_type,
  payload: row.payload,
  items: row.items,
  note: row.note,
  requestId: row.request_id,
});

/** Moves the position to the message. False when it is already there or beyond. Locks the position until the commit. */
async function advance(tx: Tx, sequence: number, streamCreated: string): Promise<boolean> {
  const [moved] = await tx.query(
    `INSERT INTO resources.positions AS p (stream, stream_created, position) VALUES ($1, $2, $3)
     ON CONFLICT (stream) DO UPDATE SET stream_created = excluded.stream_created, position = excluded.position
     WHERE p.stream_created <> excluded.stream_created OR p.position < excluded.position
     RETURNING position`,
    [requestLogStream, streamCreated, sequence],
  );
  return moved !== undefined;
}

const requestColumns =
  'id uuid, "organizationId" uuid, environment text, "integrationId" uuid, "receivedAt" timestamptz, api text, operation text, "alertKey" text, outcome text, status smallint, "contentType" text, ' +
  'payload text, items jsonb, note text, "requestId" text, stored int';

/** Stores records of existing integrations; others are left out. */
async function store(tx: Tx, requests: LoggedRequest[], limited: LimitedRecord[]): Promise<void> {
  if (requests.length > 0) {
    const newest = newestOfEach(requests);
    await tx.query(
      `INSERT INTO resources.requests (id, organization_id, environment, integration_id, received_at, api, operation, alert_key, outcome, status, content_type, payload, items, note, request_id)
       SELECT d.id, d."organizationId", d.environment, d."integrationId", d."receivedAt", d.api, d.operation, d."alertKey", d.outcome, d.status, d."contentType", d.payload, d.items, d.note, d."requestId"
       FROM json_to_recordset($1::json) AS d(${requestColumns}) JOIN resources.integrations i
         ON i.id = d."integrationId" AND i.organization_id = d."organizationId" AND i.environment = d.environment AND i.deleted_at IS NULL
       ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, status = excluded.status, note = excluded.note`,
      [JSON.stringify(newest)],
    );
  }
  const activity = activityOf(requests, limited);
  if (activity.length === 0) return;
  await tx.query(
    `INSERT INTO resources.integration_activity AS a (integration_id, organization_id, environment, last_event_at, limited_count, limited_at)
     SELECT i.id, i.organization_id, i.environment, r."lastEventAt", r.limited, r."limitedAt"
     FROM json_to_recordset($1::json) AS r(id uuid, "organizationId" uuid, environment text, "lastEventAt" timestamptz, limited bigint, "limitedAt" timestamptz)
     JOIN resources.integrations i ON i.id = r.id AND i.organization_id = r."organizationId" AND i.environment = r.environment AND i.deleted_at IS NULL
     ORDER BY i.id
     ON CONFLICT (integration_id) DO UPDATE SET last_event_at = greatest(a.last_event_at, excluded.last_event_at),
       limited_count = a.limited_count + excluded.limited_count, limited_at = greatest(a.limited_at, excluded.limited_at)`,
    [JSON.stringify(activity)],
  );
}

/** Without those that `trim` would delete. */
function newestOfEach(requests: LoggedRequest[]): LoggedRequest[] {
  const seen = new Map<string, number>();
  // The last record of a request counts: a handshake waits first, and is confirmed later.
  return [...new Map(requests.map((request) => [request.id, request])).values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .filter(({ integrationId }) => {
      const count = (seen.get(integrationId) ?? 0) + 1;
      seen.set(integrationId, count);
      return count <= keptPerIntegration;
    });
}

interface Activity {
  id: string;
  organizationId: string;
  environment: string;
  lastEventAt: string | null;
  limited: number;
  limitedAt: string | null;
}

const later = (a: string | null, b: string): string => (a !== null && Date.parse(a) > Date.parse(b) ? a : b);

/** One row for each integration with stored events or refused requests. */
function activityOf(requests: LoggedRequest[], limited: LimitedRecord[]): Activity[] {
  const byIntegration = new Map<string, Activity>();
  const of = ({
    integrationId,
    organizationId,
    environment,
  }: Pick<LimitedRecord, 'integrationId' | 'organizationId' | 'environment'>): Activity => {
    const key = `${integrationId} ${organizationId} ${environment}`;
    const present = byIntegration.get(key) ?? {
      id: integrationId,
      organizationId,
      environment,
      lastEventAt: null,
      limited: 0,
      limitedAt: null,
    };
    byIntegration.set(key, present);
    return present;
  };
  for (const request of requests) {
    if (request.stored > 0) of(request).lastEventAt = later(of(request).lastEventAt, request.receivedAt);
  }
  for (const record of limited) {
    of(record).limited += record.count;
    of(record).limitedAt = later(of(record).limitedAt, record.lastAt);
  }
  return [...byIntegration.values()];
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isUuid = (value: unknown): boolean => typeof value === 'string' && uuidForm.test(value);
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && timeForm.test(value) && !Number.isNaN(Date.parse(value));
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
const isTenant = (record: { organizationId: unknown; environment: unknown }): boolean =>
  isUuid(record.organizationId) && (record.environment === 'live' || record.environment === 'test');

const isRequest = (record: RequestRecord): boolean =>
  isUuid(record.id) &&
  isTenant(record) &&
  isUuid(record.integrationId) &&
  isTime(record.receivedAt) &&
  requestOutcomes.includes(record.outcome) &&
  isWhole(record.status, 999) &&
  isTextOrNull(record.contentType) &&
  isTextOrNull(record.payload) &&
  Array.isArray(record.items) &&
  isTextOrNull(record.note) &&
  typeof record.requestId === 'string' &&
  isWhole(record.stored, 1_000_000) &&
  isReceived(receivedOf(record), record.payload);

const receivedOf = ({ api = 'webhook', operation = null, alertKey = null }: RequestRecord): Received => ({
  api,
  operation,
  alertKey,
});

/** The record must have what is needed to map the payload again. */
const isReceived = ({ api, operation, alertKey }: Received, payload: string | null): boolean =>
  receivingApis.includes(api) &&
  isTextOrNull(alertKey) &&
  (operation === null
    ? api !== 'opsgenie' || payload === null
    : api === 'opsgenie' && opsgenieOperations.includes(operation) && (operation === 'create' || alertKey !== null));

const isLimited = (record: LimitedRecord): boolean =>
  isUuid(record.integrationId) &&
  isTenant(record) &&
  isTime(record.lastAt) &&
  isWhole(record.count, Number.MAX_SAFE_INTEGER);
