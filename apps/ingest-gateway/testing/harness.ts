/** A NATS server for one test file, gateways that use it, integrations in its bucket, and the stored events. */
import {
  credentialHash,
  ingestStream,
  requestLogStream,
  newIngestToken,
  newUuid,
  type RequestLogBatch,
  type RequestRecord,
  type IngestBatch,
  type IngestEvent,
  type IngestIntegration,
} from '@ams/contracts';
import { presetSettings, unpackText } from '@ams/domain';
import { startNats, type EmbeddedNats } from '@ams/embedded';
import {
  brokerDefaults,
  connectNats,
  integrationsKv,
  isNatsConnected,
  keepBroker,
  type NatsConnection,
} from '@ams/messaging';
import { createLogger, readSettings, startService, type RunningService } from '@ams/service';
import { eventually, streamManager } from '@ams/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IngestGatewayModule } from '../src/ingest-gateway.module.js';
import { SnsFetch, type Fetch } from '../src/receivers/sns.js';
import { ingestGateway } from '../src/service.js';
import { IngestSettings } from '../src/settings.js';

export interface World {
  nats: EmbeddedNats;
  /** Restarts NATS and returns when the test is connected again. */
  restart(): Promise<void>;
  connection: NatsConnection;
  /** Makes the streams, and makes them again when they are lost; each gateway starts it with its settings. */
  broker: { apply(settings?: Partial<IngestSettings>): Promise<void>; stop(): Promise<void> };
  gateway(
    environment?: Record<string, string>,
    fetch?: Fetch,
  ): Promise<RunningService & { url: string; managementUrl: string }>;
  integration(overrides?: Partial<IngestIntegration>): Promise<{ token: string; integration: IngestIntegration }>;
  put(token: string, integration: IngestIntegration): Promise<void>;
  events(): Promise<IngestEvent[]>;
  /** As they are in the stream, and with the payloads that are packed there. */
  loggedRequests(): Promise<RequestRecord[]>;
  batches<T>(stream: string): Promise<T[]>;
  end(): Promise<void>;
}

/** The machine may be busy. Tests of the time limit use the usual one. */
export const patientStore = { INGEST_STORE_TIMEOUT_MS: '15000' };

export async function startWorld(): Promise<World> {
  const dir = mkdtempSync(join(tmpdir(), 'ingest-gateway-'));
  const nats = await startNats({ dir, durable: false });
  const connection = await connectNats({ url: nats.url, name: 'test' });
  let broker: { stop: () => Promise<void> } | null = null;
  const applyBroker = async (settings: Partial<IngestSettings> = {}): Promise<void> => {
    const { partitions, streamMaxBytes, limit, limitWindowSeconds } = { ...brokerDefaults, ...settings };
    await broker?.stop();
    const wanted = { replicas: 1, partitions, streamMaxBytes, limit, limitWindowSeconds };
    broker = await keepBroker(connection, wanted, { everyMs: 1000 });
  };
  const running: RunningService[] = [];
  // On a busy machine the broker may answer too late.
  const bucket = () => eventually(() => integrationsKv(connection, { replicas: 1 }));
  const put = async (token: string, integration: IngestIntegration): Promise<void> => {
    const integrations = await bucket();
    await eventually(() => integrations.put(credentialHash(token), JSON.stringify(integration)));
  };

  const batches = async <T>(stream: string): Promise<T[]> => {
    const manager = await streamManager(connection);
    const { state } = await manager.streams.info(stream);
    const found: T[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
      const message = await manager.streams.getMessage(stream, { seq });
      if (message !== null) found.push(message.json<T>());
    }
    return found;
  };

  return {
    nats,
    connection,
    broker: { apply: applyBroker, stop: async () => broker?.stop() },
    put,
    batches,
    async restart() {
      await nats.restart();
      await eventually(() => isNatsConnected(connection));
    },
    async gateway(environment = {}, fetch) {
      const settings = readSettings(IngestSettings, {
        NATS_URL: nats.url,
        HTTP_HOST: '127.0.0.1',
        HTTP_PORT: '0',
        MANAGEMENT_HOST: '127.0.0.1',
        MANAGEMENT_PORT: '0',
        LOG_LEVEL: 'silent',
        FAILURES_PER_ADDRESS: '1000000',
        SETTLE_MS: '0',
        ...environment,
      });
      await applyBroker(settings);
      const module = {
        module: IngestGatewayModule,
        providers: fetch === undefined ? [] : [{ provide: SnsFetch, useValue: { fetch } }],
      };
      const log = createLogger('ingest-gateway', settings.logLevel);
      const service = await startService({ ...ingestGateway, module }, settings, log);
      running.push(service);
      const urlOf = (port: number): string => `http://127.0.0.1:${port}`;
      return { ...service, url: urlOf(service.port), managementUrl: urlOf(service.managementPort) };
    },
    async integration(overrides = {}) {
      const token = newIngestToken();
      const integration: IngestIntegration = {
        id: newUuid(),
        name: 'a sender',
        organizationId: newUuid(),
        environment: 'live',
        enabled: true,
        clientId: null,
        settings: presetSettings('generic'),
        dedupScope: 'integration',
        autoResolveAfterSeconds: null,
        version: 1,
        expiresAt: null,
        ...overrides,
      };
      await put(token, integration);
      return { token, integration };
    },
    events: async () => (await batches<IngestBatch>(ingestStream)).flatMap(({ events }) => events),
    loggedRequests: async () => {
      const logged = (await batches<RequestLogBatch>(requestLogStream)).flatMap(({ requests }) => requests);
      return Promise.all(logged.map(withWholePayload));
    },
    async end() {
      await Promise.all(running.map((service) => service.stop()));
      await connection.close();
      await nats.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const withWholePayload = async (record: RequestRecord): Promise<RequestRecord> =>
  record.packedPayload === undefined
    ? record
    : { ...record, payload: await unpackText(Buffer.from(record.packedPayload, 'base64'), 64 * 1024 * 1024) };

export interface Answer {
  status: number;
  headers: Headers;
  body: {
    data?: {
      events: { id: string; fingerprint: string; warnings: unknown[] }[];
      faults?: { path: string; rule: string }[];
      receivedAt: string;
    };
    code?: string;
    error?: string;
    details?: unknown;
  };
}

/** Posts to the webhook. Text and bytes are sent unchanged, all other values as JSON. */
export async function post(
  url: string,
  token: string,
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  init: RequestInit = {},
): Promise<Answer> {
  const raw =
    typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream || body === undefined;
  const response = await fetch(`${url}/api/inbound/webhook/${token}`, {
    method: 'POST',
    headers,
    body: (raw ? body : JSON.stringify(body)) as string,
    ...init,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

export const alert = (fields: Record<string, unknown> = {}) => ({ title: 'High CPU', severity: 'high', ...fields });
