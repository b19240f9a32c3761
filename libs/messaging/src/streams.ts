/**
 * The streams and buckets of the system, with their settings. `npm run admin -- broker apply` makes them (broker.ts);
 * services may only use them.
 */
import {
  alertEventsStream,
  alertEventsSubjects,
  announcementsBucket,
  auditStream,
  auditSubject,
  requestLogStream,
  requestLogSubject,
  handshakeStream,
  handshakeSubject,
  incidentEventsSubject,
  ingestIdempotencyBucket,
  ingestLimitStream,
  ingestLimitSubjects,
  ingestStream,
  ingestSubjects,
  integrationsBucket,
  partitionsMetadata,
  reportsKeptMs,
  scheduleEventsSubject,
  statusBucket,
  suppressionEventsSubject,
} from '@ams/contracts';
import {
  DiscardPolicy,
  jetstreamManager,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type Republish,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { Kvm, type KV, type KvOptions } from '@nats-io/kv';
import { nanos, type NatsConnection } from '@nats-io/transport-node';

export interface StreamSettings {
  /** Copies of each stream: 1, or 3 or 5 in a cluster. */
  replicas: number;
}

export type StreamDefinition = Partial<StreamConfig> & { name: string };

const day = 86_400_000;
const MiB = 1024 * 1024;

/** The subjects on which NATS says that the stream has stored a message: see news.ts. */
export const newsSubject = (stream: string): string => `news.${stream}.>`;

/** Without the data: it is only a hint. */
const republished = (stream: string): Republish => ({ src: '>', dest: newsSubject(stream), headers_only: true });

export const streams = {
  /** Drops nothing: when it is full, publishing fails and the sender gets 503. The pipeline purges applied events. */
  ingest: (partitions: number, maxBytes: number): StreamDefinition => ({
    name: ingestStream,
    subjects: [ingestSubjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_bytes: maxBytes,
    duplicate_window: nanos(120_000),
    metadata: { [partitionsMetadata]: String(partitions) },
    allow_direct: true,
  }),
  /** A log for people: the newest requests are kept, and it never delays a sender. */
  requestLog: (): StreamDefinition => ({
    name: requestLogStream,
    subjects: [requestLogSubject],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.Old,
    max_age: nanos(7 * day),
    max_bytes: 512 * MiB,
    duplicate_window: nanos(120_000),
  }),
  handshakes: (): StreamDefinition => ({
    name: handshakeStream,
    subjects: [handshakeSubject],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.Old,
    max_age: nanos(3 * day),
    max_bytes: 16 * MiB,
  }),
  /** Drops nothing: when it is full, the outbox of the pipeline waits. The pipeline purges what was acknowledged. */
  alertEvents: (): StreamDefinition => ({
    name: alertEventsStream,
    subjects: [alertEventsSubjects, incidentEventsSubject, scheduleEventsSubject, suppressionEventsSubject],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_age: 0,
    max_bytes: 1024 * MiB,
    duplicate_window: nanos(120_000),
    allow_direct: true,
    republish: republished(alertEventsStream),
  }),
  audit: (): StreamDefinition => ({
    name: auditStream,
    subjects: [auditSubject],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: 1024 * MiB,
    duplicate_window: nanos(120_000),
  }),
  /** NATS counts: one message for each request, kept for the window. It refuses a message over the limit. */
  ingestLimit: (limit: number, windowMs: number): StreamDefinition => ({
    name: ingestLimitStream,
    subjects: [ingestLimitSubjects],
    storage: StorageType.Memory,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: limit,
    max_age: nanos(windowMs),
    duplicate_window: nanos(Math.min(windowMs, 100)),
    allow_direct: true,
    num_replicas: 1,
  }),
};

export const notFound = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.apiError().err_code === 10059;
const exists = (error: unknown): boolean => error instanceof JetStreamApiError && error.apiError().err_code === 10058;
const noStorage = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.apiError().err_code === 10047;

/** A stream or a consumer does not exist. The service waits for it: only the operator's command makes it. */
export class BrokerIncomplete extends Error {
  override readonly name = 'BrokerIncomplete';

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is missing in NATS: run "npm run admin -- broker apply"`, options);
  }
}

/** The stream, as it is now. Throws BrokerIncomplete when it does not exist. */
export async function requireStream(connection: NatsConnection, name: string): Promise<StreamInfo> {
  try {
    return await (await managerOf(connection)).streams.info(name);
  } catch (error) {
    if (notFound(error)) throw new BrokerIncomplete(`the stream ${name}`, { cause: error });
    throw error;
  }
}

/** The bucket. Throws BrokerIncomplete when it does not exist. */
export async function openBucket(connection: NatsConnection, name: string): Promise<KV> {
  await requireStream(connection, streamOfBucket(name));
  return new Kvm(connection).open(name, { allow_direct: true });
}

export const streamOfBucket = (bucket: string): string => `KV_${bucket}`;

/** The NATS server cannot be used with its settings. */
export class NatsServerError extends Error {
  override readonly name = 'NatsServerError';
}

/** Creates the stream, or changes it to these settings. Several replicas may do it at once. */
export async function ensureStream(
  connection: NatsConnection,
  wanted: StreamDefinition,
  settings: StreamSettings,
): Promise<StreamInfo> {
  const manager = await managerOf(connection);
  const config = { num_replicas: settings.replicas, ...wanted } as StreamDefinition;
  try {
    const present = await manager.streams.info(wanted.name);
    if (matches(present.config, config)) return present;
    const { metadata, ...rest } = config;
    return await manager.streams.update(wanted.name, {
      ...present.config,
      ...rest,
      metadata: { ...metadata, ...present.config.metadata },
    });
  } catch (error) {
    if (!notFound(error)) throw error;
  }
  try {
    return await manager.streams.add(config);
  } catch (error) {
    if (exists(error)) return await manager.streams.info(wanted.name);
    if (noStorage(error))
      throw new NatsServerError(
        `the NATS server cannot reserve ${wanted.max_bytes} bytes for the stream ${wanted.name}: ` +
          'raise "max_file_store" in its configuration, or free disk space',
        { cause: error },
      );
    throw error;
  }
}

function matches(present: StreamConfig, wanted: StreamDefinition): boolean {
  return Object.entries(wanted).every(
    ([key, value]) =>
      key === 'metadata' || JSON.stringify(present[key as keyof StreamConfig]) === JSON.stringify(value),
  );
}

const managers = new WeakMap<NatsConnection, Promise<JetStreamManager>>();

/** The JetStream manager of a connection, without the check whether JetStream is enabled. */
export function managerOf(connection: NatsConnection): Promise<JetStreamManager> {
  let manager = managers.get(connection);
  if (!manager) {
    manager = jetstreamManager(connection, { checkAPI: false, timeout: 2000 });
    managers.set(connection, manager);
  }
  return manager;
}

/** A bucket that services watch (bucket-watch.ts). */
async function watchedKv(
  connection: NatsConnection,
  name: string,
  settings: StreamSettings,
  options: Partial<KvOptions>,
): Promise<KV> {
  const { replicas } = settings;
  const bucket = await new Kvm(connection).create(name, { ...options, replicas, storage: StorageType.File as never });
  const stream = streamOfBucket(name);
  await ensureStream(connection, { name: stream, republish: republished(stream) }, settings);
  return bucket;
}

export const integrationsKv = (connection: NatsConnection, settings: StreamSettings): Promise<KV> =>
  watchedKv(connection, integrationsBucket, settings, { history: 1 });

export const announcementsKv = (connection: NatsConnection, settings: StreamSettings): Promise<KV> =>
  watchedKv(connection, announcementsBucket, settings, {
    history: 1,
    maxValueSize: 1 * MiB,
  });

export async function ingestIdempotencyKv(connection: NatsConnection, settings: StreamSettings): Promise<KV> {
  return new Kvm(connection).create(ingestIdempotencyBucket, {
    history: 1,
    replicas: settings.replicas,
    storage: StorageType.File as never,
    ttl: day,
    max_bytes: 512 * MiB,
  });
}

/** One report for each replica. Nobody watches it: it is read when it is needed. */
export async function statusKv(connection: NatsConnection, { replicas }: StreamSettings): Promise<KV> {
  return new Kvm(connection).create(statusBucket, {
    history: 1,
    replicas,
    storage: StorageType.File as never,
    ttl: reportsKeptMs,
    max_bytes: 16 * MiB,
    maxValueSize: 16 * 1024,
  });
}
