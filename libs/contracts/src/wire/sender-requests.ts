/**
 * Requests of the ingest gateway to the alert pipeline, for senders that use Opsgenie's API: their alerts, the results
 * of their requests, and their heartbeats. A sender sees only what its own integration has sent.
 */
import type { Alert } from '../nouns/alerts.js';
import type { Tenant } from '../principal.js';
import { serviceRequest } from './service-request.js';

export interface SenderRequest extends Tenant {
  /** A UUID. */
  integrationId: string;
}

/** By the public id, or the open alert with this fingerprint. */
export type SenderAlertKey = { id: string } | { fingerprint: string };

export const senderAlertRequest = serviceRequest<SenderRequest & { key: SenderAlertKey }, { alert: Alert | null }>(
  'cmd.pipeline.sender-alert',
);

export const senderAlertSorts = ['createdAt', 'updatedAt', 'lastOccurredAt'] as const;
export type SenderAlertSort = (typeof senderAlertSorts)[number];

export interface SenderAlertsQuery {
  /** Undefined: both. */
  open?: boolean;
  acknowledged?: boolean;
  fingerprint?: string;
  sort: SenderAlertSort;
  descending: boolean;
  offset: number;
  limit: number;
}

/** `count` is the number of all alerts that match. */
export const senderAlertsRequest = serviceRequest<
  SenderRequest & { query: SenderAlertsQuery },
  { alerts: Alert[]; count: number }
>('cmd.pipeline.sender-alerts');

/** The effect of a stored event; null when the event is not applied yet, or was never stored. */
export interface SenderEventResult {
  outcome: string;
  appliedTo: Alert | null;
}

/** `eventId` is a UUID. */
export const senderEventRequest = serviceRequest<
  SenderRequest & { eventId: string },
  { result: SenderEventResult | null }
>('cmd.pipeline.sender-event');

// --- Heartbeats -----------------------------------------------------------------------------------------------------

export const heartbeatUnits = ['minutes', 'hours', 'days'] as const;
export type HeartbeatUnit = (typeof heartbeatUnits)[number];

/** The settings of a heartbeat, as its sender sets them. */
export interface HeartbeatSettings {
  description: string | null;
  interval: number;
  intervalUnit: HeartbeatUnit;
  enabled: boolean;
  /** The title of the alert; null for a generated one. */
  alertMessage: string | null;
  alertTags: string[];
  alertPriority: string;
}

export interface Heartbeat extends HeartbeatSettings {
  name: string;
  expired: boolean;
  lastPingTime: string | null;
}

export type HeartbeatCommand =
  | { kind: 'create'; settings: HeartbeatSettings }
  | { kind: 'update'; settings: Partial<HeartbeatSettings> }
  | { kind: 'get' }
  | { kind: 'delete' };

/** What the alert of a heartbeat gets from the integration. */
export interface HeartbeatSender {
  integrationName: string;
  clientId: string | null;
  staticLabels: Record<string, string>;
}

export interface HeartbeatRequest extends SenderRequest {
  name: string;
  /** The partition of the events of the heartbeat. */
  partition: number;
  sender: HeartbeatSender;
  command: HeartbeatCommand;
}

export type HeartbeatReply =
  { kind: 'done'; heartbeat: Heartbeat } | { kind: 'missing' } | { kind: 'exists' } | { kind: 'tooMany' };

export const heartbeatRequest = serviceRequest<HeartbeatRequest, HeartbeatReply>('cmd.pipeline.heartbeat');

export const heartbeatsRequest = serviceRequest<SenderRequest, { heartbeats: Heartbeat[] }>('cmd.pipeline.heartbeats');

/** The maximum number of heartbeats of an integration. */
export const heartbeatLimit = 1000;

/**
 * How long an ingest gateway has been able to receive and store requests without an interruption, by its monotonic
 * clock. Every replica replies.
 */
export const receivingRequest = serviceRequest<Record<string, never>, { receivingMs: number }>('cmd.ingest.receiving');
