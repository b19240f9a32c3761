/** What the ingest gateway puts in the broker, and the settings of integrations that it reads from there. */
import type { FieldSources, MappedEvent, MappingSettings, Received } from '@ams/domain';
import type { Environment } from '@ams/scopes';

/** Events on their way to the pipeline; one subject a partition, one message for all that shared a publish. */
export const ingestStream = 'INGEST';
export const ingestSubject = (partition: number): string => `ingest.events.${partition}`;
export const ingestSubjects = 'ingest.events.*';

/** What the stream is made with when neither service is told otherwise; both of them make it. */
export const ingestStreamDefaults = { partitions: 4, maxBytes: 1024 * 1024 * 1024 };

/** How many partitions there are is a fact of the stream: written into its metadata when it is created. */
export const partitionsMetadata = 'partitions';

export interface IngestEvent extends MappedEvent {
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
  /** Where each field came from, in short: see `FieldSources`. */
  provenance?: FieldSources;
  /** The request had an Idempotency-Key: the same id may come in two messages, and counts once. */
  repeatable?: true;
}

export interface IngestBatch {
  events: IngestEvent[];
}

/** What became of requests, for `GET /integrations/{id}/requests` and the counters of the integration. */
/** A stream cannot be renamed, and an installation may hold messages in it: on the wire it keeps its first name. */
export const requestLogStream = 'DELIVERIES';
export const requestLogSubject = 'ingest.deliveries';

/** Of a gateway that did not say how a request was received, it was the webhook. */
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
  items: unknown[];
  note: string | null;
  requestId: string;
  /** How many events of it were stored. */
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

/** Handshakes that wait to be confirmed: a work queue that the ingest gateways share. */
export const handshakeStream = 'HANDSHAKES';
export const handshakeSubject = 'ingest.handshakes';

export interface HandshakeTask {
  integration: Pick<IngestIntegration, 'id' | 'organizationId' | 'environment'>;
  /** The id of the record in the request log; in tasks of earlier releases `deliveryId`. */
  recordId: string;
  receivedAt: string;
  requestId: string;
  contentType: string | null;
  /** The body as it was posted. */
  payload: string;
}

/** One entry for each token that works, by the token's hash. Written by resource-api, watched by every ingest gateway. */
export const integrationsBucket = 'integrations';

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
  /** Of a rotated token: it works until this time. */
  expiresAt: string | null;
}

/** One message for each request of a token within the last window; the broker refuses the one over the limit. */
export const ingestLimitStream = 'LIMIT_INGEST';
export const ingestLimitSubject = (tokenHash: string): string => `limit.ingest.${tokenHash}`;
export const ingestLimitSubjects = 'limit.ingest.*';

/** Answers of the last 24 h to requests with an Idempotency-Key. */
export const ingestIdempotencyBucket = 'ingest-idempotency';
