/** What the ingest gateway publishes to NATS, and the settings of integrations that it reads from there. */
import type { FieldSources, MappedEvent, MappingSettings, Received } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import type { TraceContext } from './trace-context.js';

/** Events for the alert pipeline: one subject for each partition, one message for all events of a publish. */
export const ingestStream = 'INGEST';
export const ingestSubject = (partition: number): string => `ingest.events.${partition}`;
export const ingestSubjects = 'ingest.events.*';

/** The default number of partitions; the ingest gateway and the pipeline both create the stream. */
export const ingestStreamDefaults = { partitions: 4, maxBytes: 1024 * 1024 * 1024 };

/** The number of partitions is stored in the metadata of the stream when it is created. */
export const partitionsMetadata = 'partitions';

export interface IngestEvent extends MappedEvent, TraceContext {
  /** UUIDv7. */
  id: string;
  organizationId: string;
  environment: Environment;
  integrationId: string;
  integrationName: string;
  /** RFC 3339, milliseconds. */
  receivedAt: string;
  dedupScope: 'integration' | 'organization';
  autoResolveAfterSeconds: number | null;
  clientId: string | null;
  /** Where the value of each field comes from; see `FieldSources`. */
  provenance?: FieldSources;
  /** The request had an Idempotency-Key: the same id may be in two messages and counts as one event. */
  repeatable?: true;
  /** The event is a ping of this heartbeat, or the end of its interval. */
  heartbeat?: string;
}

export interface IngestBatch {
  events: IngestEvent[];
}

/**
 * The results of requests, for `GET /integrations/{id}/requests` and the counters of the integration. The stream keeps
 * its old name: a stream cannot be renamed, and existing installations may have messages in it.
 */
export const requestLogStream = 'DELIVERIES';
export const requestLogSubject = 'ingest.deliveries';

/** Gateways of earlier releases do not send this; their requests came through the webhook. */
export interface RequestRecord extends Partial<Received> {
  id: string;
  organizationId: string;
  environment: Environment;
  integrationId: string;
  receivedAt: string;
  outcome: 'accepted' | 'partial' | 'rejected' | 'ignored' | 'handshake' | 'repeated';
  status: number;
  contentType: string | null;
  payload: string | null;
  /** A long payload, packed (`packText` of libs/domain) and in Base64. Then `payload` is null. */
  packedPayload?: string;
  items: unknown[];
  note: string | null;
  requestId: string;
  /** The number of stored events. */
  stored: number;
}

export interface LimitedRecord {
  integrationId: string;
  organizationId: string;
  environment: Environment;
  count: number;
  lastAt: string;
}

/** A batch of an earlier release has `deliveries` in place of `requests`. */
export interface RequestLogBatch {
  requests: RequestRecord[];
  limited: LimitedRecord[];
}

/** Handshakes to confirm: a work queue that the ingest gateways share. */
export const handshakeStream = 'HANDSHAKES';
export const handshakeSubject = 'ingest.handshakes';

export interface HandshakeTask {
  integration: Pick<IngestIntegration, 'id' | 'organizationId' | 'environment'>;
  /** The id of the record in the request log; `deliveryId` in tasks of earlier releases. */
  recordId: string;
  receivedAt: string;
  requestId: string;
  contentType: string | null;
  /** The body of the sender's request. */
  payload: string;
}

/**
 * One entry for each valid token, by the hash of the token. resource-api writes it, every ingest gateway watches it.
 */
export const integrationsBucket = 'integrations';

/** The subject of outbox messages with tokens whose entries in the bucket may have changed. They are not published. */
export const integrationsProjectionSubject = 'kv.integrations';

export interface IngestIntegration {
  id: string;
  name: string;
  organizationId: string;
  environment: Environment;
  enabled: boolean;
  clientId: string | null;
  settings: MappingSettings;
  dedupScope: 'integration' | 'organization';
  autoResolveAfterSeconds: number | null;
  version: number;
  /** For a rotated token: it is valid until this time. */
  expiresAt: string | null;
}

/** One message for each request of a token in the current window; NATS rejects messages over the limit. */
export const ingestLimitStream = 'LIMIT_INGEST';
export const ingestLimitSubject = (tokenHash: string): string => `limit.ingest.${tokenHash}`;
export const ingestLimitSubjects = 'limit.ingest.*';

/** Responses of the last 24 h to requests with an Idempotency-Key. */
export const ingestIdempotencyBucket = 'ingest-idempotency';
