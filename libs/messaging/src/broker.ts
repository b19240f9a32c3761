/**
 * Makes what the services use in NATS: streams, buckets and durable consumers. Only the user `broker-admin` may do this.
 * It is done before the services start, again after an upgrade, and after NATS has lost its data.
 *
 * It changes what differs, and never what would delete messages. A second run changes nothing.
 */
import { ingestStreamDefaults, partitionsMetadata } from '@ams/contracts';
import {
  JetStreamApiError,
  type ConsumerConfig,
  type ConsumerInfo,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { onReconnect } from './connection.js';
import { asFault } from './rpc/as-fault.js';
import { consumers, partitionConsumer, type DurableConsumer } from './consumers.js';
import {
  announcementsKv,
  ensureStream,
  ingestIdempotencyKv,
  integrationsKv,
  managerOf,
  notFound,
  statusKv,
  streams,
  type StreamDefinition,
} from './streams.js';

export interface BrokerSettings {
  /** Copies of each stream: 1, or 3 or 5 in a cluster. */
  replicas: number;
  /** Of the stream of events, when it is created. */
  partitions: number;
  /** The maximum size of the stream of events. */
  streamMaxBytes: number;
  /** Requests of an ingest token in one window. */
  limit: number;
  limitWindowSeconds: number;
}

export const brokerDefaults: BrokerSettings = {
  replicas: 1,
  partitions: ingestStreamDefaults.partitions,
  streamMaxBytes: ingestStreamDefaults.maxBytes,
  limit: 60,
  limitWindowSeconds: 60,
};

export interface BrokerPart {
  /** Such as `stream INGEST`. */
  name: string;
  outcome: 'created' | 'changed' | 'same';
}

/** A change would delete messages. Nothing after it was applied; what was applied before it stays. */
export class LossOfMessages extends Error {
  override readonly name = 'LossOfMessages';
}

/** Returns what was done with each part. Throws LossOfMessages, or an error of NATS. */
export async function applyBroker(
  connection: NatsConnection,
  settings: BrokerSettings = brokerDefaults,
): Promise<BrokerPart[]> {
  const { replicas } = settings;
  const definitions = [
    streams.ingest(settings.partitions, settings.streamMaxBytes),
    streams.ingestLimit(settings.limit, settings.limitWindowSeconds * 1000),
    streams.requestLog(),
    streams.handshakes(),
    streams.alertEvents(),
    streams.audit(),
  ];
  const parts: BrokerPart[] = [];
  for (const definition of definitions) parts.push(await applyStream(connection, definition, replicas));
  for (const bucket of [integrationsKv, announcementsKv, ingestIdempotencyKv, statusKv])
    parts.push(await applyBucket(connection, () => bucket(connection, { replicas })));
  const { config } = await (await managerOf(connection)).streams.info(definitions[0]?.name ?? '');
  const partitions = Number(config.metadata?.[partitionsMetadata]) || settings.partitions;
  const durables = [
    ...Object.values(consumers),
    ...Array.from({ length: partitions }, (_, partition) => partitionConsumer(partition, replicas)),
  ];
  for (const consumer of durables) parts.push(await applyConsumer(connection, consumer));
  return parts;
}

async function applyStream(
  connection: NatsConnection,
  definition: StreamDefinition,
  replicas: number,
): Promise<BrokerPart> {
  const before = await found(async () => (await managerOf(connection)).streams.info(definition.name));
  const loss = before && lossOf(before, definition);
  if (loss) throw new LossOfMessages(loss);
  const after = await ensureStream(connection, definition, { replicas });
  return partOf(`stream ${definition.name}`, before?.config, after.config);
}

/** Why the change would delete messages of the stream; `null` when it does not. */
export function lossOf(
  { config, state }: Pick<StreamInfo, 'config' | 'state'>,
  wanted: StreamDefinition,
): string | null {
  const { name } = config;
  if (state.messages === 0 || wanted.storage === 'memory') return null;
  const bytes = wanted.max_bytes ?? -1;
  if (bytes > 0 && state.bytes > bytes)
    return `the stream ${name} has ${state.bytes} bytes of messages; a maximum of ${bytes} would delete some of them`;
  const age = wanted.max_age ?? 0;
  if (age > 0 && (config.max_age === 0 || age < config.max_age))
    return `the messages of the stream ${name} would be deleted earlier than now`;
  return null;
}

async function applyBucket(
  connection: NatsConnection,
  create: () => Promise<{ status(): Promise<object> }>,
): Promise<BrokerPart> {
  const manager = await managerOf(connection);
  const known = new Set<string>();
  for await (const name of manager.streams.names()) known.add(name);
  const { streamInfo } = (await (await create()).status()) as { streamInfo: StreamInfo };
  const { name } = streamInfo.config;
  return { name: `bucket ${name.replace(/^KV_/, '')}`, outcome: known.has(name) ? 'same' : 'created' };
}

async function applyConsumer(connection: NatsConnection, { stream, config }: DurableConsumer): Promise<BrokerPart> {
  const { consumers: api } = await managerOf(connection);
  const name = config.durable_name;
  const before = await found(() => api.info(stream, name));
  const after = !before
    ? await api.add(stream, config)
    : differs(before, config)
      ? await api.update(stream, name, config)
      : before;
  return partOf(`consumer ${name} of ${stream}`, before?.config, after.config);
}

const differs = ({ config }: ConsumerInfo, wanted: Partial<ConsumerConfig>): boolean =>
  Object.entries(wanted).some(([key, value]) => {
    const present = config[key as keyof ConsumerConfig];
    // NATS leaves out what is false.
    return value === false ? Boolean(present) : JSON.stringify(present) !== JSON.stringify(value);
  });

const partOf = (
  name: string,
  before: StreamConfig | ConsumerConfig | undefined,
  after: StreamConfig | ConsumerConfig,
): BrokerPart => ({
  name,
  outcome: !before ? 'created' : JSON.stringify(before) === JSON.stringify(after) ? 'same' : 'changed',
});

const retryMs = 1000;
const noConsumer = 10014;

/** `null` when it does not exist. */
async function found<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (notFound(error) || (error instanceof JetStreamApiError && error.apiError().err_code === noConsumer))
      return null;
    throw error;
  }
}

/**
 * Applies it now, after each reconnection, and every `everyMs`, until `stop`: a NATS server that is not a cluster loses
 * the streams in its memory with each restart. The first time it waits for NATS, and throws other errors.
 */
export async function keepBroker(
  connection: NatsConnection,
  settings: BrokerSettings,
  { everyMs, applied = () => undefined }: { everyMs: number; applied?: (result: BrokerPart[] | Error) => void },
): Promise<{ stop: () => Promise<void> }> {
  for (let first: BrokerPart[] | null = null; !first;) {
    try {
      applied((first = await applyBroker(connection, settings)));
    } catch (error) {
      if (connection.isClosed() || asFault(error, '').code !== 'UNAVAILABLE') throw error;
      await pause(retryMs);
    }
  }
  const stopped = new AbortController();
  let reconnected = new AbortController();
  onReconnect(connection, () => reconnected.abort());
  const run = async (): Promise<void> => {
    let waitMs = everyMs;
    while (!stopped.signal.aborted) {
      const signal = AbortSignal.any([stopped.signal, reconnected.signal]);
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (stopped.signal.aborted || connection.isClosed()) return;
      // A reconnection from now on ends the next pause.
      reconnected = new AbortController();
      const result = await applyBroker(connection, settings).catch((error: Error) => error);
      waitMs = result instanceof Error ? Math.min(everyMs, retryMs) : everyMs;
      applied(result);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
