/**
 * Requests of the workflow engine to the notifier, the only service that sends messages to other systems. One request
 * is one attempt. The notifier returns the result and whether another attempt makes sense; the engine schedules the
 * attempts.
 */
import type { ChatChannel } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import type { Alert } from '../nouns/alerts.js';
import type { Incident } from '../nouns/incidents.js';
import type { Tenant } from '../principal.js';
import { serviceRequest, type ServiceRequest } from './service-request.js';

export { channels, type Channel } from '@ams/domain';

type Address =
  | { channel: 'email'; address: string; name: string | null }
  | ({ channel: ChatChannel; url: string } & Sealed)
  | ({
      channel: 'webhook';
      url: string;
      secret: string | null;
      headers: Record<string, string>;
      timeoutSeconds: number;
    } & Sealed);

/** Addresses, secrets and values of headers are sealed, each where the plain one would be. */
interface Sealed {
  /** The public id of the record whose secrets these are. Absent: nothing is sealed. */
  sealedFor?: string;
}

/** A device of a member. Its subscription is read when a message is sent: the device may have ended. */
export interface DeviceAddress {
  channel: 'push';
  /** A UUID. */
  deviceId: string;
  /** Of the member. */
  name: string;
}

/** Where a message goes, as it is stored. */
export type Destination = Address | DeviceAddress;

/** `subscription`: `PushSubscription` as JSON, sealed for `recordOfSubscription`, in base64. The notifier opens it. */
export type SendTarget = Address | (DeviceAddress & { subscription: string });

/** The data key of the tenant, sealed for `recordOfDataKey`, in base64. Only the notifier opens it. */
export interface SealedDataKey extends Tenant {
  dataKey: string;
}

/** The record for which the subscription of a device is sealed. */
export const recordOfSubscription = (deviceId: string): string => `push subscription ${deviceId}`;

/** The content of a message. */
export interface Notice {
  /** The subject of a mail, or the heading of a chat message. */
  subject: string;
  /** The text of the workflow's author, if any. */
  message: string | null;
  alert: Alert | null;
  incident: Incident | null;
  /** The titles of other open alerts of the incident, at most ten. */
  otherAlerts: string[];
  clientName: string | null;
  organizationName: string;
  environment: Environment;
  /** Why the recipient gets this message, as a sentence. */
  reason: string;
  links: { open: string | null; acknowledge: string | null; resolve: string | null };
  /** It replaces a message that the device shows: no sound, whatever the severity. */
  silent?: boolean;
}

/** The body of a signed webhook: the domain event, with its subject as it was then. */
export interface WebhookEvent {
  id: string;
  type: string;
  occurredAt: string;
  /** The version of the alert or incident of the event. Left out by an engine of an earlier release. */
  version?: number | null;
  data: unknown;
}

export interface SendRequest {
  /** Equal for every attempt of one notification: `webhook-id`, and part of the Message-ID of a mail. */
  notificationId: string;
  target: SendTarget;
  /** For a target that is sealed. */
  secrets?: SealedDataKey;
  notice: Notice;
  event: WebhookEvent;
  /** How long the caller waits for the result, in milliseconds. Then the reply is `sending`. Default: no limit. */
  waitMs?: number;
}

/** `reason` is for people. It contains no secrets and at most one line of the receiving server's response. */
export type SendReply =
  | { kind: 'sent'; detail: string | null }
  /** `retryAfterSeconds`: the pause that the target requested; null when it requested none. */
  /** `gone`: the device does not exist any more, so nothing is ever to be sent to it again. */
  /** `refusedAddress`: the mail server refused the address of the mail for good. */
  | {
      kind: 'failed';
      reason: string;
      retry: boolean;
      retryAfterSeconds: number | null;
      gone?: true;
      refusedAddress?: true;
    }
  /** Does not count as an attempt: the circuit breaker is open, or too many messages are being sent. */
  | { kind: 'heldBack'; reason: string; retryAfterSeconds: number };

/** The attempt is in progress. This replica of the notifier has the result later (`attemptResultRequest`). */
export interface SendingReply {
  kind: 'sending';
  replicaId: string;
}

export const sendRequest = serviceRequest<SendRequest, SendReply | SendingReply>('cmd.notifier.send');

export interface AttemptResultRequest {
  notificationId: string;
  waitMs: number;
}

/** `unknown`: the replica remembers no attempt for the notification. */
export type AttemptResultReply = SendReply | SendingReply | { kind: 'unknown' };

/** To one replica. When it no longer runs, nobody responds. */
export const attemptResultRequest = (replicaId: string): ServiceRequest<AttemptResultRequest, AttemptResultReply> =>
  serviceRequest(`cmd.notifier.result.${replicaId}`);

/**
 * To every replica. Only one that is making the attempt, or has sent its message, responds: silence says nothing. The
 * subject is one of those of `attemptResultRequest`, whose ids are UUIDs.
 */
export const attemptLookupRequest = serviceRequest<AttemptResultRequest, SendReply | SendingReply>(
  attemptResultRequest('any').subject,
);
